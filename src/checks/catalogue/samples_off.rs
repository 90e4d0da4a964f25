//! `samples-off`: a rate rule keeps no samples of what it limits.

use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct SamplesOff;

const ABOUT: About = About {
    id: "samples-off",
    title: "A rate rule keeps no samples of what it limits",
    severity: Severity::Note,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/samples-off.md"),
};

impl Check for SamplesOff {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for (_, rule, _) in context.rates() {
            if rule.raw["VisibilityConfig"]["SampledRequestsEnabled"] == false {
                findings
                    .add(
                        rule.place().member("SampledRequestsEnabled"),
                        format!("{} keeps no samples of what it limits", rule.title()),
                    )
                    .help("switch samples on");
            }
        }
    }
}
