//! `counting-too-long`: a rate rule still counts, 30 days after the logs its limit came from.

use crate::checks::model::{RuleEffect, Tool};
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
            // It begins to count today.
            let begins = rule.is_new()
                || rule.effect_before().is_some_and(|before| before != RuleEffect::Count);
            if !counts || begins || context.evidence(rule).is_none() {
                continue;
            }
            let message = format!(
                "{} only counts, and the logs that its limit comes from end on {}, {days} days ago",
                rule.title(),
                last.date_text()
            );
            let finding = findings.add(rule.place().member("Action"), message);
            finding.help("look at what it counted and let it block, or analyze fresh logs");
            // Without a plan and without --before nobody knows whether it is deployed at all.
            if !rule.is_compared && !matches!(rule.item.tool, Tool::Api | Tool::Live) {
                finding.severity(Severity::Note);
            }
        }
    }
}
