//! `twin-limit-too-low`: a tester's own limit is below what it did in the logs.

use crate::checks::whose::policy_of;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};
use crate::units::thousands;

/// The check.
#[derive(Debug)]
pub struct TwinLimitTooLow;

const ABOUT: About = About {
    id: "twin-limit-too-low",
    title: "A tester's own limit is below what it did in the logs",
    severity: Severity::Warning,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/twin-limit-too-low.md"),
};

impl Check for TwinLimitTooLow {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let Some(lock) = context.lock else { return };
        for (_, rule, rate) in context.rates() {
            let Some(name) = rule.name.as_deref() else { continue };
            let Some(policy) = policy_of(context, name) else { continue };
            let Some(limit) = rate.limit() else { continue };
            for route in &policy.routes {
                let Some(locked) = lock.route(&route.route.name) else { continue };
                if rate.window() != Some(locked.window.seconds().into()) {
                    continue;
                }
                for (network, &peak) in &locked.exempt_peaks {
                    if name != format!("{}-{}-{network}", policy.name, locked.name)
                        || limit > i64::from(peak)
                    {
                        continue;
                    }
                    let message = format!(
                        "{} allows {}, and the network `{network}` sent {} in that time: its own limit would stop it",
                        rule.title(),
                        rate.in_words(),
                        thousands(peak.into())
                    );
                    let finding = findings.add(rule.place().member("Limit"), message);
                    match locked.twin_floors.get(network) {
                        Some(floor) => finding
                            .help(format!("take at least {}", thousands(floor.requests().into()))),
                        None => finding.help("take at least twice that"),
                    };
                }
            }
        }
    }
}
