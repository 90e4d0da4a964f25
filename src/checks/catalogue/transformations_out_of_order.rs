//! `transformations-out-of-order`: a transformation runs before the one that it needs.

use crate::checks::paths::{Field, text_matches};
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct TransformationsOutOfOrder;

const ABOUT: About = About {
    id: "transformations-out-of-order",
    title: "A transformation runs before the one that it needs",
    severity: Severity::Warning,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/transformations-out-of-order.md"),
};

impl Check for TransformationsOutOfOrder {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for (_, rule, _) in context.rates() {
            for found in text_matches(rule.statement()) {
                let Some(order) = &found.transformations else { continue };
                if found.field != Field::Path {
                    continue;
                }
                let Some(decode) = order.iter().rposition(|one| one.starts_with("URL_DECODE"))
                else {
                    continue;
                };
                for needs in ["LOWERCASE", "NORMALIZE_PATH"] {
                    let last = order.iter().rposition(|one| one.starts_with(needs));
                    if last.is_some_and(|last| last < decode) {
                        let message = format!(
                            "{} runs {needs} before URL_DECODE on {}: an encoded character goes past it",
                            rule.title(),
                            found.in_words()
                        );
                        findings
                            .add(rule.place().member("TextTransformations"), message)
                            .help("number them URL_DECODE, NORMALIZE_PATH, LOWERCASE");
                    }
                }
            }
        }
    }
}
