//! `logging-redacts-evidence`: the log redacts what limits are made from.

use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct LoggingRedactsEvidence;

const ABOUT: About = About {
    id: "logging-redacts-evidence",
    title: "The log redacts what limits are made from",
    severity: Severity::Note,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/logging-redacts-evidence.md"),
};

impl Check for LoggingRedactsEvidence {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for logging in &context.deployment.loggings {
            for field in &logging.redacted {
                let what =
                    match field.as_object().and_then(|it| it.keys().next()).map(String::as_str) {
                        Some("UriPath") => "the path",
                        Some("Method") => "the method",
                        _ => continue,
                    };
                findings
                    .add(
                        logging.place().member("RedactedFields"),
                        format!("the log hides {what}, by which limits are told apart"),
                    )
                    .help("keep path and method in the log");
            }
        }
    }
}
