//! `rate-rule-never-acts`: an earlier rate rule stops clients before this one can.

use crate::checks::model::RuleEffect;
use crate::checks::requests::{Requests, key, starves};
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct RateRuleNeverActs;

/// Rate-based rules that a rule is compared with: more than AWS takes in a web ACL.
const COMPARED: usize = 20;

const ABOUT: About = About {
    id: "rate-rule-never-acts",
    title: "An earlier rate rule stops clients before this one can",
    severity: Severity::Warning,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/rate-rule-never-acts.md"),
};

impl Check for RateRuleNeverActs {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let deployment = context.deployment;
        for (acl, later, rate) in context.rates() {
            let Some(priority) = later.priority else { continue };
            let before =
                acl.rules.iter().filter(|one| one.priority.is_some_and(|it| it < priority));
            let before = before.filter_map(|first| Some((first, first.rate()?)));
            for (first, earlier) in before.take(COMPARED) {
                let blocks = first.effect() == Some(RuleEffect::Block);
                if !blocks
                    || starves(earlier, rate) != Some(true)
                    || key(rate).is_none()
                    || key(earlier) != key(rate)
                {
                    continue;
                }
                if Requests::of(deployment, &[first, later]).covers(first, later) != Some(true) {
                    continue;
                }
                let message = format!(
                    "{} ({}) never acts: {} ({}) stops the same clients before it",
                    later.title(),
                    rate.in_words(),
                    first.title(),
                    earlier.in_words()
                );
                findings
                    .add(later.place().member("Limit"), message)
                    .help("drop one of the two, or let the higher limit come first")
                    .related(first.place(), "acts before it");
            }
        }
    }
}
