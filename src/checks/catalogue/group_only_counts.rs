//! `group-only-counts`: a rule group is told to count, so its rate rules never act.

use crate::checks::model::RuleEffect;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct GroupOnlyCounts;

const ABOUT: About = About {
    id: "group-only-counts",
    title: "A rule group is told to count, so its rate rules never act",
    severity: Severity::Warning,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/group-only-counts.md"),
};

impl Check for GroupOnlyCounts {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for (acl, rule, reference, group) in context.deployment.group_references() {
            let limits = || {
                group
                    .rules
                    .iter()
                    .filter(|one| one.rate().is_some() && one.effect() != Some(RuleEffect::Count))
            };
            if rule.effect() == Some(RuleEffect::GroupCounts) {
                if let Some(first) = limits().next() {
                    let message = format!(
                        "{} of {} only counts what {} would limit, such as {}",
                        rule.title(),
                        acl.title(),
                        group.title(),
                        first.title()
                    );
                    findings
                        .add(rule.place().member("OverrideAction"), message)
                        .help(
                            "set the override to none, and let single rules count inside the group",
                        )
                        .related(first.place(), "does not act");
                }
                continue;
            }
            for one in reference["RuleActionOverrides"].as_array().into_iter().flatten() {
                let Some(limited) = limits().find(|it| it.name.as_deref() == one["Name"].as_str())
                else {
                    continue;
                };
                if one["ActionToUse"]["Count"].is_object() {
                    let message = format!("{} lets {} only count", rule.title(), limited.title());
                    findings
                        .add(rule.place().member("RuleActionOverrides"), message)
                        .help("let the rule count inside the group, where everybody sees it");
                }
            }
        }
    }
}
