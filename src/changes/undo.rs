//! What was there before the first write, and the way back to it.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use serde_json::value::RawValue;

use super::capacity::Capacity;
use super::changeset::{ChangeSet, Options};
use super::error::Refusal;
use super::fields::differences;
use super::file;
use super::json::each_arn;
use super::live::{Live, LiveAcl, LiveIpSet};
use super::meaning::meaning;
use super::record::{Record, SET_TAG, key_of};
use super::step::{Change, Counters, Remembered, RuleChange, Step};

/// The version of the file.
const VERSION: u64 = 1;

/// An undo file.
#[derive(Debug, Serialize, Deserialize)]
pub struct Undo {
    version: u64,
    /// Prefix of all names.
    owner: String,
    /// What was going to be done.
    changes: ChangeSet,
    /// The web ACL as AWS sent it; null if there was none.
    web_acl: Option<Box<RawValue>>,
    tags: BTreeMap<String, String>,
    ip_sets: BTreeMap<String, Set>,
    alarms: BTreeMap<String, Json>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Set {
    arn: String,
    version: String,
    addresses: Vec<String>,
    tags: BTreeMap<String, String>,
}

impl Undo {
    /// What is live now, before these changes.
    #[must_use]
    pub fn of(owner: &str, live: &Live, changes: &ChangeSet) -> Self {
        let raw = |acl: &LiveAcl| RawValue::from_string(acl.members.text()).ok();
        let set = |set: &LiveIpSet| Set {
            arn: set.arn.clone(),
            version: set.version.clone(),
            addresses: set.addresses.clone(),
            tags: set.tags.clone(),
        };
        Self {
            version: VERSION,
            owner: owner.to_owned(),
            changes: changes.clone(),
            web_acl: live.acl.as_ref().and_then(raw),
            tags: live.tags.clone(),
            ip_sets: live.ip_sets.iter().map(|(name, one)| (name.clone(), set(one))).collect(),
            alarms: live.alarms.clone(),
        }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it is none of this version, in words.
    pub fn parse(text: &str) -> Result<Self, String> {
        file::parse(text, "undo file", VERSION, |read: &Self| read.version)
    }

    /// The bytes of the file: the web ACL in them is as AWS sent it.
    #[must_use]
    pub fn to_json(&self) -> String {
        file::written(self)
    }

    /// The web ACL that it is about.
    #[must_use]
    pub const fn target(&self) -> &super::Target {
        &self.changes.target
    }

    /// Prefix of all names.
    #[must_use]
    pub fn owner(&self) -> &str {
        &self.owner
    }

    /// The way back from what is live: only what the changes touched, and only where it is not back yet.
    ///
    /// # Errors
    /// When the web ACL is not one that may be written.
    pub fn way_back(&self, live: &Live) -> Result<ChangeSet, Refusal> {
        let mut target = self.changes.target.clone();
        let acl = live.acl.as_ref();
        target.arn = acl.map(|acl| acl.arn.clone());
        if let Some(managed) = acl.filter(|acl| acl.is_managed()) {
            return Err(Refusal::FirewallManager(managed.name.clone()));
        }
        let (mut first, mut alarms, mut last) = (Vec::new(), Vec::new(), Vec::new());
        let (mut rules, mut bodies) = (Vec::new(), BTreeMap::new());
        let (mut needed, mut notes) = (BTreeSet::new(), Vec::new());
        for step in &self.changes.steps {
            match step {
                Step::CreateIpSet { name, .. } if live.ip_sets.contains_key(name) => {
                    last.push(Step::DeleteIpSet { name: name.clone() });
                }
                Step::UpdateIpSet { name, .. } | Step::DeleteIpSet { name } => first.extend(self.set_back(name, live)),
                Step::UpdateWebAcl { rules: changed, bodies: changed_bodies } => {
                    rules = self.rules_back(changed, live)?;
                    check_places(&rules, live)?;
                    let needs = Needs::of(&rules);
                    let keys = changed_bodies.keys().chain(&needs.bodies).collect();
                    bodies = self.bodies_back(keys, live)?;
                    needed = needs.sets;
                }
                Step::PutAlarm { name, .. } | Step::DeleteAlarm { name } => {
                    alarms.extend(self.alarm_back(name, live));
                }
                Step::CreateWebAcl { .. } => notes.push(format!(
                    "the web ACL {} was made by apply and stays, without the rules",
                    target.web_acl
                )),
                Step::Associate { distribution } => notes.push(format!(
                    "the distribution {distribution} keeps the web ACL: take it off with `aws cloudfront disassociate-distribution-web-acl --id {distribution}`"
                )),
                Step::CreateIpSet { .. } | Step::Remember { .. } | Step::Forget { .. } => {}
            }
        }
        let capacity = Capacity::estimate(live, &rules, false);
        let mut set = ChangeSet::new(target, Options::default(), live.digest(), capacity);
        let touched: Vec<&str> = rules.iter().map(|rule: &RuleChange| rule.name.as_str()).collect();
        let others = live.acl.iter().flat_map(|acl| &acl.rules).map(|rule| &rule.name);
        set.left_alone = others.filter(|name| !touched.contains(&name.as_str())).cloned().collect();
        set.notes = notes;
        // Undo files of later changes may not have been put back: what the rules need comes with them.
        let told = |step: &Step, set: &String| matches!(step, Step::CreateIpSet { name, .. } if name == set);
        for name in needed {
            if !live.ip_sets.contains_key(&name) && !first.iter().any(|step| told(step, &name)) {
                first.extend(self.set_back(&name, live));
            }
        }
        set.steps = first;
        if !rules.is_empty() || !bodies.is_empty() {
            set.steps.push(Step::UpdateWebAcl { rules, bodies });
        }
        set.steps.extend(alarms);
        set.steps.extend(self.records_back(live));
        set.steps.extend(last);
        Ok(set)
    }

    fn old_acl(&self) -> Result<Option<LiveAcl>, Refusal> {
        self.web_acl.as_ref().map(|raw| LiveAcl::of(raw.get(), String::new())).transpose()
    }

    fn rules_back(&self, changed: &[RuleChange], live: &Live) -> Result<Vec<RuleChange>, Refusal> {
        let old = self.old_acl()?;
        let mut names = live.set_names();
        names.extend(self.ip_sets.iter().map(|(name, set)| (set.arn.clone(), name.clone())));
        let mut out = Vec::new();
        for touched in changed {
            let before = old.as_ref().and_then(|acl| acl.rule(&touched.name));
            let now = live.acl.as_ref().and_then(|acl| acl.rule(&touched.name));
            let name = touched.name.clone();
            let change = match (before, now) {
                (None, Some(_)) => RuleChange {
                    name,
                    change: Change::Removed,
                    counters: Counters::Gone,
                    fields: Vec::new(),
                    rule: Json::Null,
                    taken_over: false,
                },
                (Some(before), now) => {
                    let mut rule = before.json.clone();
                    by_name(&mut rule, &names);
                    let fields = now.map(|now| {
                        differences(&meaning(&now.json, &names), &meaning(&rule, &names))
                    });
                    if fields.as_ref().is_some_and(Vec::is_empty) {
                        continue;
                    }
                    let fields = fields.unwrap_or_default();
                    let (change, counters) = if now.is_none() {
                        (Change::Added, Counters::New)
                    } else if fields.iter().all(super::Field::is_of_action) {
                        (Change::Action, Counters::Survive)
                    } else if fields.iter().any(super::Field::resets_counters) {
                        (Change::Changed, Counters::Reset)
                    } else {
                        (Change::Changed, Counters::Survive)
                    };
                    RuleChange { name, change, counters, fields, rule, taken_over: false }
                }
                (None, None) => continue,
            };
            out.push(change);
        }
        Ok(out)
    }

    fn bodies_back(
        &self,
        keys: BTreeSet<&String>,
        live: &Live,
    ) -> Result<BTreeMap<String, Json>, Refusal> {
        let old = self.old_acl()?.map(|acl| acl.bodies()).unwrap_or_default();
        let now = live.acl.as_ref().map(LiveAcl::bodies).unwrap_or_default();
        let read = |all: &BTreeMap<String, String>, key: &str| {
            all.get(key).and_then(|text| serde_json::from_str(text).ok()).unwrap_or(Json::Null)
        };
        let both = keys.into_iter().map(|key| (key.clone(), read(&old, key)));
        Ok(both.filter(|(key, body)| read(&now, key) != *body).collect())
    }

    fn set_back(&self, name: &str, live: &Live) -> Vec<Step> {
        let Some(old) = self.ip_sets.get(name) else { return Vec::new() };
        let addresses = super::wanted::sorted(old.addresses.iter().cloned());
        let Some(now) = live.ip_sets.get(name) else {
            let (name, version) = (name.to_owned(), old.version.clone());
            return vec![Step::CreateIpSet { name, version, addresses }];
        };
        let has = super::wanted::sorted(now.addresses.iter().cloned());
        let mut steps = Vec::new();
        if has != addresses {
            let without = |these: &[String], those: &[String]| {
                these.iter().filter(|one| !those.contains(one)).cloned().collect()
            };
            steps.push(Step::UpdateIpSet {
                name: name.to_owned(),
                added: without(&addresses, &has),
                removed: without(&has, &addresses),
                addresses,
            });
        }
        if let Some(tag) = old.tags.get(SET_TAG).filter(|tag| now.tags.get(SET_TAG) != Some(tag)) {
            let remembered = Remembered { digest: tag.clone(), mode: None, since: None };
            let digests = [(name.to_owned(), remembered)].into();
            steps.push(Step::Remember { set: Some(name.to_owned()), digests });
        }
        steps
    }

    fn alarm_back(&self, name: &str, live: &Live) -> Option<Step> {
        let none = BTreeMap::new();
        match (self.alarms.get(name), live.alarms.get(name)) {
            (None, Some(_)) => Some(Step::DeleteAlarm { name: name.to_owned() }),
            (Some(old), now) => {
                let fields = now.map(|now| differences(&meaning(now, &none), &meaning(old, &none)));
                let is_back = fields.as_ref().is_some_and(Vec::is_empty);
                let fields = fields.unwrap_or_default();
                (!is_back).then(|| Step::PutAlarm {
                    name: name.to_owned(),
                    fields,
                    alarm: old.clone(),
                })
            }
            (None, None) => None,
        }
    }

    /// What was remembered before.
    fn records_back(&self, live: &Live) -> Vec<Step> {
        let mut names = BTreeSet::new();
        for step in &self.changes.steps {
            match step {
                Step::Remember { set: None, digests } => names.extend(digests.keys().cloned()),
                Step::Forget { rules } => names.extend(rules.iter().cloned()),
                _ => {}
            }
        }
        let (mut digests, mut gone) = (BTreeMap::new(), Vec::new());
        for name in names {
            let key = key_of(&name);
            match (self.tags.get(&key).and_then(|tag| Record::parse(tag)), live.tags.get(&key)) {
                (None, Some(_)) => gone.push(name),
                (Some(old), now) if now != Some(&old.text()) => {
                    let since = Some(old.since.0);
                    digests.insert(
                        name,
                        Remembered { digest: old.digest, mode: Some(old.mode), since },
                    );
                }
                _ => {}
            }
        }
        let mut steps = Vec::new();
        if !digests.is_empty() {
            steps.push(Step::Remember { set: None, digests });
        }
        if !gone.is_empty() {
            steps.push(Step::Forget { rules: gone });
        }
        steps
    }
}

/// A rule that comes back needs its place, which a newer one may have by now.
fn check_places(rules: &[RuleChange], live: &Live) -> Result<(), Refusal> {
    for back in rules {
        let Some(priority) = back.rule["Priority"].as_i64() else { continue };
        let mut stay = live.acl.iter().flat_map(|acl| &acl.rules);
        let taken = stay.find(|rule| {
            rule.json["Priority"].as_i64() == Some(priority)
                && rules.iter().all(|change| change.name != rule.name)
        });
        if let Some(taken) = taken {
            let (rule, taken) = (back.name.clone(), taken.name.clone());
            return Err(Refusal::Priority { rule, taken, priority });
        }
    }
    Ok(())
}

/// What rules refer to.
#[derive(Default)]
struct Needs {
    bodies: BTreeSet<String>,
    sets: BTreeSet<String>,
}

impl Needs {
    /// Of rules that come back, with their sets by name.
    fn of(rules: &[RuleChange]) -> Self {
        let mut needs = Self::default();
        rules.iter().for_each(|rule| needs.add(&rule.rule));
        needs
    }

    fn add(&mut self, json: &Json) {
        match json {
            Json::Array(values) => values.iter().for_each(|value| self.add(value)),
            Json::Object(members) => {
                for (key, value) in members {
                    match (key.as_str(), value) {
                        ("CustomResponseBodyKey", Json::String(body)) => {
                            self.bodies.insert(body.clone());
                        }
                        ("ARN", Json::String(arn)) => {
                            let set = crate::wafv2::Arn(arn.clone());
                            self.sets.extend(set.ip_set_name().map(str::to_owned));
                        }
                        (_, value) => self.add(value),
                    }
                }
            }
            _ => {}
        }
    }
}

/// Calls the sets of ours by their names: one that is made again has another ARN.
fn by_name(json: &mut Json, names: &BTreeMap<String, String>) {
    each_arn(json, &mut |text| {
        if let Some(name) = names.get(text) {
            *text = crate::wafv2::Arn::of_ip_set(name).0;
        }
    });
}
