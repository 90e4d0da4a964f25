//! `limit-not-for-window`: the limit was made for another evaluation window.

use crate::checks::{About, Check, Confidence, Context, Findings, Severity};
use crate::units::thousands;

/// The check.
#[derive(Debug)]
pub struct LimitNotForWindow;

const ABOUT: About = About {
    id: "limit-not-for-window",
    title: "The limit was made for another evaluation window",
    severity: Severity::Warning,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/limit-not-for-window.md"),
};

impl Check for LimitNotForWindow {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for (_, rule, rate) in context.rates() {
            let Some(evidence) = context.evidence(rule) else { continue };
            let (Some(window), Some(limit)) = (rate.window(), rate.limit()) else { continue };
            let locked = evidence.locked;
            let wanted = i64::from(locked.window.seconds());
            if window == wanted {
                continue;
            }
            let message = format!(
                "{} looks at {window} seconds with a limit of {}, and the evidence about `{}` is for {wanted} seconds",
                rule.title(),
                thousands(limit.unsigned_abs()),
                locked.name
            );
            findings
                .add(rule.place().member("EvaluationWindowSec"), message)
                .help("use the window of the lock, or analyze the logs with this one");
        }
    }
}
