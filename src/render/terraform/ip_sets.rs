//! One resource per network and family.

use super::super::hcl::{Content, list, text};
use super::{Stack, provider};
use crate::rules::{RateRule, Role};

pub(super) fn write(stack: &Stack<'_>, file: &mut Content) {
    let mut last = None;
    for one in &stack.waf.ip_sets {
        let set = &one.set;
        if last != Some(&one.network) {
            file.comment(&about(stack, &one.network));
            last = Some(&one.network);
        }
        file.block("resource", &["aws_wafv2_ip_set", stack.labels.of(&set.name)], |resource| {
            provider(resource);
            resource.attribute("name", text(&set.name));
            resource.attribute("scope", text(set.scope.api_name()));
            resource.attribute("ip_address_version", text(set.ip_address_version.api_name()));
            resource.attribute(
                "addresses",
                list(set.addresses.iter().map(|cidr| text(cidr.to_string()))),
            );
        });
    }
}

/// What the network is, until when, and what the rules do with it.
fn about(stack: &Stack<'_>, name: &str) -> String {
    let mut out = name.to_owned();
    if let Some(network) = stack.set.networks.iter().find(|network| network.name == name) {
        out.push_str(&format!(" ({}", network.kind.as_str()));
        if let Some(day) = &network.until {
            out.push_str(&format!(", until {day}"));
        }
        out.push(')');
    }
    let without =
        names(stack.rules.iter().filter(|rule| rule.except_networks.iter().any(|n| n == name)));
    let only = names(
        stack
            .rules
            .iter()
            .filter(|rule| matches!(&rule.role, Role::Twin { network } if network == name)),
    );
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
