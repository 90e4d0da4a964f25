//! `path-case`: a path is matched in one spelling of its letters only.

use crate::checks::paths::loose_paths;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct PathCase;

const ABOUT: About = About {
    id: "path-case",
    title: "A path is matched in one spelling of its letters only",
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    page: include_str!("../../../docs/checks/path-case.md"),
};

impl Check for PathCase {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for (rule, found) in loose_paths(context) {
            let text = found.text.as_deref().unwrap_or_default();
            if text.starts_with("(?i)") || !text.bytes().any(|byte| byte.is_ascii_alphabetic()) {
                continue;
            }
            if found.has("LOWERCASE") != Some(false) {
                continue;
            }
            let message = format!(
                "{} looks for {} in one spelling of its letters only",
                rule.title(),
                found.in_words()
            );
            findings.add(rule.place().member("TextTransformations"), message).help(
                "add the transformation LOWERCASE, and write what is looked for in lower case",
            );
        }
    }
}
