//! What WAF logs say of the rules of a web ACL, and the rules of policy and lock to compare it with.

use anyhow::Result;

use super::analyze::Arguments;
use super::failure::hinted;
use super::policy_file;
use crate::counts::{Coverage, RuleHits};
use crate::enforcement::{Expecting, RuleRecord, compare};
use crate::policy::{Policy, ResolveOptions, resolve};
use crate::profile::{self, RouteProfile};
use crate::rules::RuleSet;
use crate::units::{Client, plain};

/// What the logs told.
pub(super) struct Told<'a> {
    pub(super) coverage: &'a Coverage,
    pub(super) hits: Vec<RuleHits>,
}

/// The rules that acted and those of the policy; `None` if the logs are no WAF logs.
///
/// # Errors
/// When `--rule` names a rule that nobody knows, or the logs tell of no rules at all.
pub(super) fn records(
    told: Told<'_>,
    profiles: &[RouteProfile],
    policy: Option<&Policy>,
    arguments: &Arguments,
) -> Result<Option<Vec<RuleRecord>>> {
    if told.coverage.completeness.waf_records == 0 {
        if arguments.rules.is_empty() {
            return Ok(None);
        }
        let hint = "only AWS WAF logs tell what a rule did";
        return Err(hinted("--rule has no effect: these are no AWS WAF logs", hint));
    }
    // The lock as it was before this run: the limits that were in force came from it.
    let rules = expected_rules(policy, arguments);
    demand_known(&told.hits, rules.as_ref().ok(), &arguments.rules)?;
    let expecting = Expecting {
        rules: rules.as_ref().map_err(Clone::clone),
        profiles,
        selected: &arguments.rules,
    };
    Ok(Some(compare(told.hits, &expecting)))
}

/// The rules of policy and lock, or why there are none.
fn expected_rules(policy: Option<&Policy>, arguments: &Arguments) -> Result<RuleSet, String> {
    let Some(policy) = policy else { return Err("there is no policy".to_owned()) };
    let lock = arguments.files.read_lock().map_err(|error| error.to_string())?;
    // Who accepted a weak limit has its rule, and it counts at least.
    let today = policy_file::today(arguments.today.as_deref()).ok();
    let options = ResolveOptions { count_mode: false, accept_weak: true, today };
    resolve(policy, lock.as_ref(), &options).map_err(|_| {
        if lock.is_none() {
            "there is no lock yet that tells the limits".to_owned()
        } else {
            "policy and lock do not belong together; ratewaf emit says why".to_owned()
        }
    })
}

/// Refuses a name that is a typo, most of the time.
fn demand_known(hits: &[RuleHits], rules: Option<&RuleSet>, selected: &[String]) -> Result<()> {
    let of_policy = || rules.iter().flat_map(|rules| &rules.rules).map(|rule| rule.name.as_str());
    let mut known: Vec<&str> =
        hits.iter().map(|rule| rule.name.as_str()).chain(of_policy()).collect();
    known.sort_unstable();
    known.dedup();
    let Some(stranger) = selected.iter().find(|name| !known.contains(&name.as_str())) else {
        return Ok(());
    };
    let hint = if known.is_empty() {
        "no rate-based rule did anything in these logs".to_owned()
    } else {
        format!("rules that did something or are in the policy: {}", plain(&known.join(", ")))
    };
    Err(hinted(format!("no rule `{}` did anything in these logs", plain(stranger)), hint))
}

/// Takes the addresses out of profiles and records, so that one client keeps one name.
pub(super) fn anonymise(profiles: &mut [RouteProfile], records: &mut [RuleRecord]) {
    if records.is_empty() {
        profiles.iter_mut().for_each(profile::anonymise);
        return;
    }
    let before: Vec<Vec<Client>> = profiles
        .iter()
        .map(|profile| profile.clients.iter().map(|client| client.client.clone()).collect())
        .collect();
    profiles.iter_mut().for_each(profile::anonymise);
    for record in records {
        let route = record.expected.as_ref().ok().map(|expected| expected.route.clone());
        let own = profiles.iter().zip(&before).find(|(profile, _)| {
            route.as_ref().is_some_and(|route| profile.route.to_string() == *route)
        });
        record.anonymise(own.map(|(profile, before)| (before.as_slice(), profile)));
    }
}
