//! `path-not-decoded`: an encoded path goes past the rule.

use crate::checks::paths::loose_paths;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct PathNotDecoded;

const ABOUT: About = About {
    id: "path-not-decoded",
    title: "An encoded path goes past the rule",
    severity: Severity::Warning,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/path-not-decoded.md"),
};

impl Check for PathNotDecoded {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for (rule, found) in loose_paths(context) {
            if found.text.as_deref() == Some("") || found.has("URL_DECODE") != Some(false) {
                continue;
            }
            let message = format!(
                "{} looks for {} in the path as it was sent: an encoded letter goes past it",
                rule.title(),
                found.in_words()
            );
            findings
                .add(rule.place().member("TextTransformations"), message)
                .help("add the transformation URL_DECODE, before the others");
        }
    }
}
