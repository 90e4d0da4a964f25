//! Which rules an alarm looks at.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::Value;

use super::marker;
use super::model::{Acl, AclKind, Alarm, Deployment, Rule};
use super::shapes::nearest;

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

/// A dimension Rule that holds no metric of a rule.
#[derive(Clone, Copy, Debug)]
pub enum Stray<'a> {
    /// It holds the name of a rule.
    Name(&'a Rule),
    /// No rule of this web ACL has anything to do with it.
    Nothing(&'a Acl),
    /// There is no dimension that a rule's metric could have; this is the web ACL, if it is known.
    Missing(Option<&'a Acl>),
}

/// Dimensions of series below a web ACL (AWS WAF developer guide, "AWS WAF metrics and dimensions").
const BELOW: [&str; 7] =
    ["Rule", "RuleGroup", "LabelNamespace", "ManagedRuleGroup", "Country", "Attack", "Device"];

/// All series of WAF that alarms look at.
#[must_use]
pub fn series(deployment: &Deployment) -> Vec<Series<'_>> {
    matched(deployment, deployment.alarms.iter().flat_map(of_alarm).collect())
}

/// What alarms would look at whose namespace is [`misspelt`], if it were not.
#[must_use]
pub fn misspelt_series(deployment: &Deployment) -> Vec<Series<'_>> {
    let alarms = deployment.alarms.iter().filter(|alarm| misspelt(alarm).is_some());
    matched(deployment, alarms.map(of_metric).collect())
}

fn matched<'a>(deployment: &'a Deployment, mut all: Vec<Series<'a>>) -> Vec<Series<'a>> {
    let index = Index::of(deployment);
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

/// The rules that alarms would watch but for a fault of theirs that another check tells: a namespace that is none,
/// or a dimension Rule with something else in it.
#[must_use]
pub fn meant<'a>(deployment: &'a Deployment, series: &[Series<'a>]) -> Vec<&'a Rule> {
    let watched = watchers(series);
    let strays = series.iter().filter_map(|one| one.meant(deployment, &watched));
    let misspelt = misspelt_series(deployment);
    strays.chain(misspelt.iter().flat_map(Series::covered)).collect()
}

/// The namespace of an alarm with the dimensions of a web ACL, if it is nearly WAF's.
#[must_use]
pub fn misspelt(alarm: &Alarm) -> Option<&str> {
    let namespace = alarm.namespace.as_deref().filter(|it| *it != NAMESPACE)?;
    let letters: String = namespace.chars().filter(char::is_ascii_alphanumeric).collect();
    let is_near = ["WAF", "WAFV2", "AWSWAF", "AWSWAFV2", "AWSWAF2"]
        .iter()
        .any(|one| letters.eq_ignore_ascii_case(one));
    // Classic web ACLs write into `WAF`, and may be meant.
    (is_near && namespace != "WAF" && alarm.dimensions.contains_key("WebACL")).then_some(namespace)
}

/// All alarms on WAF.
pub fn alarms(deployment: &Deployment) -> impl Iterator<Item = &Alarm> {
    deployment.alarms.iter().filter(|alarm| !of_alarm(alarm).is_empty())
}

fn of_alarm(alarm: &Alarm) -> Vec<Series<'_>> {
    let mut found = Vec::new();
    if alarm.namespace.as_deref() == Some(NAMESPACE) {
        found.push(of_metric(alarm));
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

/// The one metric of an alarm without a list of them.
fn of_metric(alarm: &Alarm) -> Series<'_> {
    Series {
        alarm,
        metric: alarm.metric.clone(),
        dimensions: alarm.dimensions.clone(),
        statistic: alarm.raw["Statistic"].clone(),
        named: Named::Missing,
        rules: Vec::new(),
    }
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

    /// The web ACL that its dimensions mean.
    #[must_use]
    pub const fn acl(&self) -> Option<&'a Acl> {
        match self.named {
            Named::This(acl) | Named::Wrongly(acl) => Some(acl),
            _ => None,
        }
    }

    /// The rules that its dimensions mean: all of a web ACL with `ALL`.
    pub fn covered(&self) -> impl Iterator<Item = &'a Rule> + use<'a> {
        let whole = self.acl().filter(|_| self.rule_value() == Some("ALL"));
        let all = whole.into_iter().flat_map(|acl| &acl.rules);
        all.chain(self.rules.clone().into_iter().map(|(_, rule)| rule))
    }

    /// What is wrong with its dimension Rule, if that can be told.
    #[must_use]
    pub fn stray(&self, deployment: &'a Deployment) -> Option<Stray<'a>> {
        let has = |name: &str| self.dimensions.contains_key(name);
        if has("WebACL") && !BELOW.into_iter().any(has) {
            return Some(Stray::Missing(self.acl()));
        }
        let value = self.rule_value()?;
        if matches!(value, "ALL" | "Default_Action") || !self.rules.is_empty() {
            return None;
        }
        let acl = self.acl();
        let is_seen = |it: &&Acl| {
            it.item.input == self.alarm.item.input
                && (it.kind != AclKind::WebAcl || acl.is_none_or(|acl| acl.item == it.item))
        };
        let seen: Vec<&Acl> = deployment.acls.iter().filter(is_seen).collect();
        if let Some(rule) = seen.iter().find_map(|it| it.rule(value)) {
            return rule.metric.is_some().then_some(Stray::Name(rule));
        }
        let is_whole = seen
            .iter()
            .all(|it| it.has_all_rules && it.rules.iter().all(|rule| rule.metric.is_some()));
        // Managed and foreign groups write metrics of their own rules under other dimensions.
        let is_told = is_whole && !self.dimensions.contains_key("RuleGroup");
        acl.filter(|acl| is_told && acl.kind == AclKind::WebAcl).map(Stray::Nothing)
    }

    /// The rule that a stray one is meant to watch: the one that it names, the one with nearly that metric, or the
    /// only rate rule that nobody watches.
    #[must_use]
    pub fn meant(
        &self,
        deployment: &'a Deployment,
        watched: &HashMap<*const Rule, &Self>,
    ) -> Option<&'a Rule> {
        let acl = match self.stray(deployment)? {
            Stray::Name(rule) => return Some(rule),
            Stray::Nothing(acl) => acl,
            Stray::Missing(acl) => acl?,
        };
        let is_free = |rule: &&Rule| {
            rule.rate().is_some() && !watched.contains_key(&std::ptr::from_ref(*rule))
        };
        let free: Vec<&Rule> = acl.rules.iter().filter(is_free).collect();
        let metrics = free.iter().filter_map(|rule| rule.metric.as_deref());
        let near = nearest(self.rule_value().unwrap_or_default(), metrics);
        let only = if let [one] = free[..] { Some(one) } else { None };
        free.into_iter().find(|rule| near.is_some() && rule.metric.as_deref() == near).or(only)
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
