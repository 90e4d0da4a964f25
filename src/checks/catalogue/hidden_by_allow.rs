//! `hidden-by-allow`: an earlier rule lets everything pass that a rate rule would count.

use crate::checks::model::RuleEffect;
use crate::checks::requests::Requests;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct HiddenByAllow;

const ABOUT: About = About {
    id: "hidden-by-allow",
    title: "An earlier rule lets everything pass that a rate rule would count",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/hidden-by-allow.md"),
};

impl Check for HiddenByAllow {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let deployment = context.deployment;
        for (acl, rule, _) in context.rates() {
            let Some(priority) = rule.priority else { continue };
            let before =
                acl.rules.iter().filter(|one| one.priority.is_some_and(|it| it < priority));
            for allow in before.filter(|one| one.effect() == Some(RuleEffect::Allow)) {
                if Requests::of(deployment, &[rule, allow]).covers(allow, rule) != Some(true) {
                    continue;
                }
                let message = format!(
                    "{} (priority {priority}) never sees a request: {} lets all of them pass before it",
                    rule.title(),
                    allow.title()
                );
                findings
                    .add(rule.place().member("Priority"), message)
                    .help("give the rate rule a lower priority number than the rule that allows")
                    .related(allow.place(), "lets them pass");
            }
        }
    }
}
