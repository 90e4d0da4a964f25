//! IP sets, by the network that they hold a family of.

use super::Given;
use crate::rules::RateRule;
use crate::wafv2::IpSet;

/// A network of the policy with its sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedNetwork {
    /// Its name in the policy.
    pub name: String,
    /// What it is, until when, and what the rules do with it.
    pub about: String,
    /// One or two: IPv4 first. Statements name them by [`crate::wafv2::Arn::ip_set_name`].
    pub sets: Vec<IpSet>,
}

pub(super) fn build(given: &Given<'_>) -> Vec<NamedNetwork> {
    let mut out: Vec<NamedNetwork> = Vec::new();
    for one in &given.waf.ip_sets {
        match out.last_mut() {
            Some(last) if last.name == one.network => last.sets.push(one.set.clone()),
            _ => out.push(NamedNetwork {
                name: one.network.clone(),
                about: about(given, &one.network),
                sets: vec![one.set.clone()],
            }),
        }
    }
    out
}

fn about(given: &Given<'_>, name: &str) -> String {
    let mut out = name.to_owned();
    if let Some(network) = given.set.networks.iter().find(|network| network.name == name) {
        out.push_str(&format!(" ({}", network.kind.as_str()));
        if let Some(day) = &network.until {
            out.push_str(&format!(", until {day}"));
        }
        out.push(')');
    }
    let without =
        names(given.rules.iter().filter(|rule| rule.except_networks.iter().any(|n| n == name)));
    let only = names(given.rules.iter().filter(|rule| rule.role.network() == Some(name)));
    if without.is_empty() && only.is_empty() {
        out.push_str(
            ": no rule names it now. AWS deletes no set that is still in use, and Terraform deletes it \
             before it updates the rules; so it stays while the policy has it. Apply this, then remove \
             the network from the policy.",
        );
    }
    for (what, rules) in [("not counted by", without), ("counted alone by", only)] {
        if !rules.is_empty() {
            out.push_str(&format!(", {what} {rules}"));
        }
    }
    out
}

fn names<'a>(rules: impl Iterator<Item = &'a &'a RateRule>) -> String {
    rules.map(|rule| rule.name.as_str()).collect::<Vec<_>>().join(", ")
}
