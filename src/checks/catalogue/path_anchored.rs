//! `path-anchored`: an expression ends where sub-paths begin.

use crate::checks::model::Sample;
use crate::checks::paths::literal;
use crate::checks::paths::{Field, How, text_matches};
use crate::checks::requests::{Requests, counts};
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct PathAnchored;

const ABOUT: About = About {
    id: "path-anchored",
    title: "An expression ends where sub-paths begin",
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    page: include_str!("../../../docs/checks/path-anchored.md"),
};

impl Check for PathAnchored {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let deployment = context.deployment;
        for (_, rule, _) in context.rates() {
            for found in text_matches(rule.statement()) {
                let Some(text) = found.text.as_deref() else { continue };
                let is_anchored =
                    found.how == How::Regex && text.ends_with('$') && !text.ends_with("\\$");
                if found.field != Field::Path || found.is_excluded || !is_anchored {
                    continue;
                }
                let Some(path) = literal(text) else { continue };
                let below = format!("{path}/vk");
                let requests = Requests::of(deployment, &[rule]);
                let escapes = |sample: &&Sample| {
                    let mut deeper = (*sample).clone();
                    deeper.path.clone_from(&below);
                    sample.path == path
                        && counts(deployment, rule, sample) == Some(true)
                        && counts(deployment, rule, &deeper) == Some(false)
                };
                if requests.all().iter().any(|sample| escapes(&sample)) {
                    let message = format!(
                        "{} counts {path} and nothing below it, such as {path}/…",
                        rule.title()
                    );
                    findings
                        .add(rule.place().member("RegexString"), message)
                        .help("end the expression with (/|$), or match the beginning of the path");
                }
            }
        }
    }
}
