//! Alarms.

use std::collections::BTreeMap;

use aws_sdk_cloudwatch::types::{
    ComparisonOperator, Dimension, MetricAlarm, MetricDataQuery, Statistic,
};
use serde_json::{Value as Json, json};

use super::account::Account;
use super::error::{Error, Said};
use super::figures::AlarmState;
use super::read::text;

/// Pages of alarms that are asked for before something must be wrong.
const PAGES: usize = 100;

impl Account {
    /// The alarms whose names begin so, as `PutMetricAlarm` takes them.
    pub(super) fn alarms(&self, prefix: &str) -> Result<BTreeMap<String, Json>, Error> {
        let all = self.described(prefix)?;
        Ok(all
            .iter()
            .map(|alarm| (alarm.alarm_name().unwrap_or_default().to_owned(), as_put(alarm)))
            .collect())
    }

    /// How those alarms are.
    ///
    /// # Errors
    /// When AWS refuses.
    pub fn alarm_states(&self, prefix: &str) -> Result<BTreeMap<String, AlarmState>, Error> {
        let one = |alarm: &MetricAlarm| {
            let state = alarm.state_value().map_or("", |state| state.as_str()).to_owned();
            let name = alarm.alarm_name().unwrap_or_default().to_owned();
            (name, AlarmState { state, tells: alarm.actions_enabled().unwrap_or(true) })
        };
        Ok(self.described(prefix)?.iter().map(one).collect())
    }

    /// All alarms of the region on WAF's metrics, and whether the list came to its end.
    pub(super) fn all_alarms(&self) -> Result<(Vec<Json>, bool), Error> {
        let all = self.described("")?;
        let is_whole = all.len() < PAGES * 100;
        Ok((all.iter().filter(|alarm| is_on_waf(alarm)).map(as_told).collect(), is_whole))
    }

    fn described(&self, prefix: &str) -> Result<Vec<MetricAlarm>, Error> {
        let mut all = Vec::new();
        let mut token = None;
        for _ in 0..PAGES {
            let sent = self
                .cloudwatch
                .describe_alarms()
                .set_alarm_name_prefix(Some(prefix.to_owned()).filter(|it| !it.is_empty()))
                .max_records(100)
                .set_next_token(token)
                .send();
            let answer = self.runtime.block_on(sent).map_err(|error| {
                Error::of(
                    Said::of(&error),
                    "cloudwatch:DescribeAlarms",
                    &format!("alarm:{prefix}*"),
                )
            })?;
            all.extend(answer.metric_alarms().iter().cloned());
            token = answer.next_token().filter(|token| !token.is_empty()).map(str::to_owned);
            if token.is_none() {
                break;
            }
        }
        Ok(all)
    }

    pub(super) fn put_alarm(&self, alarm: &Json) -> Result<(), Error> {
        let list = |name: &str| -> Vec<String> {
            let all = alarm[name].as_array().into_iter().flatten();
            all.filter_map(Json::as_str).map(str::to_owned).collect()
        };
        let number =
            |name: &str| alarm[name].as_i64().and_then(|number| i32::try_from(number).ok());
        let dimensions = alarm["Dimensions"].as_array().into_iter().flatten();
        let dimensions = dimensions.map(|one| {
            Dimension::builder().name(text(one, "Name")).value(text(one, "Value")).build()
        });
        let name = text(alarm, "AlarmName");
        let sent = self
            .cloudwatch
            .put_metric_alarm()
            .alarm_name(&name)
            .set_alarm_description(
                Some(text(alarm, "AlarmDescription")).filter(|text| !text.is_empty()),
            )
            .actions_enabled(alarm["ActionsEnabled"].as_bool().unwrap_or(true))
            .set_ok_actions(Some(list("OKActions")))
            .set_alarm_actions(Some(list("AlarmActions")))
            .set_insufficient_data_actions(Some(list("InsufficientDataActions")))
            .namespace(text(alarm, "Namespace"))
            .metric_name(text(alarm, "MetricName"))
            .set_dimensions(Some(dimensions.collect()))
            .statistic(Statistic::from(text(alarm, "Statistic").as_str()))
            .set_period(number("Period"))
            .set_evaluation_periods(number("EvaluationPeriods"))
            .set_datapoints_to_alarm(number("DatapointsToAlarm"))
            .set_threshold(alarm["Threshold"].as_f64())
            .comparison_operator(ComparisonOperator::from(
                text(alarm, "ComparisonOperator").as_str(),
            ))
            .set_treat_missing_data(
                Some(text(alarm, "TreatMissingData")).filter(|text| !text.is_empty()),
            )
            .send();
        let resource = format!("alarm:{name}");
        self.runtime
            .block_on(sent)
            .map_err(|error| Error::of(Said::of(&error), "cloudwatch:PutMetricAlarm", &resource))?;
        Ok(())
    }

    pub(super) fn delete_alarm(&self, name: &str) -> Result<(), Error> {
        let sent = self.runtime.block_on(self.cloudwatch.delete_alarms().alarm_names(name).send());
        match sent {
            Ok(_) => Ok(()),
            Err(error) => {
                let error = Error::of(
                    Said::of(&error),
                    "cloudwatch:DeleteAlarms",
                    &format!("alarm:{name}"),
                );
                if error.is_missing() { Ok(()) } else { Err(error) }
            }
        }
    }
}

fn as_put(alarm: &MetricAlarm) -> Json {
    let dimensions: BTreeMap<&str, &str> = alarm
        .dimensions()
        .iter()
        .map(|one| (one.name().unwrap_or_default(), one.value().unwrap_or_default()))
        .collect();
    let dimensions: Vec<Json> =
        dimensions.iter().map(|(name, value)| json!({ "Name": name, "Value": value })).collect();
    json!({
        "AlarmName": alarm.alarm_name(), "AlarmDescription": alarm.alarm_description(),
        "ActionsEnabled": alarm.actions_enabled(),
        "OKActions": alarm.ok_actions(), "AlarmActions": alarm.alarm_actions(),
        "InsufficientDataActions": alarm.insufficient_data_actions(),
        "Namespace": alarm.namespace(), "MetricName": alarm.metric_name(),
        "Dimensions": dimensions, "Statistic": alarm.statistic().map(Statistic::as_str), "Period": alarm.period(),
        "EvaluationPeriods": alarm.evaluation_periods(), "DatapointsToAlarm": alarm.datapoints_to_alarm(),
        "Threshold": alarm.threshold(),
        "ComparisonOperator": alarm.comparison_operator().map(ComparisonOperator::as_str),
        "TreatMissingData": alarm.treat_missing_data(),
    })
}

const NAMESPACE: &str = "AWS/WAFV2";

fn is_on_waf(alarm: &MetricAlarm) -> bool {
    let is = |namespace: Option<&str>| namespace == Some(NAMESPACE);
    let of_query = |query: &MetricDataQuery| {
        is(query.metric_stat().and_then(|it| it.metric()).and_then(|it| it.namespace()))
    };
    is(alarm.namespace()) || alarm.metrics().iter().any(of_query)
}

/// With everything that a figure is made of, which a put of ours does not have.
fn as_told(alarm: &MetricAlarm) -> Json {
    let mut told = as_put(alarm);
    told["AlarmArn"] = json!(alarm.alarm_arn());
    told["ExtendedStatistic"] = json!(alarm.extended_statistic());
    let queries: Vec<Json> = alarm.metrics().iter().map(query).collect();
    if !queries.is_empty() {
        told["Metrics"] = queries.into();
    }
    if let Some(told) = told.as_object_mut() {
        told.retain(|_, value| !value.is_null());
    }
    told
}

fn query(query: &MetricDataQuery) -> Json {
    let stat = query.metric_stat().map(|stat| {
        let metric = stat.metric();
        let dimensions: Vec<Json> = metric
            .map(|it| it.dimensions())
            .unwrap_or_default()
            .iter()
            .map(|one| json!({ "Name": one.name(), "Value": one.value() }))
            .collect();
        json!({
            "Metric": {
                "Namespace": metric.and_then(|it| it.namespace()),
                "MetricName": metric.and_then(|it| it.metric_name()), "Dimensions": dimensions,
            },
            "Period": stat.period(), "Stat": stat.stat(),
        })
    });
    json!({
        "Id": query.id(), "Expression": query.expression(), "MetricStat": stat,
        "ReturnData": query.return_data(),
    })
}
