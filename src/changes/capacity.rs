//! What fits: capacity units, places for rate-based rules, and the price.

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::live::Live;
use super::splice::{Edit, edited_rules};
use super::step::Step;
use crate::quotas;
use crate::wafv2::{Arn, PRICES, Rule, rule_capacity};

/// What the web ACL uses before and after.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capacity {
    /// Capacity units that AWS says the web ACL uses now.
    pub wcu_before: u64,
    /// Those after.
    pub wcu_after: u64,
    /// Whether AWS told the latter (`CheckCapacity`); else it is an estimate.
    pub told_by_aws: bool,
    /// Rate-based rules now, whoever wrote them.
    pub rate_rules_before: usize,
    /// Those after.
    pub rate_rules_after: usize,
    /// [`quotas::RATE_RULES_PER_WEB_ACL`].
    pub rate_rules_allowed: usize,
    /// What it costs more each month before any request, in US cents; less than 0 if it gets cheaper.
    pub cents_a_month: i64,
}

impl Capacity {
    /// An estimate: what AWS says of the web ACL now, and our own figures of what changes.
    pub(super) fn estimate(live: &Live, rules: &[super::RuleChange], makes_acl: bool) -> Self {
        let number = |name: &str| {
            let acl = live.acl.as_ref()?;
            acl.members.get(name)?.parse::<u64>().ok()
        };
        let wcu_before = number("Capacity").unwrap_or(0);
        let existing = live.acl.as_ref().map_or(&[][..], |acl| &acl.rules);
        let before = existing.iter().filter(|rule| rule.is_rate_based()).count();
        let (mut wcu, mut after, mut count) = (wcu_before as i64, before, 0);
        for change in rules {
            let old = existing.iter().find(|rule| rule.name == change.name);
            wcu += units(&change.rule) as i64 - old.map_or(0, |old| units(&old.json) as i64);
            match (old.is_some(), change.rule.is_null()) {
                (true, true) => (after, count) = (after.saturating_sub(1), count - 1),
                (false, false) => (after, count) = (after + 1, count + 1),
                _ => {}
            }
        }
        let acl = if makes_acl { i64::from(PRICES.web_acl) } else { 0 };
        Self {
            wcu_before,
            wcu_after: u64::try_from(wcu).unwrap_or(0),
            told_by_aws: false,
            rate_rules_before: before,
            rate_rules_after: after,
            rate_rules_allowed: quotas::RATE_RULES_PER_WEB_ACL,
            cents_a_month: acl + i64::from(PRICES.rule) * count,
        }
    }
}

fn units(rule: &Json) -> u32 {
    serde_json::from_value::<Rule>(rule.clone()).map_or(0, |rule| rule_capacity(&[rule]))
}

/// What `CheckCapacity` takes, if all that the rules refer to is there: the rules as they will be.
#[must_use]
pub fn rules_to_check(live: &Live, steps: &[Step], scope: &str) -> Option<String> {
    let changes = steps.iter().find_map(|step| match step {
        Step::UpdateWebAcl { rules, .. } => Some(rules),
        _ => None,
    })?;
    let edits = Edit::of(changes, live);
    let none = Vec::new();
    let rules = edited_rules(live.acl.as_ref().map_or(&none, |acl| &acl.rules), &edits).ok()?;
    let by_name = format!("\"{}", Arn::of_ip_set("").0);
    let new = edits.iter().filter_map(Edit::text).any(|text| text.contains(&by_name));
    (!new).then(|| format!("{{\"Scope\":{},\"Rules\":[{}]}}", json!(scope), rules.join(",")))
}
