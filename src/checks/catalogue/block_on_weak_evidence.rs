//! `block-on-weak-evidence`: a rule blocks although the logs gave no clear limit.

use crate::checks::model::RuleEffect;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};
use crate::policy::{Grade, LimitChoice};

/// The check.
#[derive(Debug)]
pub struct BlockOnWeakEvidence;

const ABOUT: About = About {
    id: "block-on-weak-evidence",
    title: "A rule blocks although the logs gave no clear limit",
    severity: Severity::Note,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/block-on-weak-evidence.md"),
};

impl Check for BlockOnWeakEvidence {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for (_, rule, _) in context.rates() {
            let Some(evidence) = context.evidence(rule) else { continue };
            let decided = evidence.route.is_some_and(|route| {
                route.accept_weak || matches!(route.limit, LimitChoice::Pinned(_))
            });
            let locked = evidence.locked;
            if rule.effect() != Some(RuleEffect::Block) || locked.grade == Grade::Clear || decided {
                continue;
            }
            let why = match locked.grade {
                Grade::None if !locked.reason.is_empty() => {
                    format!("give no limit ({})", locked.reason)
                }
                Grade::None => "give no limit".to_owned(),
                _ => "give a limit that is not clear".to_owned(),
            };
            let message =
                format!("{} blocks, and the logs of `{}` {why}", rule.title(), locked.name);
            findings
                .add(rule.place().member("Action"), message)
                .help("let it count until the logs say more, or write `accept_weak: true`");
        }
    }
}
