//! `rule-resource-undone`: the next apply of the web ACL takes away a rule that is a resource of its own.

use crate::checks::model::{AclKind, Tool};
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct RuleResourceUndone;

const ABOUT: About = About {
    id: "rule-resource-undone",
    title: "The next apply of the web ACL takes away a rule that is a resource of its own",
    severity: Severity::Error,
    confidence: Confidence::Medium,
    page: include_str!("../../../docs/checks/rule-resource-undone.md"),
};

impl Check for RuleResourceUndone {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for acl in context.deployment.acls.iter().filter(|acl| acl.kind == AclKind::WebAcl) {
            // A plan does not say what a resource ignores.
            if acl.item.tool != Tool::Terraform {
                continue;
            }
            let ignored = acl.raw["$ignored"].as_str().unwrap_or_default();
            let words = ignored.split(|it: char| !(it.is_alphanumeric() || it == '_'));
            if words.into_iter().any(|word| matches!(word, "rule" | "all")) {
                continue;
            }
            let Some(rule) = acl.rules.iter().find(|rule| rule.item != acl.item) else { continue };
            let message = format!(
                "{} is a resource of its own, and {} does not ignore rules that it did not write: its next update removes it",
                rule.title(),
                acl.title()
            );
            findings
                .add(acl.place(), message)
                .help("add `lifecycle { ignore_changes = [rule] }` to the web ACL")
                .related(rule.place(), "would be removed");
        }
    }
}
