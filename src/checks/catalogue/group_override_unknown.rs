//! `group-override-unknown`: an override names a rule that the group does not have.

use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct GroupOverrideUnknown;

const ABOUT: About = About {
    id: "group-override-unknown",
    title: "An override names a rule that the group does not have",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/group-override-unknown.md"),
};

impl Check for GroupOverrideUnknown {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for (_, rule, reference, group) in context.deployment.group_references() {
            if !group.has_all_rules || group.rules.iter().any(|one| one.name.is_none()) {
                continue;
            }
            for list in ["RuleActionOverrides", "ExcludedRules"] {
                for one in reference[list].as_array().into_iter().flatten() {
                    let Some(name) = one["Name"].as_str() else { continue };
                    if group.rule(name).is_some() {
                        continue;
                    }
                    let message = format!(
                        "{} overrides the rule `{name}`, which {} does not have",
                        rule.title(),
                        group.title()
                    );
                    findings
                        .add(rule.place().member(list), message)
                        .help("write the name as the group has it")
                        .related(group.place(), "the group");
                }
            }
        }
    }
}
