//! `window-not-offered`: AWS does not offer this evaluation window.

use super::limit_range::words;
use crate::checks::marker;
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
            let raw = &rate.raw["EvaluationWindowSec"];
            let what = match rate.window() {
                Some(60 | 120 | 300 | 600) => continue,
                Some(window) => format!("looks at {window} seconds, which AWS does not offer"),
                None if marker::is_unknown(raw) || marker::is_hidden(raw) => continue,
                None => {
                    format!("has the window `{}`, which is no number of seconds", words(raw))
                }
            };
            findings
                .add(rule.place().member("EvaluationWindowSec"), format!("{} {what}", rule.title()))
                .help("take 60, 120, 300 or 600 seconds");
        }
    }
}
