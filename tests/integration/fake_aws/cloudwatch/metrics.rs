//! Sums by the minute, in series told apart by their dimensions.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::fake_aws::account::Account;
use crate::fake_aws::call::Refusal;

/// Names with values.
pub type Dimensions = BTreeMap<String, String>;

/// Namespace, metric, dimensions.
type Series = (String, String, Dimensions);

/// What was sent: only minutes in which there was something.
#[derive(Debug, Default)]
pub struct Metrics(BTreeMap<Series, BTreeMap<i64, f64>>);

impl Metrics {
    /// Adds one to the minute of a time in seconds.
    pub fn add(&mut self, namespace: &str, metric: &str, dimensions: Dimensions, time: i64) {
        let series = (namespace.to_owned(), metric.to_owned(), dimensions);
        let minute = time.div_euclid(60) * 60;
        *self.0.entry(series).or_default().entry(minute).or_default() += 1.0;
    }

    /// The sum from a time on and before another; `None`: nothing was sent.
    pub fn sum(
        &self,
        namespace: &str,
        metric: &str,
        dimensions: &Dimensions,
        from: i64,
        to: i64,
    ) -> Option<f64> {
        let series = (namespace.to_owned(), metric.to_owned(), dimensions.clone());
        let minutes: Vec<f64> = self.0.get(&series)?.range(from..to).map(|(_, sum)| *sum).collect();
        (!minutes.is_empty()).then(|| minutes.iter().sum())
    }
}

/// `[{"Name":…,"Value":…}]`.
pub fn dimensions(list: &Value) -> Dimensions {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    list.as_array()
        .into_iter()
        .flatten()
        .map(|it| (text(&it["Name"]), text(&it["Value"])))
        .collect()
}

pub fn data(account: &Account, body: &Value) -> Result<Value, Refusal> {
    let queries = body["MetricDataQueries"].as_array().cloned().unwrap_or_default();
    let (Some(start), Some(end)) = (seconds(&body["StartTime"]), seconds(&body["EndTime"])) else {
        return Err(Refusal::new(400, "MissingParameter", "StartTime and EndTime are needed"));
    };
    if queries.is_empty() || queries.len() > 500 || start >= end {
        let message = "a request has 1 to 500 queries and ends after its start";
        return Err(Refusal::new(400, "InvalidParameterValue", message));
    }
    let newest_first = body["ScanBy"] != "TimestampAscending";
    let mut results = Vec::new();
    for query in &queries {
        let stat = &query["MetricStat"];
        let id = query["Id"].as_str().unwrap_or_default();
        if stat.is_null()
            || stat["Stat"] != "Sum"
            || !id.starts_with(|first: char| first.is_ascii_lowercase())
        {
            let message = format!(
                "the query {id} is no sum of a metric with an id that starts in lower case"
            );
            return Err(Refusal::new(400, "InvalidParameterValue", message));
        }
        let metric = &stat["Metric"];
        let text = |name: &str| metric[name].as_str().unwrap_or_default();
        let dimensions = dimensions(&metric["Dimensions"]);
        let period = stat["Period"].as_i64().filter(|period| *period > 0 && period % 60 == 0);
        let Some(period) = period else {
            return Err(Refusal::new(
                400,
                "InvalidParameterValue",
                "Period must be a multiple of 60",
            ));
        };
        // Periods start where the clock is a multiple of them.
        let mut points: Vec<(i64, f64)> = Vec::new();
        let mut at = start.div_euclid(period) * period;
        while at < end {
            let sum = account.metrics.sum(
                text("Namespace"),
                text("MetricName"),
                &dimensions,
                at.max(start),
                (at + period).min(end),
            );
            points.extend(sum.map(|sum| (at, sum)));
            at += period;
        }
        if newest_first {
            points.reverse();
        }
        let (times, values): (Vec<i64>, Vec<f64>) = points.into_iter().unzip();
        results.push(json!({
            "Id": id,
            "Label": query["Label"].as_str().unwrap_or(text("MetricName")),
            "Timestamps": times,
            "Values": values,
            "StatusCode": "Complete",
        }));
    }
    Ok(json!({ "MetricDataResults": results, "Messages": [] }))
}

fn seconds(time: &Value) -> Option<i64> {
    time.as_f64().map(|seconds| seconds as i64)
}

/// Series in pages of 500.
const PAGE: usize = 500;

pub fn list(account: &Account, body: &Value) -> Result<Value, Refusal> {
    let wanted: Vec<(String, Option<String>)> = body["Dimensions"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|it| {
            (
                it["Name"].as_str().unwrap_or_default().to_owned(),
                it["Value"].as_str().map(str::to_owned),
            )
        })
        .collect();
    let fits = |(namespace, metric, dimensions): &&Series| {
        let same = |name: &str, own: &str| body[name].as_str().is_none_or(|wanted| wanted == own);
        same("Namespace", namespace)
            && same("MetricName", metric)
            && wanted.iter().all(|(name, value)| {
                dimensions
                    .get(name)
                    .is_some_and(|own| value.as_ref().is_none_or(|value| value == own))
            })
    };
    let skipped: usize = body["NextToken"].as_str().and_then(|text| text.parse().ok()).unwrap_or(0);
    let mut found = account.metrics.0.keys().filter(fits).skip(skipped).peekable();
    let mut told = Vec::new();
    while told.len() < PAGE && found.peek().is_some() {
        let (namespace, metric, dimensions) = found.next().unwrap();
        let dimensions: Vec<Value> = dimensions
            .iter()
            .map(|(name, value)| json!({ "Name": name, "Value": value }))
            .collect();
        told.push(
            json!({ "Namespace": namespace, "MetricName": metric, "Dimensions": dimensions }),
        );
    }
    let mut answer = json!({ "Metrics": told });
    if found.peek().is_some() {
        answer["NextToken"] = (skipped + PAGE).to_string().into();
    }
    Ok(answer)
}
