//! `counting-too-long`: a rate rule still counts, 30 days after the logs its limit came from.

use crate::checks::model::RuleEffect;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct CountingTooLong;

const ABOUT: About = About {
    id: "counting-too-long",
    title: "A rate rule still counts, 30 days after the logs its limit came from",
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    page: include_str!("../../../docs/checks/counting-too-long.md"),
};

/// Long enough for a trial that covers a whole month.
const DAYS: i64 = 30;

impl Check for CountingTooLong {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let Some((last, days)) = context.older_than(DAYS) else { return };
        for (_, rule, _) in context.rates() {
            let counts = rule.effect() == Some(RuleEffect::Count);
            if !counts || rule.is_new() || context.evidence(rule).is_none() {
                continue;
            }
            let message = format!(
                "{} only counts, and the logs that its limit comes from end on {}, {days} days ago",
                rule.title(),
                last.date_text()
            );
            findings
                .add(rule.place().member("Action"), message)
                .help("look at what it counted and let it block, or analyze fresh logs");
        }
    }
}
