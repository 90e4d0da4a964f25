//! `priority-twice`: two rules of one web ACL share a priority, or one has none that counts.

use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct PriorityTwice;

const ABOUT: About = About {
    id: "priority-twice",
    title: "Two rules of one web ACL share a priority, or one has none that counts",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/priority-twice.md"),
};

impl Check for PriorityTwice {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for acl in &context.deployment.acls {
            for (place, rule) in acl.rules.iter().enumerate() {
                let Some(priority) = rule.priority else { continue };
                let at = rule.place().member("Priority");
                if priority < 0 {
                    findings
                        .add(at, format!("{} has the priority {priority}", rule.title()))
                        .help("priorities begin at 0");
                } else if let Some(other) =
                    acl.rules[..place].iter().find(|it| it.priority == Some(priority))
                {
                    findings
                        .add(
                            at,
                            format!(
                                "{} and {} of {} have the priority {priority}",
                                other.title(),
                                rule.title(),
                                acl.title()
                            ),
                        )
                        .help("give each rule a priority of its own")
                        .related(other.place().member("Priority"), "the other rule");
                }
            }
        }
    }
}
