//! From resources to the deployment.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Deployment;
use super::acl::{Acl, AclKind, Rule};
use super::around::{
    Alarm, Association, Distribution, IpSet, Logging, Origin, Removed, Resource, TopicPolicy,
};
use super::item::{Change, Found, Item};
use crate::checks::marker;
use crate::wafv2::Scope;

/// Builds the deployment. The ARN that a resource has already stands in its values as `ARN` or `Arn`.
#[must_use]
pub fn build(found: Vec<Found>) -> Deployment {
    let mut deployment = Deployment::default();
    let mut joining = Vec::new();
    for one in found {
        let Found { item, kind, values, before } = one;
        deployment.name(&item);
        if values.is_null() {
            let before = before.unwrap_or_default();
            deployment.removed.push(Removed { item, kind, before });
            continue;
        }
        deployment.resources.push(Resource { item, kind, values, before });
    }
    for resource in &deployment.resources {
        let Resource { item, kind, values, before } = resource;
        let item = item.clone();
        let list = |name: &str| values[name].as_array().cloned().unwrap_or_default();
        match kind.as_str() {
            "AWS::WAFv2::WebACL" => {
                deployment.acls.push(acl(AclKind::WebAcl, resource));
            }
            "AWS::WAFv2::RuleGroup" => deployment.acls.push(acl(AclKind::RuleGroup, resource)),
            "Ratewaf::WebACLRule" => joining.push(resource),
            "AWS::WAFv2::IPSet" => deployment.ip_sets.push(IpSet {
                name: text(values, "Name"),
                scope: scope(values),
                version: text(values, "IPAddressVersion"),
                addresses: addresses(&values["Addresses"]),
                raw: values.clone(),
                before: before.clone(),
                item,
            }),
            "AWS::CloudWatch::Alarm" => deployment.alarms.push(Alarm {
                name: text(values, "AlarmName"),
                namespace: text(values, "Namespace"),
                metric: text(values, "MetricName"),
                dimensions: dimensions(values),
                threshold: values["Threshold"].as_f64(),
                actions: list("AlarmActions"),
                has_actions_enabled: values["ActionsEnabled"].as_bool().unwrap_or(true),
                raw: values.clone(),
                item,
            }),
            "AWS::SNS::TopicPolicy" => deployment.topic_policies.push(TopicPolicy {
                topics: list("Topics"),
                document: values["PolicyDocument"].clone(),
                item,
            }),
            "AWS::WAFv2::LoggingConfiguration" => deployment.loggings.push(Logging {
                web_acl: values["ResourceArn"].clone(),
                destinations: list("LogDestinationConfigs"),
                filter: values["LoggingFilter"].clone(),
                redacted: list("RedactedFields"),
                item,
            }),
            "AWS::WAFv2::WebACLAssociation" => deployment.associations.push(Association {
                web_acl: values["WebACLArn"].clone(),
                resource: values["ResourceArn"].clone(),
                item,
            }),
            "AWS::CloudFront::Distribution" => {
                let config = &values["DistributionConfig"];
                let origins = &config["Origins"];
                let aliases = config["Aliases"].as_array().into_iter().flatten();
                deployment.distributions.push(Distribution {
                    web_acl: config["WebACLId"].clone(),
                    aliases: aliases.filter_map(|one| one.as_str().map(str::to_owned)).collect(),
                    origins: origins.as_array().into_iter().flatten().map(origin).collect(),
                    hides_origins: marker::is_hidden(origins),
                    raw: config.clone(),
                    item,
                });
            }
            _ => {}
        }
    }
    let joined: Vec<(Option<usize>, Rule, Option<Scope>)> = joining
        .into_iter()
        .map(|resource| {
            let arn = &resource.values["WebACLArn"];
            let owner = deployment.web_acl(arn, &resource.item).map(|acl| acl.item.clone());
            let place =
                owner.and_then(|owner| deployment.acls.iter().position(|acl| acl.item == owner));
            let compared = is_compared(resource);
            let rule = rule(
                &resource.values["Rule"],
                resource.before.as_ref().map(|before| before["Rule"].clone()),
                compared,
                resource,
            );
            let global = arn.as_str().map(|arn| arn.contains(":global/"));
            let scope = global.map(|it| if it { Scope::CloudFront } else { Scope::Regional });
            (place, rule, scope)
        })
        .collect();
    for (place, rule, scope) in joined {
        match place {
            Some(place) => deployment.acls[place].rules.push(rule),
            None => deployment.acls.push(Acl {
                item: rule.item.clone(),
                kind: AclKind::Foreign,
                name: None,
                scope,
                metric: None,
                has_all_rules: false,
                is_hidden: false,
                is_from_json: false,
                raw: Value::Null,
                before: None,
                rules: vec![rule],
            }),
        }
    }
    let sets = deployment.ip_sets.clone();
    for acl in &mut deployment.acls {
        acl.rules.sort_by_key(|rule| rule.priority);
        for rule in &mut acl.rules {
            rule.typed = typed(&rule.raw, &sets);
        }
    }
    let of_rates = deployment.rates().flat_map(|(_, rule, rate)| {
        let wants = ["Limit", "EvaluationWindowSec", "AggregateKeyType", "CustomKeys"];
        let parts = wants.map(|member| (member, &rate.raw[member]));
        let parts = parts.into_iter().chain([
            ("ScopeDownStatement", &rate.raw["ScopeDownStatement"]),
            ("Action", &rule.raw["Action"]),
        ]);
        parts.filter_map(|(member, value)| not_seen(rule, member, value)).collect::<Vec<_>>()
    });
    deployment.blind = deployment.acls.iter().flat_map(unseen_rules).chain(of_rates).collect();
    deployment
}

/// Rules of which nothing, or not even what they are about, is known.
fn unseen_rules(acl: &Acl) -> Vec<(Item, String)> {
    let mut unseen = Vec::new();
    let title = acl.title();
    match &acl.raw["Rules"] {
        Value::Null => {}
        Value::Array(rules) => {
            let rules = rules.iter().filter(|rule| !rule.is_object() || !marker::is_known(rule));
            unseen.extend(rules.filter_map(|rule| {
                Some((
                    acl.item.clone(),
                    match what_for(rule) {
                        Some(what) => format!("a rule of {title} is {what}"),
                        None if marker::undeclared_name(rule).is_some() => return None,
                        None => format!(
                            "a rule of {title} is `{}`, which is no rule",
                            short(&rule.to_string())
                        ),
                    },
                ))
            }));
        }
        rules => match what_for(rules) {
            Some(what) => {
                unseen.push((acl.item.clone(), format!("the rules of {title} are {what}")))
            }
            None if marker::undeclared_name(rules).is_some() => {}
            None => {
                let what = short(&rules.to_string());
                let what = format!("the rules of {title} are `{what}`, which is no list of rules");
                unseen.push((acl.item.clone(), what));
            }
        },
    }
    for rule in &acl.rules {
        unseen.extend(not_seen(rule, "Statement", &rule.raw["Statement"]));
        for (kind, inner) in rule.raw["Statement"].as_object().into_iter().flatten() {
            unseen.extend(not_seen(rule, kind, inner));
        }
    }
    unseen
}

/// A member of a rule that has no value yet.
fn not_seen(rule: &Rule, member: &str, value: &Value) -> Option<(Item, String)> {
    let what = what_for(value)?;
    Some((rule.item.clone(), format!("the {member} of {} is {what}", rule.title())))
}

/// What stands for a value that is not known. What nobody declares is a finding.
fn what_for(value: &Value) -> Option<String> {
    match marker::expression(value) {
        Some(_) if marker::undeclared_name(value).is_some() => None,
        Some(expression) => Some(match marker::why(value) {
            Some(why) => format!("`{}`, which is not read: {why}", short(expression)),
            None => format!("`{}`, which has no value here", short(expression)),
        }),
        None => marker::is_hidden(value).then(|| "sensitive".to_owned()),
    }
}

/// The beginning of an expression: a text with a value in it may have many lines.
fn short(expression: &str) -> String {
    const MOST: usize = 100;
    let mut lines = expression.trim().lines();
    let first = lines.next().unwrap_or_default();
    let mut shown: String = first.chars().take(MOST).collect();
    if shown.len() < first.len() || lines.next().is_some() {
        shown.push('…');
    }
    shown
}

impl Deployment {
    /// Notes the input that an item is of.
    pub fn name(&mut self, item: &Item) {
        let is_there = |one: &Item| one.input == item.input && one.environment == item.environment;
        if !self.inputs.iter().any(is_there) {
            self.inputs.push(Item {
                address: item.input.clone(),
                file: None,
                region: None,
                change: Change::NotTold,
                ..item.clone()
            });
        }
    }
}

fn is_compared(resource: &Resource) -> bool {
    resource.before.is_some() || resource.item.change == Change::Create
}

fn text(values: &Value, name: &str) -> Option<String> {
    values[name].as_str().map(str::to_owned)
}

fn scope(values: &Value) -> Option<Scope> {
    serde_json::from_value(values["Scope"].clone()).ok()
}

fn acl(kind: AclKind, resource: &Resource) -> Acl {
    let Resource { item, values, before, .. } = resource;
    let had = |name: &Value| {
        let rules = before.as_ref()?["Rules"].as_array()?;
        rules.iter().find(|rule| name.is_string() && rule["Name"] == *name).cloned()
    };
    let rules = values["Rules"].as_array();
    Acl {
        kind,
        name: text(values, "Name"),
        scope: scope(values),
        metric: text(&values["VisibilityConfig"], "MetricName"),
        has_all_rules: rules.is_some() && values["$incomplete"] != true,
        is_hidden: marker::is_hidden(&values["Rules"]),
        is_from_json: values["$json"] == true,
        rules: rules
            .into_iter()
            .flatten()
            .map(|raw| rule(raw, had(&raw["Name"]), is_compared(resource), resource))
            .collect(),
        raw: values.clone(),
        before: before.clone(),
        item: item.clone(),
    }
}

fn rule(raw: &Value, before: Option<Value>, is_compared: bool, resource: &Resource) -> Rule {
    Rule {
        item: resource.item.clone(),
        name: text(raw, "Name"),
        priority: raw["Priority"].as_i64(),
        metric: text(&raw["VisibilityConfig"], "MetricName"),
        raw: raw.clone(),
        before,
        is_compared,
        typed: None,
    }
}

/// In our types, with stand-ins for sets of this deployment and for secrets.
fn typed(raw: &Value, sets: &[IpSet]) -> Option<crate::wafv2::Rule> {
    let mut raw = raw.clone();
    stand_in(&mut raw, sets);
    serde_json::from_value(raw).ok()
}

fn stand_in(value: &mut Value, sets: &[IpSet]) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(|one| stand_in(one, sets)),
        Value::Object(members) => {
            for (name, value) in members {
                let set = marker::resource(value)
                    .and_then(|(address, _)| sets.iter().find(|set| set.item.address == address));
                match (name.as_str(), set) {
                    ("ARN", Some(set)) => {
                        let name = set.name.as_deref().unwrap_or(&set.item.address);
                        *value = Value::String(format!("ip-set:{name}"));
                    }
                    ("SearchString", _)
                        if marker::is_hidden(value) || marker::is_unknown(value) =>
                    {
                        *value = Value::String("secret:unknown".to_owned());
                    }
                    _ => stand_in(value, sets),
                }
            }
        }
        _ => {}
    }
}

fn addresses(list: &Value) -> Option<Vec<String>> {
    list.as_array()?.iter().map(|one| one.as_str().map(str::to_owned)).collect()
}

fn dimensions(values: &Value) -> BTreeMap<String, Value> {
    let list = values["Dimensions"].as_array().into_iter().flatten();
    list.filter_map(|one| Some((one["Name"].as_str()?.to_owned(), one["Value"].clone()))).collect()
}

fn origin(raw: &Value) -> Origin {
    let headers = raw["OriginCustomHeaders"].as_array().into_iter().flatten();
    let mut shown = raw.clone();
    if let Some(Value::Array(headers)) = shown.get_mut("OriginCustomHeaders") {
        for header in headers {
            header["HeaderValue"] = marker::hidden();
        }
    }
    Origin {
        id: text(raw, "Id"),
        domain: raw["DomainName"].clone(),
        headers: headers
            .filter_map(|one| one["HeaderName"].as_str().map(str::to_ascii_lowercase))
            .collect(),
        raw: shown,
    }
}
