//! `path-not-normalized`: a path with a detour goes past the rule.

use crate::checks::paths::{How, loose_paths};
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct PathNotNormalized;

const ABOUT: About = About {
    id: "path-not-normalized",
    title: "A path with a detour goes past the rule",
    severity: Severity::Note,
    confidence: Confidence::Medium,
    page: include_str!("../../../docs/checks/path-not-normalized.md"),
};

impl Check for PathNotNormalized {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for (rule, found) in loose_paths(context) {
            let text = found.text.as_deref().unwrap_or_default();
            if matches!(found.how, How::Contains | How::EndsWith)
                || (found.how == How::Regex && !text.trim_start_matches("(?i)").starts_with('^'))
            {
                continue;
            }
            if found.has("NORMALIZE_PATH") != Some(false) {
                continue;
            }
            let message = format!(
                "{} looks for {} in the path as it was sent: `//` and `/./` go past it",
                rule.title(),
                found.in_words()
            );
            findings
                .add(rule.place().member("TextTransformations"), message)
                .help("add the transformation NORMALIZE_PATH");
        }
    }
}
