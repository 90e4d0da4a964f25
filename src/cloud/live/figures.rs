//! What AWS counted: metrics, clients over a limit, samples.

use std::collections::{BTreeMap, BTreeSet};

use aws_sdk_cloudwatch::primitives::DateTime;
use aws_sdk_cloudwatch::types::{Dimension, DimensionFilter, Metric, MetricDataQuery, MetricStat};
use serde_json::{Value as Json, json};

use super::account::Account;
use super::error::{Error, Said};
use super::read::{parse, text};
use super::wire::call;
use crate::units::Timestamp;
use crate::wafv2::Scope;

/// Of which rule.
#[derive(Clone, Debug)]
pub struct Question {
    /// In front of what.
    pub scope: Scope,
    /// Such as `us-east-1`: a dimension of regional metrics.
    pub region: String,
    /// The web ACL's name.
    pub web_acl: String,
    /// Its id.
    pub id: String,
    /// Its ARN.
    pub arn: String,
    /// The rule.
    pub rule: String,
    /// Its metric's name.
    pub metric: String,
    /// From when.
    pub from: Timestamp,
    /// To when.
    pub to: Timestamp,
}

/// What AWS counted.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// Requests by what was done with them: `CountedRequests`.
    pub requests: BTreeMap<&'static str, u64>,
    /// Whether there is such a metric with these dimensions at all, in the last two weeks.
    pub has_metric: bool,
    /// Clients over the limit now; `None`: AWS does not tell for the rule's key.
    pub over_limit: Option<BTreeSet<String>>,
    /// Clients of sampled requests, of the last three hours at most.
    pub sampled: BTreeSet<String>,
}

/// How an alarm is.
#[derive(Clone, Debug)]
pub struct AlarmState {
    /// `OK`, `ALARM` or `INSUFFICIENT_DATA`.
    pub state: String,
    /// Whether it tells anybody.
    pub tells: bool,
}

const METRICS: [&str; 4] =
    ["CountedRequests", "BlockedRequests", "ChallengeRequests", "CaptchaRequests"];
/// Most that `GetSampledRequests` gives, and how far back it goes, in seconds.
const SAMPLES: u32 = 500;
const SAMPLED: i64 = 3 * 3_600;
/// Seconds of a point; 15 days of them fit into an answer, and CloudWatch keeps them.
const PERIOD: i32 = 3_600;

impl Account {
    /// What AWS counted of a rule.
    ///
    /// # Errors
    /// When AWS refuses.
    pub fn figures(&self, question: &Question) -> Result<Figures, Error> {
        let (requests, has_metric) = (self.requests(question)?, self.has_metric(question)?);
        let over_limit = self.over_limit(question)?;
        Ok(Figures { requests, has_metric, over_limit, sampled: self.sampled(question)? })
    }

    fn requests(&self, question: &Question) -> Result<BTreeMap<&'static str, u64>, Error> {
        let queries = METRICS.iter().zip(0..).map(|(name, number)| {
            let metric = Metric::builder()
                .namespace("AWS/WAFV2")
                .metric_name(*name)
                .set_dimensions(Some(dimensions(question)))
                .build();
            let stat = MetricStat::builder().metric(metric).period(PERIOD).stat("Sum").build();
            MetricDataQuery::builder()
                .id(format!("m{number}"))
                .metric_stat(stat)
                .return_data(true)
                .build()
        });
        let queries: Vec<_> = queries.collect();
        let mut sums = BTreeMap::new();
        let mut token = None;
        loop {
            let sent = self
                .cloudwatch
                .get_metric_data()
                .set_metric_data_queries(Some(queries.clone()))
                .start_time(DateTime::from_secs(question.from.0.div_euclid(3_600) * 3_600))
                .end_time(DateTime::from_secs(question.to.0))
                .set_next_token(token.clone())
                .send();
            let answer = self
                .runtime
                .block_on(sent)
                .map_err(|error| Error::of(Said::of(&error), "cloudwatch:GetMetricData", "*"))?;
            for result in answer.metric_data_results() {
                let number = result.id().and_then(|id| id.strip_prefix('m')?.parse::<usize>().ok());
                let Some(name) = number.and_then(|number| METRICS.get(number)) else { continue };
                let sum: f64 = result.values().iter().sum();
                if sum > 0.0 {
                    *sums.entry(*name).or_insert(0) += sum as u64;
                }
            }
            let next = answer.next_token().filter(|next| !next.is_empty()).map(str::to_owned);
            // An answer whose next page is the one that was asked for has no next page.
            if next.is_none() || next == token {
                return Ok(sums);
            }
            token = next;
        }
    }

    fn has_metric(&self, question: &Question) -> Result<bool, Error> {
        let filters = dimensions(question).into_iter().map(|one| {
            DimensionFilter::builder()
                .name(one.name().unwrap_or_default())
                .set_value(one.value().map(str::to_owned))
                .build()
        });
        let sent = self
            .cloudwatch
            .list_metrics()
            .namespace("AWS/WAFV2")
            .set_dimensions(Some(filters.collect()))
            .send();
        let answer = self
            .runtime
            .block_on(sent)
            .map_err(|error| Error::of(Said::of(&error), "cloudwatch:ListMetrics", "*"))?;
        Ok(!answer.metrics().is_empty())
    }

    fn over_limit(&self, question: &Question) -> Result<Option<BTreeSet<String>>, Error> {
        let body = json!({
            "Scope": question.scope.api_name(), "WebACLName": question.web_acl, "WebACLId": question.id,
            "RuleName": question.rule,
        });
        let action = "wafv2:GetRateBasedStatementManagedKeys";
        let answer = call!(
            self,
            get_rate_based_statement_managed_keys,
            "wafv2:GetRateBasedStatementManagedKeys",
            &question.arn,
            body.to_string()
        );
        let answer = match answer {
            Err(error) if error.is_unsupported() => return Ok(None),
            other => parse(&other?, action)?,
        };
        let lists =
            ["ManagedKeysIPV4", "ManagedKeysIPV6"].map(|name| answer[name]["Addresses"].clone());
        let all = lists.iter().filter_map(Json::as_array).flatten().filter_map(Json::as_str);
        Ok(Some(all.map(without_prefix).collect()))
    }

    fn sampled(&self, question: &Question) -> Result<BTreeSet<String>, Error> {
        let from = question.from.0.max(question.to.0 - SAMPLED);
        let body = json!({
            "WebAclArn": question.arn, "RuleMetricName": question.metric, "Scope": question.scope.api_name(),
            "TimeWindow": { "StartTime": from, "EndTime": question.to.0 }, "MaxItems": SAMPLES,
        });
        let answer = call!(
            self,
            get_sampled_requests,
            "wafv2:GetSampledRequests",
            &question.arn,
            body.to_string()
        )?;
        let answer = parse(&answer, "wafv2:GetSampledRequests")?;
        let all = answer["SampledRequests"].as_array().into_iter().flatten();
        Ok(all
            .map(|one| text(&one["Request"], "ClientIP"))
            .filter(|client| !client.is_empty())
            .collect())
    }
}

/// `192.0.2.1` of `192.0.2.1/32`.
fn without_prefix(text: &str) -> String {
    text.split('/').next().unwrap_or(text).to_owned()
}

/// A web ACL for CloudFront has metrics without a Region (guide, "waf-metrics").
fn dimensions(question: &Question) -> Vec<Dimension> {
    let one = |name: &str, value: &str| Dimension::builder().name(name).value(value).build();
    let mut all = vec![one("WebACL", &question.web_acl), one("Rule", &question.metric)];
    if question.scope == Scope::Regional {
        all.push(one("Region", &question.region));
    }
    all
}
