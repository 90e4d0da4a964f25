//! `evidence-expired`: the limits rest on logs that are more than 90 days old.

use crate::checks::{About, Check, Confidence, Context, Findings, Severity};
use crate::units::count;

/// The check.
#[derive(Debug)]
pub struct EvidenceExpired;

const ABOUT: About = About {
    id: "evidence-expired",
    title: "The limits rest on logs that are more than 90 days old",
    severity: Severity::Warning,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/evidence-expired.md"),
};

/// A quarter of a year: longer than a release, shorter than a season.
const DAYS: i64 = 90;

impl Check for EvidenceExpired {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let Some((last, days)) = context.older_than(DAYS) else { return };
        let mut rules = context.rates().filter(|(_, rule, _)| context.evidence(rule).is_some());
        let Some((_, rule, _)) = rules.next() else { return };
        let more = rules.count() as u64;
        let whose = if more == 0 {
            rule.title()
        } else {
            format!("{} and {}", rule.title(), count(more, "more rule", "more rules"))
        };
        let message = format!(
            "the limit of {whose} comes from logs that end on {}, {days} days ago",
            last.date_text()
        );
        findings
            .add(rule.place().member("Limit"), message)
            .help("run `ratewaf analyze` on a fresh week and commit the lock");
    }
}
