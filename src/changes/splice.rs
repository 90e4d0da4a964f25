//! The bytes of a write: what AWS sent, with only our rules in other places.
//!
//! `UpdateWebACL` replaces the whole web ACL, and a typed client drops what it does not know. So rules and
//! settings of others are texts here, and go back as they came.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use super::error::Refusal;
use super::json::{Members, each_arn, elements, quoted};
use super::live::{Live, LiveAcl, LiveRule};
use super::step::{Change, RuleChange};
use crate::wafv2::{Arn, Scope};

/// Members of the answer that the write takes too (API, `WebACL` and `UpdateWebACL`).
const SETTINGS: [&str; 13] = [
    "DefaultAction",
    "Description",
    "VisibilityConfig",
    "DataProtectionConfig",
    "CaptchaConfig",
    "ChallengeConfig",
    "TokenDomains",
    "AssociationConfig",
    "OnSourceDDoSProtectionConfig",
    "ApplicationConfig",
    "MonetizationConfig",
    "AnalyticsConfig",
    "CustomResponseBodies",
];
/// Members that AWS makes up, and keeps without being told.
const MADE_BY_AWS: [&str; 10] = [
    "Name",
    "Id",
    "ARN",
    "Capacity",
    "LabelNamespace",
    "PreProcessFirewallManagerRuleGroups",
    "PostProcessFirewallManagerRuleGroups",
    "ManagedByFirewallManager",
    "RetrofittedByFirewallManager",
    // Emulators put it inside as well.
    "LockToken",
];
const OF_A_RULE: [&str; 9] = [
    "Name",
    "Priority",
    "Statement",
    "Action",
    "OverrideAction",
    "RuleLabels",
    "VisibilityConfig",
    "CaptchaConfig",
    "ChallengeConfig",
];
const OF_A_RATE: [&str; 6] = [
    "Limit",
    "EvaluationWindowSec",
    "AggregateKeyType",
    "ScopeDownStatement",
    "ForwardedIPConfig",
    "CustomKeys",
];

/// What is done to one rule.
pub(super) enum Edit {
    Put { name: String, text: String },
    Action { name: String, text: String },
    Remove { name: String },
}

impl Edit {
    /// Those of changes, with the ARNs of the sets that are there.
    pub(super) fn of(changes: &[RuleChange], live: &Live) -> Vec<Self> {
        let one = |change: &RuleChange| {
            let name = change.name.clone();
            match change.change {
                Change::Removed => Self::Remove { name },
                Change::Action => {
                    let action = change.rule.get("Action").cloned().unwrap_or_default();
                    Self::Action { name, text: action.to_string() }
                }
                Change::Added | Change::Changed => {
                    let mut rule = change.rule.clone();
                    resolve(&mut rule, live);
                    Self::Put { name, text: rule.to_string() }
                }
            }
        };
        changes.iter().map(one).collect()
    }

    pub(super) fn name(&self) -> &str {
        match self {
            Self::Put { name, .. } | Self::Action { name, .. } | Self::Remove { name } => name,
        }
    }

    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Put { text, .. } | Self::Action { text, .. } => Some(text),
            Self::Remove { .. } => None,
        }
    }
}

fn resolve(json: &mut Json, live: &Live) {
    each_arn(json, &mut |text| {
        let name = Arn(text.clone()).ip_set_name().map(str::to_owned);
        if let Some(set) = name.and_then(|name| live.ip_sets.get(&name)) {
            text.clone_from(&set.arn);
        }
    });
}

/// The rules as texts, those without an edit as they are.
pub(super) fn edited_rules(existing: &[LiveRule], edits: &[Edit]) -> Result<Vec<String>, Refusal> {
    let mut rules: Vec<(Option<i64>, String)> = Vec::new();
    for rule in existing {
        let priority = rule.json["Priority"].as_i64();
        match edits.iter().find(|edit| edit.name() == rule.name) {
            None => rules.push((priority, rule.text.clone())),
            Some(Edit::Remove { .. }) => {}
            Some(Edit::Action { text, .. }) => {
                let fail = |error: serde_json::Error| Refusal::NotReadable(error.to_string());
                let mut members = Members::parse(&rule.text).map_err(fail)?;
                members.set("Action", text.clone());
                rules.push((priority, members.text()));
            }
            Some(Edit::Put { text, .. }) => {
                know_all(rule)?;
                rules.push((priority_of(text), text.clone()));
            }
        }
    }
    for edit in edits {
        let Edit::Put { name, text } = edit else { continue };
        if existing.iter().all(|rule| rule.name != *name) {
            let own = priority_of(text);
            let place =
                rules.iter().position(|(priority, _)| *priority > own).unwrap_or(rules.len());
            rules.insert(place, (own, text.clone()));
        }
    }
    Ok(rules.into_iter().map(|(_, text)| text).collect())
}

fn priority_of(text: &str) -> Option<i64> {
    serde_json::from_str::<Json>(text).ok()?.get("Priority")?.as_i64()
}

/// Refuses to write a rule of ours anew that has more to it than we know.
fn know_all(rule: &LiveRule) -> Result<(), Refusal> {
    let known = |value: Option<&Json>, known: &[&str], at: &str| {
        let members = value.and_then(Json::as_object).into_iter().flatten();
        match members.map(|(name, _)| name).find(|name| !known.contains(&name.as_str())) {
            None => Ok(()),
            Some(name) => Err(Refusal::UnknownMember {
                rule: rule.name.clone(),
                member: format!("{at}{name}"),
            }),
        }
    };
    known(Some(&rule.json), &OF_A_RULE, "")?;
    let rate = rule.json.pointer("/Statement/RateBasedStatement");
    known(rate, &OF_A_RATE, "Statement.RateBasedStatement.")
}

/// What `UpdateWebACL` takes.
///
/// # Errors
/// When anything could get lost.
pub fn update_body(
    live: &Live,
    acl: &LiveAcl,
    scope: Scope,
    changes: &[RuleChange],
    bodies: &BTreeMap<String, Json>,
) -> Result<String, Refusal> {
    let edits = Edit::of(changes, live);
    let rules = edited_rules(&acl.rules, &edits)?;
    let mut out = Members::default();
    out.set("Name", quoted(&acl.name));
    out.set("Scope", quoted(scope.api_name()));
    out.set("Id", quoted(&acl.id));
    for (name, text) in acl.members.iter() {
        if name == "Rules" {
            out.set("Rules", format!("[{}]", rules.join(",")));
        } else if SETTINGS.contains(&name) {
            // AWS sends an empty description, and refuses to take it back.
            if !(name == "Description" && text == "\"\"") {
                out.set(name, text);
            }
        } else if !MADE_BY_AWS.contains(&name) {
            return Err(Refusal::UnknownSetting(name.to_owned()));
        }
    }
    out.set("Rules", format!("[{}]", rules.join(",")));
    if !bodies.is_empty() {
        let fail = |error: serde_json::Error| Refusal::NotReadable(error.to_string());
        let old = out.get("CustomResponseBodies").filter(|text| *text != "null").unwrap_or("{}");
        let mut all = Members::parse(old).map_err(fail)?;
        for (key, body) in bodies {
            match body {
                Json::Null => all.remove(key),
                body => all.set(key, body.to_string()),
            }
        }
        if all.iter().next().is_some() {
            out.set("CustomResponseBodies", all.text());
        } else {
            out.remove("CustomResponseBodies");
        }
    }
    out.set("LockToken", quoted(&acl.lock_token));
    let text = out.text();
    check(acl, &text, &edits, bodies)?;
    Ok(text)
}

/// Compares what is going to be sent with what was read, from the texts alone.
fn check(
    acl: &LiveAcl,
    sent: &str,
    edits: &[Edit],
    bodies: &BTreeMap<String, Json>,
) -> Result<(), Refusal> {
    let lost = |what: &str| Refusal::Lost(what.to_owned());
    let sent = Members::parse(sent).map_err(|_| lost("the web ACL"))?;
    let ours: BTreeSet<&str> = edits.iter().map(Edit::name).collect();
    let name_of = |text: &str| Members::parse(text).ok()?.string("Name");
    let foreign = |text: &String| name_of(text).is_none_or(|name| !ours.contains(name.as_str()));
    let texts =
        |members: &Members| elements(members.get("Rules").unwrap_or("[]")).unwrap_or_default();
    let before: Vec<String> = texts(&acl.members).into_iter().filter(foreign).collect();
    let after: Vec<String> = texts(&sent).into_iter().filter(foreign).collect();
    if before != after {
        let first = before.iter().find(|rule| !after.contains(rule)).and_then(|rule| name_of(rule));
        return Err(lost(&first.unwrap_or_else(|| "the order of the rules".to_owned())));
    }
    for (name, text) in acl.members.iter() {
        let is_spliced = name == "Rules" || name == "CustomResponseBodies" || text == "\"\"";
        if SETTINGS.contains(&name) && !is_spliced && sent.get(name) != Some(text) {
            return Err(lost(name));
        }
    }
    let kept = sent
        .get("CustomResponseBodies")
        .and_then(|text| Members::parse(text).ok())
        .unwrap_or_default();
    match acl
        .bodies()
        .iter()
        .find(|(key, text)| !bodies.contains_key(*key) && kept.get(key) != Some(text))
    {
        Some((key, _)) => Err(lost(key)),
        None => Ok(()),
    }
}

/// What `CreateWebACL` takes: without rules, which follow in an update.
#[must_use]
pub fn create_body(acl: &Json) -> String {
    let mut acl = acl.clone();
    if let Some(members) = acl.as_object_mut() {
        members.remove("CustomResponseBodies");
    }
    acl["Rules"] = serde_json::json!([]);
    acl.to_string()
}
