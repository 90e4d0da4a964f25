//! Which rules an alarm looks at.

use std::collections::BTreeMap;

use serde_json::Value;

use super::marker;
use super::model::{Acl, AclKind, Alarm, Deployment, Rule};

/// The namespace of WAF's metrics.
const NAMESPACE: &str = "AWS/WAFV2";

/// One series that an alarm looks at.
#[derive(Clone, Debug)]
pub struct Series<'a> {
    /// The alarm.
    pub alarm: &'a Alarm,
    /// Such as `BlockedRequests`.
    pub metric: Option<String>,
    /// By name: texts, or markers.
    pub dimensions: BTreeMap<String, Value>,
    /// Such as `Sum`.
    pub statistic: Value,
}

/// Which web ACL a dimension names.
#[derive(Clone, Copy, Debug)]
pub enum Named<'a> {
    /// This one, by its name.
    This(&'a Acl),
    /// This one, by something that is not its name.
    Wrongly(&'a Acl),
    /// None of this deployment.
    Nothing,
    /// Nobody knows yet.
    Unknown,
    /// There is no such dimension.
    Missing,
}

/// All series of WAF that alarms look at.
#[must_use]
pub fn series(deployment: &Deployment) -> Vec<Series<'_>> {
    deployment.alarms.iter().flat_map(of_alarm).collect()
}

/// All alarms on WAF.
pub fn alarms(deployment: &Deployment) -> impl Iterator<Item = &Alarm> {
    deployment.alarms.iter().filter(|alarm| !of_alarm(alarm).is_empty())
}

fn of_alarm(alarm: &Alarm) -> Vec<Series<'_>> {
    let mut found = Vec::new();
    if alarm.namespace.as_deref() == Some(NAMESPACE) {
        found.push(Series {
            alarm,
            metric: alarm.metric.clone(),
            dimensions: alarm.dimensions.clone(),
            statistic: alarm.raw["Statistic"].clone(),
        });
    }
    for query in alarm.raw["Metrics"].as_array().into_iter().flatten() {
        // A template has `MetricStat.Metric`, Terraform a block `metric`.
        let (stat, metric) = if query["MetricStat"].is_object() {
            (&query["MetricStat"]["Stat"], &query["MetricStat"]["Metric"])
        } else {
            (&query["Metric"]["Stat"], &query["Metric"])
        };
        if metric["Namespace"].as_str() != Some(NAMESPACE) {
            continue;
        }
        let dimensions = match &metric["Dimensions"] {
            Value::Array(list) => list
                .iter()
                .filter_map(|one| Some((one["Name"].as_str()?.to_owned(), one["Value"].clone())))
                .collect(),
            Value::Object(members) => {
                members.iter().map(|(name, value)| (name.clone(), value.clone())).collect()
            }
            _ => BTreeMap::new(),
        };
        found.push(Series {
            alarm,
            metric: metric["MetricName"].as_str().map(str::to_owned),
            dimensions,
            statistic: stat.clone(),
        });
    }
    found
}

impl<'a> Series<'a> {
    /// `alarm "login"`, to begin a message with.
    #[must_use]
    pub fn title(&self) -> String {
        title(self.alarm)
    }

    /// The web ACL that it names.
    #[must_use]
    pub fn named(&self, deployment: &'a Deployment) -> Named<'a> {
        let Some(value) = self.dimensions.get("WebACL") else { return Named::Missing };
        let acls = || {
            deployment.acls.iter().filter(|acl| {
                acl.kind == AclKind::WebAcl && acl.item.input == self.alarm.item.input
            })
        };
        if let Some((address, attribute)) = marker::resource(value) {
            return match acls().find(|acl| acl.item.address == address) {
                Some(acl) if attribute == "Name" => Named::This(acl),
                Some(acl) => Named::Wrongly(acl),
                None => Named::Unknown,
            };
        }
        let Some(text) = value.as_str() else { return Named::Unknown };
        if let Some(acl) = acls().find(|acl| acl.name.as_deref() == Some(text)) {
            return Named::This(acl);
        }
        if acls().any(|acl| acl.name.is_none()) {
            return Named::Unknown;
        }
        match acls().find(|acl| acl.metric.as_deref() == Some(text)) {
            Some(acl) => Named::Wrongly(acl),
            None => Named::Nothing,
        }
    }

    /// The value of the Rule dimension, if it is known.
    #[must_use]
    pub fn rule_value(&self) -> Option<&str> {
        self.dimensions.get("Rule").and_then(Value::as_str)
    }

    /// Whether all its dimensions are known.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.dimensions.values().all(marker::is_known)
    }

    /// The rules whose metric it names: those of the web ACL that it names, and of rule groups.
    #[must_use]
    pub fn rules(&self, deployment: &'a Deployment) -> Vec<(&'a Acl, &'a Rule)> {
        let Some(metric) = self.rule_value() else { return Vec::new() };
        let only = match self.named(deployment) {
            Named::This(acl) | Named::Wrongly(acl) => Some(&acl.item),
            _ => None,
        };
        let group = self.dimensions.get("RuleGroup");
        deployment
            .acls
            .iter()
            .filter(|acl| acl.item.input == self.alarm.item.input)
            .filter(|acl| acl.kind != AclKind::WebAcl || only.is_none_or(|it| *it == acl.item))
            .filter(|acl| group.is_none() || acl.kind == AclKind::RuleGroup)
            .flat_map(|acl| acl.rules.iter().map(move |rule| (acl, rule)))
            .filter(|(_, rule)| rule.metric.as_deref() == Some(metric))
            .collect()
    }
}

/// `alarm "login"`, to begin a message with.
#[must_use]
pub fn title(alarm: &Alarm) -> String {
    format!("alarm `{}`", alarm.name.as_deref().unwrap_or(&alarm.item.address))
}
