//! The clients that rules acted on against those that their limits are about.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use super::{ActedOn, Expected, NotExpected, PeakOf, RuleRecord};
use crate::counts::{LimitKey, RuleHits};
use crate::profile::{ClientProfile, Label, RouteProfile};
use crate::rules::{RateRule, Role, RuleSet};
use crate::units::Client;

/// What there is to expect.
pub struct Expecting<'a> {
    /// The rules of policy and lock, or why there are none.
    pub rules: Result<&'a RuleSet, String>,
    /// The routes that were counted.
    pub profiles: &'a [RouteProfile],
    /// The rules to tell of; all if empty.
    pub selected: &'a [String],
}

/// The rules that acted, and those of the policy that did not, by name.
#[must_use]
pub fn compare(hits: Vec<RuleHits>, expecting: &Expecting<'_>) -> Vec<RuleRecord> {
    let mut by_name: BTreeMap<String, (Vec<LimitKey>, Vec<ActedOn>)> = BTreeMap::new();
    if let Ok(rules) = expecting.rules {
        by_name.extend(rules.rules.iter().map(|rule| (rule.name.clone(), Default::default())));
    }
    by_name.extend(expecting.selected.iter().map(|name| (name.clone(), Default::default())));
    for rule in hits {
        let mut acted: Vec<ActedOn> = (rule.clients.into_iter())
            .map(|hits| ActedOn {
                client: hits.client,
                requests: hits.requests,
                first: hits.first,
                last: hits.last,
            })
            .collect();
        acted.sort_by_cached_key(|acted| (Reverse(acted.total()), acted.client.to_string()));
        by_name.insert(rule.name, (rule.keys.into_iter().collect(), acted));
    }
    let selected =
        |name: &String| expecting.selected.is_empty() || expecting.selected.contains(name);
    let rules = by_name.into_iter().filter(|(name, _)| selected(name));
    rules
        .map(|(name, (keys, acted))| {
            let expected = expect(&name, &keys, &acted, expecting);
            RuleRecord { name, keys, clients: acted, expected }
        })
        .collect()
}

fn expect(
    name: &str,
    keys: &[LimitKey],
    acted: &[ActedOn],
    expecting: &Expecting<'_>,
) -> Result<Expected, NotExpected> {
    let rules = expecting.rules.clone().map_err(NotExpected::NoRules)?;
    let rule = rules.rules.iter().find(|rule| rule.name == name).ok_or(NotExpected::UnknownRule)?;
    if keys.iter().any(|key| !matches!(key, LimitKey::Ip | LimitKey::Unknown)) {
        return Err(NotExpected::OtherKey);
    }
    if matches!(rule.role, Role::SharedTwin { .. }) {
        return Err(NotExpected::SeveralRoutes);
    }
    let profile = expecting.profiles.iter().find(|profile| profile.route == rule.route);
    Ok(expected(rule, profile.ok_or(NotExpected::RouteNotRead)?, acted))
}

fn expected(rule: &RateRule, profile: &RouteProfile, acted: &[ActedOn]) -> Expected {
    let mut unseen: HashSet<&Client> = acted.iter().map(|acted| &acted.client).collect();
    let (mut over, mut missed, mut surprising) = (0, Vec::new(), Vec::new());
    for client in &profile.clients {
        let was_acted_on = unseen.remove(&client.client);
        let peak = client.peak(rule.window);
        let is_over = counts(rule, client) && peak > rule.limit.requests();
        over += usize::from(is_over);
        let one = || PeakOf { client: client.client.clone(), peak };
        match (is_over, was_acted_on) {
            (true, false) => missed.push(one()),
            (false, true) => surprising.push(one()),
            (true, true) | (false, false) => {}
        }
    }
    let strangers = unseen.into_iter().map(|client| PeakOf { client: client.clone(), peak: 0 });
    surprising.extend(strangers);
    for list in [&mut missed, &mut surprising] {
        list.sort_by_cached_key(|one| (Reverse(one.peak), one.client.to_string()));
    }
    let route = profile.route.to_string();
    Expected { route, limit: rule.limit, window: rule.window, over, missed, surprising }
}

/// Whether a rule counts the requests of a client: a twin those of its network, a main rule those of
/// everybody else.
fn counts(rule: &RateRule, client: &ClientProfile) -> bool {
    let network = client.label.as_ref().filter(|own| own.label == Label::Exempt);
    match &rule.role {
        Role::Main | Role::Second { .. } => {
            network.is_none_or(|own| !rule.except_networks.contains(&own.network))
        }
        Role::Twin { network: twin } | Role::SharedTwin { network: twin, .. } => {
            network.is_some_and(|own| own.network == *twin)
        }
    }
}
