//! `alarm-missing-data`: an alarm does not take missing figures for zero.

use crate::checks::alarms::{alarms, title};
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct AlarmMissingData;

const ABOUT: About = About {
    id: "alarm-missing-data",
    title: "An alarm does not take missing figures for zero",
    severity: Severity::Warning,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/alarm-missing-data.md"),
};

impl Check for AlarmMissingData {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for alarm in alarms(context.deployment) {
            let treats = &alarm.raw["TreatMissingData"];
            let word = match treats.as_str() {
                Some("notBreaching") => continue,
                Some(word) => word,
                None if treats.is_null() => "missing",
                None => continue,
            };
            let message = format!(
                "{} treats missing figures as `{word}`, and WAF sends none while there is nothing to count",
                title(alarm)
            );
            findings
                .add(alarm.place().member("TreatMissingData"), message)
                .help("treat them as notBreaching");
        }
    }
}
