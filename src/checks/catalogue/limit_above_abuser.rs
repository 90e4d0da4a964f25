//! `limit-above-abuser`: the limit lets clients pass that were abusive in the logs.

use super::limit_below_normal::compared;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};
use crate::units::thousands;

/// The check.
#[derive(Debug)]
pub struct LimitAboveAbuser;

const ABOUT: About = About {
    id: "limit-above-abuser",
    title: "The limit lets clients pass that were abusive in the logs",
    severity: Severity::Warning,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/limit-above-abuser.md"),
};

impl Check for LimitAboveAbuser {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for (acl, rule, rate) in context.rates() {
            let Some((limit, locked)) = compared(context, rule) else { continue };
            let Some(upper) = locked.upper.map(i64::from).filter(|upper| limit >= *upper) else {
                continue;
            };
            // A second, higher limit for an alarm stands beside the one that limits.
            let is_second = acl.rules.iter().any(|other| {
                other.name != rule.name
                    && compared(context, other)
                        .is_some_and(|(lower, same)| same.name == locked.name && lower < limit)
            });
            if is_second {
                continue;
            }
            let message = format!(
                "{} allows {}, and the weakest abusive client of `{}` sent {} in that time: it is not limited",
                rule.title(),
                rate.in_words(),
                locked.name,
                thousands(upper.unsigned_abs())
            );
            let finding = findings.add(rule.place().member("Limit"), message);
            if let Some(proposed) = locked.limit {
                finding.help(format!("the logs propose {}", thousands(proposed.requests().into())));
            }
        }
    }
}
