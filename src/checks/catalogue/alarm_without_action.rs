//! `alarm-without-action`: an alarm on a rate rule does nothing when it fires.

use crate::checks::alarms::{alarms, title};
use crate::checks::whose::policy_of;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct AlarmWithoutAction;

const ABOUT: About = About {
    id: "alarm-without-action",
    title: "An alarm on a rate rule does nothing when it fires",
    severity: Severity::Warning,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/alarm-without-action.md"),
};

impl Check for AlarmWithoutAction {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for alarm in alarms(context.deployment) {
            let raw = &alarm.raw["AlarmActions"];
            let message = if !alarm.has_actions_enabled {
                format!("the actions of {} are switched off", title(alarm))
            } else if alarm.actions.is_empty() && (raw.is_null() || raw.is_array()) {
                format!("{} has no action: nobody is told", title(alarm))
            } else {
                continue;
            };
            let finding = findings.add(alarm.place().member("AlarmActions"), message);
            finding.help("give it an SNS topic that somebody reads");
            // The policy says until when they are off, and why.
            let policy = alarm.name.as_deref().and_then(|name| policy_of(context, name));
            let off = policy.and_then(|policy| policy.alarms.as_ref()?.off.as_ref());
            if !alarm.has_actions_enabled
                && off.is_some_and(|off| off.until.as_str() >= context.today.date_text().as_str())
            {
                finding.severity(Severity::Note);
            }
        }
    }
}
