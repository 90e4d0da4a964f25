//! `limit-below-normal`: the limit would limit clients that were normal in the logs.

use crate::checks::model::{Rule, RuleEffect};
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};
use crate::policy::LockRoute;
use crate::units::{count, thousands};

/// The check.
#[derive(Debug)]
pub struct LimitBelowNormal;

const ABOUT: About = About {
    id: "limit-below-normal",
    title: "The limit would limit clients that were normal in the logs",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/limit-below-normal.md"),
};

impl Check for LimitBelowNormal {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for (_, rule, rate) in context.rates() {
            let Some((limit, locked)) = compared(context, rule) else { continue };
            let Some(lower) = locked.lower.map(i64::from).filter(|lower| limit <= *lower) else {
                continue;
            };
            let listed = locked.near_misses.below.iter().chain(&locked.near_misses.above);
            let normal = listed.filter(|one| (limit + 1..=lower).contains(&i64::from(one.peak)));
            let hit = count(normal.count().max(1) as u64, "normal client", "normal clients");
            let message = format!(
                "{} allows {}, and the busiest normal client of `{}` sent {} in that time: at least {hit} of the logs would be limited",
                rule.title(),
                rate.in_words(),
                locked.name,
                thousands(lower.unsigned_abs())
            );
            let finding = findings.add(rule.place().member("Limit"), message);
            if let Some(proposed) = locked.limit {
                finding.help(format!("the logs propose {}", thousands(proposed.requests().into())));
            }
            if rule.effect() == Some(RuleEffect::Count) {
                finding.severity(Severity::Warning);
            }
        }
    }
}

/// The limit of a rule and the evidence about it, if they are of one window and count addresses.
pub(super) fn compared<'a>(context: &Context<'a>, rule: &Rule) -> Option<(i64, &'a LockRoute)> {
    let rate = rule.rate()?;
    let evidence = context.evidence(rule)?;
    let locked = evidence.locked;
    let same_window = rate.window() == Some(locked.window.seconds().into());
    let same_key = evidence.by_name || matches!(rate.key_type(), Some("IP" | "FORWARDED_IP"));
    let limit = rate.limit().filter(|_| same_window && same_key)?;
    Some((limit, locked))
}
