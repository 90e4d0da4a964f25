//! Which rules an alarm looks at.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::Value;

use super::marker;
use super::model::{Acl, AclKind, Alarm, Deployment, Rule};

/// The namespace of WAF's metrics.
pub const NAMESPACE: &str = "AWS/WAFV2";

/// Metrics in that namespace (AWS WAF developer guide, "AWS WAF metrics and dimensions").
pub const METRICS: [&str; 17] = [
    "AllowedRequests",
    "BlockedRequests",
    "CountedRequests",
    "CaptchaRequests",
    "RequestsWithValidCaptchaToken",
    "CaptchasAttempted",
    "CaptchasAttemptedSdk",
    "CaptchasSolved",
    "CaptchasSolvedSdk",
    "ChallengeRequests",
    "RequestsWithValidChallengeToken",
    "PassedRequests",
    "SampleAllowedRequest",
    "SampleBlockedRequest",
    "SampleCaptchaRequest",
    "SampleChallengeRequest",
    "SampleCountRequest",
];

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
    /// The web ACL that it names.
    pub named: Named<'a>,
    /// The rules whose metric it names: those of the web ACL that it names, and of rule groups.
    pub rules: Vec<(&'a Acl, &'a Rule)>,
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
    let index = Index::of(deployment);
    let mut all: Vec<Series<'_>> = deployment.alarms.iter().flat_map(of_alarm).collect();
    for one in &mut all {
        one.named = index.named(one);
        one.rules = index.rules(one);
    }
    all
}

/// Names to what has them: large deployments have thousands of alarms and rules.
struct Index<'a> {
    acls: HashMap<(&'a str, &'a str), &'a Acl>,
    names: HashMap<(&'a str, &'a str), &'a Acl>,
    metrics: HashMap<(&'a str, &'a str), &'a Acl>,
    /// Inputs with a web ACL whose name is not known.
    nameless: HashSet<&'a str>,
    rules: HashMap<(&'a str, &'a str), Vec<(&'a Acl, &'a Rule)>>,
}

impl<'a> Index<'a> {
    fn of(deployment: &'a Deployment) -> Self {
        let mut index = Self {
            acls: HashMap::new(),
            names: HashMap::new(),
            metrics: HashMap::new(),
            nameless: HashSet::new(),
            rules: HashMap::new(),
        };
        for acl in &deployment.acls {
            let input = acl.item.input.as_str();
            for rule in &acl.rules {
                if let Some(metric) = rule.metric.as_deref() {
                    index.rules.entry((input, metric)).or_default().push((acl, rule));
                }
            }
            if acl.kind != AclKind::WebAcl {
                continue;
            }
            index.acls.entry((input, acl.item.address.as_str())).or_insert(acl);
            if let Some(metric) = acl.metric.as_deref() {
                index.metrics.entry((input, metric)).or_insert(acl);
            }
            match acl.name.as_deref() {
                Some(name) => {
                    index.names.entry((input, name)).or_insert(acl);
                }
                None => {
                    index.nameless.insert(input);
                }
            }
        }
        index
    }

    fn named(&self, series: &Series<'a>) -> Named<'a> {
        let input = series.alarm.item.input.as_str();
        let Some(value) = series.dimensions.get("WebACL") else { return Named::Missing };
        if let Some((address, attribute)) = marker::resource(value) {
            return match self.acls.get(&(input, address)) {
                Some(acl) if attribute == "Name" => Named::This(acl),
                Some(acl) => Named::Wrongly(acl),
                None => Named::Unknown,
            };
        }
        let Some(text) = value.as_str() else { return Named::Unknown };
        if let Some(acl) = self.names.get(&(input, text)) {
            return Named::This(acl);
        }
        if self.nameless.contains(input) {
            return Named::Unknown;
        }
        self.metrics.get(&(input, text)).map_or(Named::Nothing, |acl| Named::Wrongly(acl))
    }

    fn rules(&self, series: &Series<'a>) -> Vec<(&'a Acl, &'a Rule)> {
        let Some(metric) = series.rule_value() else { return Vec::new() };
        let only = match series.named {
            Named::This(acl) | Named::Wrongly(acl) => Some(acl),
            _ => None,
        };
        let is_group = series.dimensions.contains_key("RuleGroup");
        let all = self.rules.get(&(series.alarm.item.input.as_str(), metric));
        let fits = |acl: &Acl| {
            let is_meant =
                acl.kind != AclKind::WebAcl || only.is_none_or(|it| std::ptr::eq(it, acl));
            is_meant && (!is_group || acl.kind == AclKind::RuleGroup)
        };
        all.into_iter().flatten().filter(|(acl, _)| fits(acl)).copied().collect()
    }
}

/// The first series that looks at each rule.
#[must_use]
pub fn watchers<'s, 'a>(series: &'s [Series<'a>]) -> HashMap<*const Rule, &'s Series<'a>> {
    let mut found = HashMap::new();
    for one in series {
        for (_, rule) in &one.rules {
            found.entry(std::ptr::from_ref(*rule)).or_insert(one);
        }
    }
    found
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
            named: Named::Missing,
            rules: Vec::new(),
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
            named: Named::Missing,
            rules: Vec::new(),
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

    /// The value of the Rule dimension, if it is known.
    #[must_use]
    pub fn rule_value(&self) -> Option<&str> {
        self.dimensions.get("Rule").and_then(Value::as_str)
    }

    /// Its metric, if that is a name which WAF does not write.
    #[must_use]
    pub fn no_metric(&self) -> Option<&str> {
        self.metric.as_deref().filter(|metric| !METRICS.contains(metric))
    }

    /// Whether all its dimensions are known.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.dimensions.values().all(marker::is_known)
    }

    /// Whether it looks at this rule.
    #[must_use]
    pub fn watches(&self, rule: &Rule) -> bool {
        self.rules.iter().any(|(_, it)| std::ptr::eq(*it, rule))
    }
}

/// `alarm "login"`, to begin a message with.
#[must_use]
pub fn title(alarm: &Alarm) -> String {
    format!("alarm `{}`", alarm.name.as_deref().unwrap_or(&alarm.item.address))
}
