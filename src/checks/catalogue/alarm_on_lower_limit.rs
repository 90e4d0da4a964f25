//! `alarm-on-lower-limit`: of two rules for the same requests the alarm watches the lower one.

use crate::checks::alarms::series;
use crate::checks::model::Rule;
use crate::checks::requests::{Requests, key, speed};
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct AlarmOnLowerLimit;

const ABOUT: About = About {
    id: "alarm-on-lower-limit",
    title: "Of two rules for the same requests the alarm watches the lower one",
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    page: include_str!("../../../docs/checks/alarm-on-lower-limit.md"),
};

impl Check for AlarmOnLowerLimit {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let deployment = context.deployment;
        let series = series(deployment);
        let watches = |rule: &Rule| {
            series.iter().find(|one| {
                one.rules(deployment)
                    .iter()
                    .any(|(_, it)| it.item == rule.item && it.name == rule.name)
            })
        };
        for acl in &deployment.acls {
            for lower in acl.rules.iter().filter(|rule| rule.rate().is_some()) {
                let Some(watching) = watches(lower) else { continue };
                for higher in acl.rules.iter().filter(|rule| rule.name != lower.name) {
                    let (Some(low), Some(high)) = (lower.rate(), higher.rate()) else { continue };
                    let (Some(slow), Some(fast)) = (speed(low), speed(high)) else { continue };
                    if slow >= fast
                        || key(low).is_none()
                        || key(low) != key(high)
                        || watches(higher).is_some()
                    {
                        continue;
                    }
                    if !Requests::of(deployment, &[lower, higher]).same(lower, higher) {
                        continue;
                    }
                    let message = format!(
                        "{} watches {} ({}), and nothing watches {} ({}) over the same requests",
                        watching.title(),
                        lower.title(),
                        low.in_words(),
                        higher.title(),
                        high.in_words()
                    );
                    findings
                        .add(watching.alarm.place().member("Dimensions"), message)
                        .help("let the alarm look at the rule with the higher limit")
                        .related(higher.place(), "has no alarm");
                }
            }
        }
    }
}
