//! `metrics-off`: a rate rule writes no metric.

use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct MetricsOff;

const ABOUT: About = About {
    id: "metrics-off",
    title: "A rate rule writes no metric",
    severity: Severity::Warning,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/metrics-off.md"),
};

impl Check for MetricsOff {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for (_, rule, _) in context.rates() {
            if rule.raw["VisibilityConfig"]["CloudWatchMetricsEnabled"] == false {
                findings
                    .add(
                        rule.place().member("CloudWatchMetricsEnabled"),
                        format!("{} writes no metric", rule.title()),
                    )
                    .help("switch its metric on");
            }
        }
    }
}
