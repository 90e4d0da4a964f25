//! `window-not-offered`: AWS does not offer this evaluation window.

use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct WindowNotOffered;

const ABOUT: About = About {
    id: "window-not-offered",
    title: "AWS does not offer this evaluation window",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/window-not-offered.md"),
};

impl Check for WindowNotOffered {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for (_, rule, rate) in context.rates() {
            let Some(window) = rate.window().filter(|it| !matches!(it, 60 | 120 | 300 | 600))
            else {
                continue;
            };
            findings
                .add(
                    rule.place().member("EvaluationWindowSec"),
                    format!("{} looks at {window} seconds, which AWS does not offer", rule.title()),
                )
                .help("take 60, 120, 300 or 600 seconds");
        }
    }
}
