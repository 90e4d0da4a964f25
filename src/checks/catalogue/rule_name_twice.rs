//! `rule-name-twice`: two rules of one web ACL share a name.

use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct RuleNameTwice;

const ABOUT: About = About {
    id: "rule-name-twice",
    title: "Two rules of one web ACL share a name",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/rule-name-twice.md"),
};

impl Check for RuleNameTwice {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for acl in &context.deployment.acls {
            for (place, rule) in acl.rules.iter().enumerate() {
                let same = |other: &&crate::checks::model::Rule| {
                    rule.name.is_some() && other.name == rule.name
                };
                if let Some(other) = acl.rules[..place].iter().find(same) {
                    findings
                        .add(
                            rule.place().member("Name"),
                            format!("{} stands in {} twice", rule.title(), acl.title()),
                        )
                        .help("give each rule a name of its own")
                        .related(other.place().member("Name"), "the other rule");
                }
            }
        }
    }
}
