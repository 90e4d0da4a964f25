//! `trailing-slash`: the path with a slash at its end is not counted.

use std::cell::LazyCell;

use crate::checks::paths::{Field, How, loose_rules, text_matches};
use crate::checks::requests::{Requests, counts};
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct TrailingSlash;

const ABOUT: About = About {
    id: "trailing-slash",
    title: "The path with a slash at its end is not counted",
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    page: include_str!("../../../docs/checks/trailing-slash.md"),
};

impl Check for TrailingSlash {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let deployment = context.deployment;
        for rule in loose_rules(context) {
            let requests = LazyCell::new(|| Requests::of(deployment, &[rule]));
            let mut told: Vec<String> = Vec::new();
            for found in text_matches(rule.statement()) {
                let Some(path) = found.text.as_deref() else { continue };
                let last = path.rsplit('/').next().unwrap_or_default();
                let is_page =
                    found.how == How::Exactly && !path.ends_with('/') && !last.contains('.');
                if found.field != Field::Path
                    || found.is_excluded
                    || !is_page
                    || told.iter().any(|it| it == path)
                {
                    continue;
                }
                let escapes =
                    requests.all().iter().filter(|sample| sample.path == path).any(|sample| {
                        let mut slashed = sample.clone();
                        slashed.path.push('/');
                        counts(deployment, rule, sample) == Some(true)
                            && counts(deployment, rule, &slashed) == Some(false)
                    });
                if escapes {
                    told.push(path.to_owned());
                    findings
                        .add(
                            rule.place().member("SearchString"),
                            format!("{} counts {path} and not {path}/", rule.title()),
                        )
                        .help("match both, or the beginning of the path");
                }
            }
        }
    }
}
