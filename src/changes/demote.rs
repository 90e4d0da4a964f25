//! Another action and nothing else: what `demote` and `promote` do.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use super::capacity::Capacity;
use super::changeset::{ChangeSet, Options, Target};
use super::error::Refusal;
use super::fields::differences;
use super::live::{Live, LiveRule};
use super::meaning::{digest, meaning, mode_of};
use super::step::{Change, Counters, Remembered, RuleChange, Step};
use super::wanted::Wanted;

/// The rules of ours: rate-based, and named like the owner's.
pub(super) fn ours<'a>(live: &'a Live, owner: &str) -> Vec<&'a LiveRule> {
    let prefix = format!("{owner}-");
    let rules = live.acl.iter().flat_map(|acl| &acl.rules);
    rules.filter(|rule| rule.is_rate_based() && rule.name.starts_with(&prefix)).collect()
}

/// Block, challenge and CAPTCHA to count, for the named rules, or all that were written by this program or
/// that the policy has. Alarms follow.
///
/// # Errors
/// When the web ACL is not one that may be written.
pub fn demoted(
    wanted: &Target,
    owner: &str,
    live: &Live,
    names: &[String],
) -> Result<ChangeSet, Refusal> {
    let is_asked = |rule: &&LiveRule| {
        names.contains(&rule.name) || names.is_empty() && live.record(owner, &rule.name).is_some()
    };
    let all = ours(live, owner);
    let chosen: Vec<(String, Json)> = all
        .into_iter()
        .filter(is_asked)
        .map(|rule| (rule.name.clone(), json!({ "Count": {} })))
        .collect();
    let alarms = chosen
        .iter()
        .filter_map(|(rule, _)| {
            let mut alarm = live.alarms.get(&format!("{rule}-over-limit"))?.clone();
            alarm["MetricName"] = json!("CountedRequests");
            let said = alarm["AlarmDescription"].as_str().unwrap_or_default().to_owned();
            let mut said = said;
            for verb in [" were blocked ", " were challenged ", " were given a CAPTCHA "] {
                said = said.replace(verb, " were counted ");
            }
            alarm["AlarmDescription"] = json!(said);
            Some(alarm)
        })
        .collect();
    acted(wanted, owner, live, &chosen, alarms, BTreeMap::new())
}

/// The actions that the policy wants, for the named rules.
pub(super) fn promoted(
    wanted: &Wanted,
    target: &Target,
    live: &Live,
    names: &[String],
) -> Result<ChangeSet, Refusal> {
    let chosen: Vec<(String, Json)> = wanted
        .rules
        .iter()
        .filter(|rule| names.contains(&rule.name))
        .map(|rule| (rule.name.clone(), rule.json["Action"].clone()))
        .collect();
    let is_of_chosen = |alarm: &&Json| {
        chosen.iter().any(|(rule, _)| alarm["AlarmName"] == format!("{rule}-over-limit").as_str())
    };
    let alarms = wanted.alarms.iter().filter(is_of_chosen).cloned().collect();
    let has = live.acl.as_ref().map(super::LiveAcl::bodies).unwrap_or_default();
    let is_missing = |key: &String, body: &Json| {
        has.get(key).and_then(|text| serde_json::from_str::<Json>(text).ok()).as_ref() != Some(body)
    };
    let bodies = wanted.bodies.iter().filter(|(key, body)| is_missing(key, body));
    let bodies = bodies.map(|(key, body)| (key.clone(), body.clone())).collect();
    acted(target, &wanted.owner, live, &chosen, alarms, bodies)
}

fn acted(
    target: &Target,
    owner: &str,
    live: &Live,
    chosen: &[(String, Json)],
    alarms: Vec<Json>,
    bodies: BTreeMap<String, Json>,
) -> Result<ChangeSet, Refusal> {
    let acl = live.acl.as_ref().ok_or_else(|| Refusal::Missing(target.web_acl.clone()))?;
    if acl.is_managed() {
        return Err(Refusal::FirewallManager(acl.name.clone()));
    }
    let names = live.set_names();
    let (mut changes, mut digests) = (Vec::new(), BTreeMap::new());
    for (name, action) in chosen {
        let Some(old) = acl.rule(name) else { continue };
        let mut rule = old.json.clone();
        rule["Action"] = action.clone();
        let (from, to) = (meaning(&old.json, &names), meaning(&rule, &names));
        let fields = differences(&from, &to);
        let (record, mode) = (live.record(owner, name), mode_of(&rule));
        if fields.is_empty() {
            // A run that was cut off wrote the rule, and not yet that it did.
            if record.is_some_and(|record| Some(record.mode) != mode) {
                digests.insert(name.clone(), Remembered { digest: digest(&to), mode, since: None });
            }
            continue;
        }
        // What was edited by hand before stays known as that.
        let digest = match record {
            Some(record) if record.digest != digest(&from) => record.digest,
            _ => digest(&to),
        };
        digests.insert(name.clone(), Remembered { digest, mode, since: None });
        changes.push(RuleChange {
            name: name.clone(),
            change: Change::Action,
            counters: Counters::Survive,
            fields,
            rule,
            taken_over: false,
        });
    }
    let capacity = Capacity::estimate(live, &[], false);
    let mut set = ChangeSet::new(target.clone(), Options::default(), live.digest(), capacity);
    if !changes.is_empty() {
        set.steps.push(Step::UpdateWebAcl { rules: changes, bodies });
    }
    if !digests.is_empty() {
        set.steps.push(Step::Remember { set: None, digests });
    }
    let none = BTreeMap::new();
    for alarm in alarms {
        let name = alarm["AlarmName"].as_str().unwrap_or_default().to_owned();
        let fields = match live.alarms.get(&name) {
            Some(old) => differences(&meaning(old, &none), &meaning(&alarm, &none)),
            None => Vec::new(),
        };
        if !fields.is_empty() || !live.alarms.contains_key(&name) {
            set.steps.push(Step::PutAlarm { name, fields, alarm });
        }
    }
    let is_changed = |rule: &LiveRule| chosen.iter().any(|(name, _)| *name == rule.name);
    let others = acl.rules.iter().filter(|rule| !is_changed(rule));
    set.left_alone = others.map(|rule| rule.name.clone()).collect();
    Ok(set)
}
