//! What is wanted against what is live.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use super::capacity::Capacity;
use super::changeset::{ChangeSet, Drift, Options, Target};
use super::error::Refusal;
use super::fields::{Field, differences};
use super::live::{Live, LiveRule};
use super::meaning::{digest, meaning, mode_of};
use super::record::{SET_TAG, key_of};
use super::step::{Change, Counters, Remembered, RuleChange, Step};
use super::wanted::{Wanted, WantedIpSet, sorted};
use crate::quotas;

/// Works out what has to be done.
///
/// # Errors
/// When the web ACL is not one that may be written, or the rules have no place in it.
pub fn compare(wanted: &Wanted, live: &Live, options: Options) -> Result<ChangeSet, Refusal> {
    let mut work = Work { wanted, live, options, drift: Vec::new(), notes: wanted.notes.clone() };
    work.admit()?;
    let mut steps = work.ip_sets()?;
    if live.acl.is_none() {
        let acl = wanted.new_acl.clone().ok_or_else(|| Refusal::Missing(wanted.web_acl.clone()))?;
        steps.push(Step::CreateWebAcl { acl });
    }
    let makes_acl = live.acl.is_none();
    let changes = work.rules()?;
    let bodies = work.bodies();
    let capacity = Capacity::estimate(live, &changes, makes_acl);
    if capacity.rate_rules_after > capacity.rate_rules_allowed && !changes.is_empty() {
        return Err(Refusal::Slots(capacity.rate_rules_after, quotas::RATE_RULES_PER_WEB_ACL));
    }
    let sets_to_drop = work.sets_to_drop(&changes);
    let remembered = work.remembered(&changes);
    let forgotten = work.forgotten(&changes);
    if !changes.is_empty() || !bodies.is_empty() {
        steps.push(Step::UpdateWebAcl { rules: changes, bodies });
    }
    if !remembered.is_empty() {
        steps.push(Step::Remember { set: None, digests: remembered });
    }
    // The records of rules go after their alarms, which nobody would know to be ours without them.
    steps.extend(work.alarms());
    if !forgotten.is_empty() {
        steps.push(Step::Forget { rules: forgotten });
    }
    steps.extend(sets_to_drop);
    if let Some(step) = work.association()? {
        steps.push(step);
    }
    let ours: BTreeSet<&str> = wanted.rules.iter().map(|rule| rule.name.as_str()).collect();
    let left_alone = live.acl.iter().flat_map(|acl| &acl.rules).map(|rule| rule.name.clone());
    let changed = |name: &String| {
        steps.iter().any(|step| {
            matches!(step, Step::UpdateWebAcl { rules, .. } if rules.iter().any(|rule| rule.name == *name))
        })
    };
    let left_alone =
        left_alone.filter(|name| !ours.contains(name.as_str()) && !changed(name)).collect();
    let target = Target {
        web_acl: wanted.web_acl.clone(),
        arn: live.acl.as_ref().map(|acl| acl.arn.clone()),
        scope: wanted.scope.api_name().to_owned(),
        region: wanted.region.clone(),
        distribution: live.distribution.as_ref().map(|one| one.id.clone()),
    };
    let mut set = ChangeSet::new(target, options, live.digest(), capacity);
    set.steps = steps;
    set.left_alone = left_alone;
    set.drift = work.drift;
    set.notes = work.notes;
    Ok(set)
}

struct Work<'a> {
    wanted: &'a Wanted,
    live: &'a Live,
    options: Options,
    drift: Vec<Drift>,
    notes: Vec<String>,
}

impl Work<'_> {
    fn admit(&self) -> Result<(), Refusal> {
        let Some(acl) = &self.live.acl else { return Ok(()) };
        if acl.is_managed() {
            return Err(Refusal::FirewallManager(acl.name.clone()));
        }
        let group = format!("rulegroup/{}-limits", self.wanted.owner);
        let grouped = |rule: &&LiveRule| {
            let arn = rule
                .json
                .pointer("/Statement/RuleGroupReferenceStatement/ARN")
                .and_then(Json::as_str);
            arn.is_some_and(|arn| {
                arn.contains(&format!("{group}/")) || arn.contains(&format!("{group}-"))
            })
        };
        match acl.rules.iter().find(grouped) {
            Some(rule) => Err(Refusal::Grouped(rule.name.clone())),
            None => Ok(()),
        }
    }

    fn prefix(&self) -> String {
        format!("{}-", self.wanted.owner)
    }

    /// Sets to make and change.
    fn ip_sets(&mut self) -> Result<Vec<Step>, Refusal> {
        let mut steps = Vec::new();
        for set in &self.wanted.ip_sets {
            let digest = set_digest(&self.wanted.owner, &set.addresses);
            let Some(live) = self.live.ip_sets.get(&set.name) else {
                let WantedIpSet { name, version, addresses } = set.clone();
                steps.push(Step::CreateIpSet { name, version, addresses });
                continue;
            };
            if live.version != set.version {
                return Err(Refusal::Family(set.name.clone()));
            }
            let has = sorted(live.addresses.iter().cloned());
            let tag = live.tags.get(SET_TAG);
            if has != set.addresses {
                let is_as_written = tag == Some(&set_digest(&self.wanted.owner, &has));
                if !is_as_written && !self.options.take_over {
                    let why = unknown_or_edited(tag.is_some());
                    let fields = vec![Field {
                        path: "Addresses".to_owned(),
                        from: has.into(),
                        to: set.addresses.clone().into(),
                    }];
                    self.drift.push(Drift { what: format!("IP set {}", set.name), why, fields });
                    continue;
                }
                let without = |these: &[String], those: &[String]| {
                    these.iter().filter(|one| !those.contains(one)).cloned().collect()
                };
                steps.push(Step::UpdateIpSet {
                    name: set.name.clone(),
                    added: without(&set.addresses, &has),
                    removed: without(&has, &set.addresses),
                    addresses: set.addresses.clone(),
                });
            }
            if tag != Some(&digest) {
                let digests =
                    [(set.name.clone(), Remembered { digest, mode: None, since: None })].into();
                steps.push(Step::Remember { set: Some(set.name.clone()), digests });
            }
        }
        Ok(steps)
    }

    /// Sets that we made, the policy does not have any more, and no rule uses.
    fn sets_to_drop(&mut self, changes: &[RuleChange]) -> Vec<Step> {
        let mut steps = Vec::new();
        for (name, set) in &self.live.ip_sets {
            let is_wanted = self.wanted.ip_sets.iter().any(|own| own.name == *name);
            let owner = set.tags.get(SET_TAG).and_then(|tag| tag.split(' ').next());
            if is_wanted || owner != Some(self.wanted.owner.as_str()) {
                continue;
            }
            let stays = |rule: &&LiveRule| {
                let change = changes.iter().find(|change| change.name == rule.name);
                change.is_none_or(|change| change.change == Change::Action)
            };
            let mut rules = self.live.acl.iter().flat_map(|acl| &acl.rules).filter(stays);
            match rules.find(|rule| rule.text.contains(&set.arn)) {
                None => steps.push(Step::DeleteIpSet { name: name.clone() }),
                Some(rule) => self.notes.push(format!(
                    "the IP set {name} is not in the policy any more and stays: the rule {} uses it",
                    rule.name
                )),
            }
        }
        steps
    }

    fn rules(&mut self) -> Result<Vec<RuleChange>, Refusal> {
        let names = self.live.set_names();
        let none = Vec::new();
        let existing = self.live.acl.as_ref().map_or(&none, |acl| &acl.rules);
        let mut changes = Vec::new();
        for rule in &self.wanted.rules {
            let to = meaning(&rule.json, &names);
            let Some(old) = existing.iter().find(|old| old.name == rule.name) else {
                self.check_priority(&rule.json, &rule.name, existing)?;
                changes.push(RuleChange {
                    name: rule.name.clone(),
                    change: Change::Added,
                    counters: Counters::New,
                    fields: Vec::new(),
                    rule: rule.json.clone(),
                    taken_over: false,
                });
                continue;
            };
            if !old.is_rate_based() {
                return Err(Refusal::NotOurs(rule.name.clone()));
            }
            let from = meaning(&old.json, &names);
            let fields = differences(&from, &to);
            if fields.is_empty() {
                continue;
            }
            let record = self.live.record(&self.wanted.owner, &rule.name);
            let is_as_written =
                record.as_ref().is_some_and(|record| record.digest == digest(&from));
            if !is_as_written && !self.options.take_over {
                let why = unknown_or_edited(record.is_some());
                self.drift.push(Drift { what: format!("rule {}", rule.name), why, fields });
                continue;
            }
            if fields.iter().any(|field| field.path == "Priority") {
                self.check_priority(&rule.json, &rule.name, existing)?;
            }
            let only_action = fields.iter().all(Field::is_of_action);
            let resets = fields.iter().any(Field::resets_counters);
            changes.push(RuleChange {
                name: rule.name.clone(),
                change: if only_action { Change::Action } else { Change::Changed },
                counters: if resets { Counters::Reset } else { Counters::Survive },
                fields,
                rule: rule.json.clone(),
                taken_over: !is_as_written,
            });
        }
        self.gone(existing, &names, &mut changes);
        Ok(changes)
    }

    /// Rules that we wrote and the policy does not have any more.
    fn gone(
        &mut self,
        existing: &[LiveRule],
        names: &BTreeMap<String, String>,
        changes: &mut Vec<RuleChange>,
    ) {
        let prefix = self.prefix();
        for old in existing {
            let is_wanted = self.wanted.rules.iter().any(|rule| rule.name == old.name);
            if is_wanted || !old.name.starts_with(&prefix) || !old.is_rate_based() {
                continue;
            }
            match self.live.record(&self.wanted.owner, &old.name) {
                Some(record)
                    if self.options.take_over
                        || record.digest == digest(&meaning(&old.json, names)) =>
                {
                    changes.push(RuleChange {
                        name: old.name.clone(),
                        change: Change::Removed,
                        counters: Counters::Gone,
                        fields: Vec::new(),
                        rule: Json::Null,
                        taken_over: record.digest != digest(&meaning(&old.json, names)),
                    });
                }
                Some(_) => self.drift.push(Drift {
                    what: format!("rule {}", old.name),
                    why: "the policy has no such rule any more, and somebody edited it by hand"
                        .to_owned(),
                    fields: Vec::new(),
                }),
                None => self.notes.push(format!(
                    "the rule {} is named like ours, and was not written by this program: it stays",
                    old.name
                )),
            }
        }
    }

    fn check_priority(
        &self,
        rule: &Json,
        name: &str,
        existing: &[LiveRule],
    ) -> Result<(), Refusal> {
        let priority = rule["Priority"].as_i64().unwrap_or_default();
        let is_taken = |other: &&LiveRule| {
            let stays = self.wanted.rules.iter().all(|own| own.name != other.name)
                && self.live.record(&self.wanted.owner, &other.name).is_none();
            other.name != name && stays && other.json["Priority"].as_i64() == Some(priority)
        };
        match existing.iter().find(is_taken) {
            None => Ok(()),
            Some(other) => Err(Refusal::Priority {
                rule: name.to_owned(),
                taken: other.name.clone(),
                priority,
            }),
        }
    }

    fn bodies(&self) -> BTreeMap<String, Json> {
        let live = self.live.acl.as_ref().map(super::LiveAcl::bodies).unwrap_or_default();
        let mut changes = BTreeMap::new();
        for (key, body) in &self.wanted.bodies {
            let has: Option<Json> = live.get(key).and_then(|text| serde_json::from_str(text).ok());
            if has.as_ref() != Some(body) {
                changes.insert(key.clone(), body.clone());
            }
        }
        // A body of ours that no rule uses any more stays while everything counts: it costs nothing, and
        // promote needs it again.
        changes
    }

    /// What of each rule has to be remembered that is not yet.
    fn remembered(&self, changes: &[RuleChange]) -> BTreeMap<String, Remembered> {
        let names = self.live.set_names();
        let drifted =
            |name: &str| self.drift.iter().any(|drift| drift.what == format!("rule {name}"));
        let mut out = BTreeMap::new();
        for rule in self.wanted.rules.iter().filter(|rule| !drifted(&rule.name)) {
            let digest = digest(&meaning(&rule.json, &names));
            let mode = mode_of(&rule.json);
            let record = self.live.record(&self.wanted.owner, &rule.name);
            let is_changed = changes.iter().any(|change| change.name == rule.name);
            let is_known =
                record.is_some_and(|record| record.digest == digest && Some(record.mode) == mode);
            if is_changed || !is_known {
                out.insert(rule.name.clone(), Remembered { digest, mode, since: None });
            }
        }
        out
    }

    fn forgotten(&self, changes: &[RuleChange]) -> Vec<String> {
        let none = Vec::new();
        let existing = self.live.acl.as_ref().map_or(&none, |acl| &acl.rules);
        // Also those of a run that was cut off after their rules had gone.
        let gone = |rule: &str| {
            let is_live = existing.iter().any(|old| old.name == rule);
            let goes = changes
                .iter()
                .any(|change| change.name == rule && change.change == Change::Removed);
            let is_wanted = self.wanted.rules.iter().any(|own| own.name == rule);
            (goes || !is_live) && !is_wanted
        };
        let known = self.live.tags.keys().filter_map(|key| key.strip_prefix("ratewaf:"));
        known
            .filter(|rule| {
                self.live.record(&self.wanted.owner, rule).is_some() && key_of(rule).len() < 128
            })
            .filter(|rule| gone(rule))
            .map(str::to_owned)
            .collect()
    }

    fn alarms(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        let name_of = |alarm: &Json| alarm["AlarmName"].as_str().unwrap_or_default().to_owned();
        let none = BTreeMap::new();
        for alarm in &self.wanted.alarms {
            let name = name_of(alarm);
            let fields = match self.live.alarms.get(&name) {
                None => Vec::new(),
                Some(old) => {
                    let fields = differences(&meaning(old, &none), &meaning(alarm, &none));
                    if fields.is_empty() {
                        continue;
                    }
                    fields
                }
            };
            steps.push(Step::PutAlarm { name, fields, alarm: alarm.clone() });
        }
        for (name, alarm) in &self.live.alarms {
            let is_wanted = self.wanted.alarms.iter().any(|own| name_of(own) == *name);
            let Some(rule) = name.strip_suffix("-over-limit") else { continue };
            // The record of the rule says that it was us; where it is gone too, the alarm is what is left.
            let is_of_this_acl = alarm["Dimensions"].as_array().is_some_and(|all| {
                all.iter().any(|one| {
                    one["Name"] == "WebACL" && one["Value"] == self.wanted.web_acl.as_str()
                })
            });
            let is_ours = self.live.record(&self.wanted.owner, rule).is_some()
                || self.wanted.rules.iter().any(|own| own.name == rule);
            if !is_wanted && is_ours && is_of_this_acl && name.starts_with(&self.prefix()) {
                steps.push(Step::DeleteAlarm { name: name.clone() });
            }
        }
        steps
    }

    fn association(&self) -> Result<Option<Step>, Refusal> {
        let Some(distribution) = &self.live.distribution else { return Ok(None) };
        let own = self.live.acl.as_ref().map(|acl| acl.arn.as_str());
        if own == Some(distribution.web_acl.as_str()) {
            return Ok(None);
        }
        if distribution.web_acl.is_empty() {
            return Ok(Some(Step::Associate { distribution: distribution.id.clone() }));
        }
        let has =
            distribution.web_acl.rsplit('/').nth(1).unwrap_or(&distribution.web_acl).to_owned();
        let wanted = self.wanted.web_acl.clone();
        Err(Refusal::Distribution { id: distribution.id.clone(), has, wanted })
    }
}

fn unknown_or_edited(is_known: bool) -> String {
    if is_known {
        "somebody edited it by hand since apply wrote it".to_owned()
    } else {
        "it was not written by apply".to_owned()
    }
}

/// The value of a set's tag: the owner, and a fingerprint of the addresses.
#[must_use]
pub fn set_digest(owner: &str, addresses: &[String]) -> String {
    format!("{owner} {}", digest(&Json::from(addresses.to_vec())))
}
