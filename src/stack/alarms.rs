//! One alarm per rule, and the topic they report to.

use serde_json::{Value as Json, json};

use super::acl::Acl;
use super::reference::{Attribute, Resource, Value};
use super::{Error, Given};
use crate::rules::{Action, AlarmedRules, Alarms, RateRule, Role};
use crate::units::count;
use crate::wafv2::Scope;

/// Where alarms report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Topic {
    /// To a topic that is there, by its ARN.
    Given(String),
    /// To a topic of this name that is made, and whose policy lets CloudWatch publish for alarms of
    /// this account only. It has no subscriptions of its own.
    Made {
        /// Its name.
        name: String,
    },
}

impl Topic {
    /// Its ARN.
    #[must_use]
    pub fn arn(&self) -> Value {
        match self {
            Self::Given(arn) => Value::plain(arn),
            Self::Made { .. } => Value::arn(Resource::Topic),
        }
    }
}

/// A metric of AWS WAF, in the namespace [`WafMetric::NAMESPACE`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WafMetric {
    /// Such as `BlockedRequests`.
    pub name: &'static str,
    /// In the order in which they are written.
    pub dimensions: Vec<Dimension>,
}

/// A dimension of a metric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dimension {
    /// Such as `WebACL`.
    pub name: &'static str,
    /// Its value.
    pub value: Value,
}

impl WafMetric {
    /// The namespace of all of them.
    pub const NAMESPACE: &'static str = "AWS/WAFV2";
}

/// An alarm: Sum, one period, one datapoint, greater than the threshold, missing data not breaching
/// (WAF sends a figure only when there is something to count); it tells the topic of its beginning and
/// of its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alarm {
    /// The rule that it looks at.
    pub rule: String,
    /// Its name, which says nothing about the action: going from count to block keeps the alarm.
    pub name: String,
    /// What it means, for people in the console.
    pub description: String,
    /// What it looks at.
    pub metric: WafMetric,
    /// Seconds.
    pub period: u32,
    /// It fires above this number of requests per period.
    pub threshold: u32,
    /// Whether it tells anybody.
    pub actions_enabled: bool,
    /// The topic.
    pub topic: Value,
    /// Until when it tells nobody, and why.
    pub about: Option<String>,
}

impl Alarm {
    /// What CloudWatch's `PutMetricAlarm` takes; `text` writes values that only the deployed stack knows.
    #[must_use]
    pub fn put_metric_alarm(&self, text: impl Fn(&Value) -> String) -> Json {
        let metric = &self.metric;
        let dimension = |one: &Dimension| json!({ "Name": one.name, "Value": text(&one.value) });
        let dimensions: Vec<Json> = metric.dimensions.iter().map(dimension).collect();
        json!({
            "AlarmName": self.name, "AlarmDescription": self.description,
            "ActionsEnabled": self.actions_enabled,
            "OKActions": [text(&self.topic)], "AlarmActions": [text(&self.topic)],
            "Namespace": WafMetric::NAMESPACE, "MetricName": metric.name,
            "Dimensions": dimensions, "Statistic": "Sum", "Period": self.period,
            "EvaluationPeriods": 1, "DatapointsToAlarm": 1, "Threshold": self.threshold,
            "ComparisonOperator": "GreaterThanThreshold", "TreatMissingData": "notBreaching",
        })
    }
}

/// Seconds of an alarm's period; WAF sends a figure a minute.
const PERIOD: u32 = 300;

pub(super) fn topic(given: &Given<'_>) -> Result<Option<Topic>, Error> {
    let Some(alarms) = &given.set.alarms else { return Ok(None) };
    match &alarms.topic_arn {
        Some(arn) => {
            check(arn, &given.home.region)?;
            Ok(Some(Topic::Given(arn.clone())))
        }
        None => Ok(Some(Topic::Made { name: format!("{}-alarms", given.set.name) })),
    }
}

/// Refuses a topic that these alarms cannot report to: an alarm notifies topics of its own Region
/// only, and the metrics of a web ACL for CloudFront are in us-east-1.
fn check(arn: &str, home: &str) -> Result<(), Error> {
    let refused =
        |reason: &str| Err(Error::Topic { arn: arn.to_owned(), reason: reason.to_owned() });
    let parts: Vec<&str> = arn.split(':').collect();
    let [start, partition, service, region, account, name] = parts.as_slice() else {
        return refused("it is no ARN of a topic, like arn:aws:sns:us-east-1:123456789012:alerts");
    };
    let is_word = |text: &str| {
        !text.is_empty()
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
    };
    let is_account = account.len() == 12 && account.bytes().all(|byte| byte.is_ascii_digit());
    if *start != "arn" || !is_word(partition) || *service != "sns" || !is_account {
        return refused("it is no ARN of a topic, like arn:aws:sns:us-east-1:123456789012:alerts");
    }
    if !is_word(name.strip_suffix(".fifo").unwrap_or(name)) {
        return refused("the topic's name has characters that SNS does not take");
    }
    if *region != home {
        return refused(&format!("an alarm of this web ACL can only use a topic in {home}"));
    }
    Ok(())
}

pub(super) fn build(given: &Given<'_>, acl: &Acl, topic: Option<&Topic>) -> Vec<Alarm> {
    let (Some(alarms), Some(topic)) = (&given.set.alarms, topic) else {
        return Vec::new();
    };
    let is_alarmed = |rule: &&&RateRule| {
        let counts = alarms.on == AlarmedRules::All || rule.action == Action::Count;
        counts && (!alarms.on_second || rule.role != Role::Main)
    };
    given
        .rules
        .iter()
        .filter(is_alarmed)
        .map(|rule| alarm(rule, alarms, metric(given, acl, rule), topic))
        .collect()
}

fn alarm(rule: &RateRule, alarms: &Alarms, metric: WafMetric, topic: &Topic) -> Alarm {
    let requests = match alarms.threshold {
        0 => "Requests".to_owned(),
        some => format!("More than {}", count(some.into(), "request", "requests")),
    };
    let description = format!(
        "{requests} over the limit of {} were {} within 5 minutes",
        rule.name,
        done(&rule.action)
    );
    Alarm {
        rule: rule.name.clone(),
        name: format!("{}-over-limit", rule.name),
        description,
        metric,
        period: PERIOD,
        threshold: alarms.threshold,
        actions_enabled: alarms.off.is_none(),
        topic: topic.arn(),
        about: alarms
            .off
            .as_ref()
            .map(|off| format!("Tells nobody until the end of {}: {}", off.until, off.reason)),
    }
}

const fn done(action: &Action) -> &'static str {
    match action {
        Action::Block => "blocked",
        Action::Count => "counted",
        Action::Challenge => "challenged",
        Action::Captcha => "given a CAPTCHA",
    }
}

/// What a rule does, as a metric. A web ACL for CloudFront has metrics without a Region dimension,
/// every other one has it; a rule in a group has the group in place of the web ACL (guide,
/// "waf-metrics").
pub(super) fn metric(given: &Given<'_>, acl: &Acl, rule: &RateRule) -> WafMetric {
    let name = match rule.action {
        Action::Block => "BlockedRequests",
        Action::Count => "CountedRequests",
        Action::Challenge => "ChallengeRequests",
        Action::Captcha => "CaptchaRequests",
    };
    let first = match acl.group_of(&rule.name) {
        Some(group) => Dimension {
            name: "RuleGroup",
            value: Value::Of(Resource::RuleGroup(group.name.clone()), Attribute::Name),
        },
        None => Dimension { name: "WebACL", value: Value::Of(Resource::WebAcl, Attribute::Name) },
    };
    let mut dimensions = vec![first];
    if given.home.scope == Scope::Regional {
        dimensions.push(Dimension { name: "Region", value: Value::plain(&given.home.region) });
    }
    dimensions.push(Dimension { name: "Rule", value: Value::plain(&rule.name) });
    WafMetric { name, dimensions }
}
