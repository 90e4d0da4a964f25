//! `exempt-one-family`: a network is exempt over one IP family only.

use serde_json::Value;

use crate::checks::model::{IpSet, Rule, RuleEffect, Statement};
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct ExemptOneFamily;

const ABOUT: About = About {
    id: "exempt-one-family",
    title: "A network is exempt over one IP family only",
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    page: include_str!("../../../docs/checks/exempt-one-family.md"),
};

impl Check for ExemptOneFamily {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let deployment = context.deployment;
        let has_no_ipv6 = !deployment.distributions.is_empty()
            && deployment.distributions.iter().all(|one| {
                one.raw["IPV6Enabled"] == false
                    || one.raw["IsIpv6Enabled"] == false
                    || one.raw["IsIPV6Enabled"] == false
            });
        for acl in &deployment.acls {
            for rule in &acl.rules {
                let references = exempt(rule);
                let sets: Vec<Option<&IpSet>> = references
                    .iter()
                    .map(|one| deployment.ip_set(&one["ARN"], &rule.item))
                    .collect();
                // A set that is not part of this may be of either family.
                let Some(sets) = sets.into_iter().collect::<Option<Vec<_>>>() else { continue };
                let families = |wanted: &str| {
                    sets.iter().filter(|set| set.version.as_deref() == Some(wanted)).count()
                };
                let (four, six) = (families("IPV4"), families("IPV6"));
                if four + six != sets.len() {
                    continue;
                }
                for set in &sets {
                    let is_four = set.version.as_deref() == Some("IPV4");
                    let others = if is_four { six } else { four };
                    let sibling = deployment.ip_sets.iter().find(|other| {
                        other.version != set.version
                            && stem(other).is_some()
                            && stem(other) == stem(set)
                    });
                    let is_in =
                        sibling.is_some_and(|one| sets.iter().any(|set| set.item == one.item));
                    if is_in || (sibling.is_none() && others > 0) || (is_four && has_no_ipv6) {
                        continue;
                    }
                    let (has, lacks) = if is_four { ("IPv4", "IPv6") } else { ("IPv6", "IPv4") };
                    let name = set.name.as_deref().unwrap_or(&set.item.address);
                    let message = format!(
                        "{} exempts `{name}` over {has} only: over {lacks} its clients are limited",
                        rule.title()
                    );
                    let finding =
                        findings.add(rule.place().member("IPSetReferenceStatement"), message);
                    finding.related(set.place(), "the set");
                    match sibling {
                        Some(one) => {
                            let other = one.name.as_deref().unwrap_or(&one.item.address);
                            finding
                                .help(format!("refer to `{other}` as well"))
                                .related(one.place(), "is not exempt");
                        }
                        None => {
                            finding
                                .help(format!(
                                    "add a set with its {lacks} addresses, if it has any"
                                ))
                                .severity(Severity::Note);
                        }
                    }
                }
            }
        }
    }
}

/// The IP sets that a rule leaves out, or lets pass.
pub(super) fn exempt(rule: &Rule) -> Vec<&Value> {
    if rule.effect() == Some(RuleEffect::Allow) {
        return rule.statement().all_of("IPSetReferenceStatement");
    }
    let Some(scope_down) = rule.rate().and_then(|rate| rate.scope_down()) else {
        return Vec::new();
    };
    let excluded = scope_down.all_of("NotStatement").into_iter();
    excluded
        .flat_map(|not| Statement(&not["Statement"]).all_of("IPSetReferenceStatement"))
        .collect()
}

/// The name of a set without its family.
fn stem(set: &IpSet) -> Option<String> {
    let name = set.name.as_deref()?.to_ascii_lowercase();
    let words = name
        .split(['-', '_', '.'])
        .filter(|word| !matches!(*word, "v4" | "v6" | "ipv4" | "ipv6" | "4" | "6"));
    Some(
        words
            .map(|word| word.trim_end_matches("v4").trim_end_matches("v6").trim_end_matches("ip"))
            .collect::<Vec<_>>()
            .join("-"),
    )
}
