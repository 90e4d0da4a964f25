//! `path-case`: a path is matched in one spelling of its letters only.

use crate::checks::model::Rule;
use crate::checks::paths::{Field, text_matches};
use crate::checks::whose::policy_of;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};
use crate::rules::Spelling;

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
        for (_, rule, _) in context.rates() {
            if is_strict(context, rule) {
                continue;
            }
            for found in text_matches(rule.statement()) {
                let text = found.text.as_deref().unwrap_or_default();
                if found.field != Field::Path
                    || found.is_excluded
                    || text.starts_with("(?i)")
                    || !text.bytes().any(|byte| byte.is_ascii_alphabetic())
                {
                    continue;
                }
                // A transformation that AWS does not know may have been meant so; statement-shape tells.
                let near = |one: &&str| one.replace('_', "") == "LOWERCASE";
                if found.has("LOWERCASE") != Some(false)
                    || found.transformations.iter().flatten().any(near)
                {
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
}

/// Whether the policy wants this rule to look at one spelling of its path only.
pub(super) fn is_strict(context: &Context<'_>, rule: &Rule) -> bool {
    let Some(name) = rule.name.as_deref() else { return false };
    let Some(policy) = policy_of(context, name) else { return false };
    policy.routes.iter().any(|route| {
        let own = format!("{}-{}", policy.name, route.route.name);
        route.route.spelling == Spelling::Strict
            && (name == own || name.starts_with(&format!("{own}-")))
    })
}
