//! `key-per-path`: each path has a count of its own.

use crate::checks::paths::{Field, How, text_matches};
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct KeyPerPath;

const ABOUT: About = About {
    id: "key-per-path",
    title: "Each path has a count of its own",
    severity: Severity::Note,
    confidence: Confidence::Medium,
    page: include_str!("../../../docs/checks/key-per-path.md"),
};

impl Check for KeyPerPath {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for (_, rule, rate) in context.rates() {
            if !rate.key_parts().iter().any(|part| part.kind == "UriPath") {
                continue;
            }
            let paths: Vec<How> = rate
                .scope_down()
                .map(text_matches)
                .unwrap_or_default()
                .into_iter()
                .filter(|one| one.field == Field::Path && !one.is_excluded)
                .map(|one| one.how)
                .collect();
            if paths.is_empty() || paths.iter().any(|how| *how != How::Exactly) {
                let message = format!(
                    "{} gives each client its limit once for each path, and clients make up paths",
                    rule.title()
                );
                findings
                    .add(rule.place().member("CustomKeys"), message)
                    .help("count without the path, or match exact paths only");
            }
        }
    }
}
