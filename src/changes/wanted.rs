//! What is to be live: the rules of a policy, or those of an undo file.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use super::error::Refusal;
use crate::rules::{RuleSet, WebAclTarget};
use crate::stack::{Attribute, Resource, Stack, Topic, Value};
use crate::wafv2::Scope;

/// What is to be live.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// Prefix of all names, and who is named as owner in tags.
    pub owner: String,
    /// In front of CloudFront or of something else.
    pub scope: Scope,
    /// Of every call.
    pub region: String,
    /// The web ACL's name.
    pub web_acl: String,
    /// What to make where there is no such web ACL; `None` where it is somebody else's.
    pub new_acl: Option<Json>,
    /// By priority.
    pub rules: Vec<WantedRule>,
    /// Bodies of answers, by key.
    pub bodies: BTreeMap<String, Json>,
    /// By name.
    pub ip_sets: Vec<WantedIpSet>,
    /// As `PutMetricAlarm` takes them.
    pub alarms: Vec<Json>,
    /// What of the policy is not done through the API.
    pub notes: Vec<String>,
}

/// A rule.
#[derive(Clone, Debug, PartialEq)]
pub struct WantedRule {
    /// Its name.
    pub name: String,
    /// All of it; IP sets of ours stand by name in it.
    pub json: Json,
}

/// An IP set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WantedIpSet {
    /// Its name.
    pub name: String,
    /// `IPV4` or `IPV6`.
    pub version: String,
    /// Canonical and sorted.
    pub addresses: Vec<String>,
}

/// The rules as they stand in a web ACL themselves, which is how they are written through the API, also where
/// Terraform would need a rule group of their own.
#[must_use]
pub fn through_the_api(set: &RuleSet) -> RuleSet {
    const FIRST: u32 = 10;
    let mut set = set.clone();
    if let WebAclTarget::Attach(attachment) = &set.web_acl {
        let start = attachment.priority;
        set.rules
            .iter_mut()
            .for_each(|rule| rule.priority = start + rule.priority.saturating_sub(FIRST));
        set.web_acl = WebAclTarget::Create(attachment.web_acl.clone());
    }
    set
}

impl Wanted {
    /// What a stack of [`through_the_api`] wants. `is_own`: the web ACL may be made.
    ///
    /// # Errors
    /// When an alarm would report to a topic that is not there yet.
    pub fn of(stack: &Stack, is_own: bool) -> Result<Self, Refusal> {
        if let (Some(Topic::Made { name }), false) = (&stack.topic, stack.alarms.is_empty()) {
            return Err(Refusal::Topic(name.clone()));
        }
        let mut rules: Vec<WantedRule> = stack
            .rules()
            .map(|rule| WantedRule { name: rule.name.clone(), json: json_of(rule) })
            .collect();
        rules.sort_by_key(|rule| rule.json["Priority"].as_i64());
        let (mut bodies, mut new_acl) = (BTreeMap::new(), None);
        if let crate::stack::Acl::Own(acl) = &stack.acl {
            let mut whole = json_of(acl);
            if let Some(Json::Object(own)) = whole.get("CustomResponseBodies") {
                bodies = own.iter().map(|(key, body)| (key.clone(), body.clone())).collect();
            }
            whole["Rules"] = json!([]);
            new_acl = is_own.then_some(whole);
        }
        let sets = stack.networks.iter().flat_map(|network| &network.sets);
        let ip_sets = sets
            .map(|set| WantedIpSet {
                name: set.name.clone(),
                version: set.ip_address_version.api_name().to_owned(),
                addresses: sorted(set.addresses.iter().map(ToString::to_string)),
            })
            .collect();
        Ok(Self {
            owner: stack.name.clone(),
            scope: stack.home.scope,
            region: stack.home.region.clone(),
            web_acl: stack.acl.web_acl().to_owned(),
            new_acl,
            rules,
            bodies,
            ip_sets,
            alarms: stack.alarms.iter().map(|alarm| alarm_json(stack, alarm)).collect(),
            notes: notes(stack),
        })
    }
}

/// Addresses in the order in which they are compared.
pub(super) fn sorted(addresses: impl Iterator<Item = String>) -> Vec<String> {
    let canonical =
        |text: String| crate::rules::canonical_cidr(&text).map_or(text, |cidr| cidr.to_string());
    let mut all: Vec<String> = addresses.map(canonical).collect();
    all.sort();
    all.dedup();
    all
}

fn alarm_json(stack: &Stack, alarm: &crate::stack::Alarm) -> Json {
    let value = |value: &Value| match value {
        Value::Plain(text) => text.clone(),
        Value::Of(Resource::WebAcl, Attribute::Name) => stack.acl.web_acl().to_owned(),
        Value::Of(..) => String::new(),
    };
    let mut put = alarm.put_metric_alarm(value);
    // By name, as those that are read back (`cloud::live`).
    if let Some(dimensions) = put["Dimensions"].as_array_mut() {
        dimensions.sort_by(|one, other| one["Name"].as_str().cmp(&other["Name"].as_str()));
    }
    put
}

fn notes(stack: &Stack) -> Vec<String> {
    let parts = [
        ("the logging of the web ACL", stack.logging.is_some()),
        ("the dashboard", stack.dashboard.is_some()),
        ("associations with regional resources", !stack.associations.is_empty()),
        ("the guard of the origin", stack.guard.is_some()),
    ];
    let left: Vec<&str> = parts.iter().filter(|(_, there)| *there).map(|(name, _)| *name).collect();
    if left.is_empty() {
        return Vec::new();
    }
    vec![format!("not done here but by what `ratewaf emit` writes: {}", left.join(", "))]
}

fn json_of(shape: impl serde::Serialize) -> Json {
    // A typed shape of ours always becomes JSON.
    serde_json::to_value(shape).unwrap_or_default()
}
