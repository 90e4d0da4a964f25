//! `alarm-never-fires`: an alarm on a WAF metric cannot fire as it is set.

use crate::checks::alarms::{alarms, series, title};
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct AlarmNeverFires;

const ABOUT: About = About {
    id: "alarm-never-fires",
    title: "An alarm on a WAF metric cannot fire as it is set",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/alarm-never-fires.md"),
};

impl Check for AlarmNeverFires {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for alarm in alarms(context.deployment) {
            let raw = &alarm.raw;
            let (points, periods) =
                (raw["DatapointsToAlarm"].as_i64(), raw["EvaluationPeriods"].as_i64());
            if let (Some(points), Some(periods)) = (points, periods)
                && points > periods
            {
                let message = format!("{} wants {points} datapoints of {periods}", title(alarm));
                findings
                    .add(alarm.place().member("DatapointsToAlarm"), message)
                    .help("ask for no more datapoints than there are evaluation periods");
            }
            if raw["ComparisonOperator"].as_str().is_some_and(|it| it.starts_with("LessThan")) {
                let message = format!(
                    "{} fires when there is less than its threshold, and WAF sends no figure when there is nothing",
                    title(alarm)
                );
                findings
                    .add(alarm.place().member("ComparisonOperator"), message)
                    .help("compare with GreaterThanThreshold");
            }
            let has_metric = !raw["MetricName"].is_null() || !raw["Metrics"].is_null();
            if !has_metric {
                findings
                    .add(alarm.place(), format!("{} names no metric", title(alarm)))
                    .help("name BlockedRequests, or CountedRequests while the rule counts");
            }
        }
        for series in series(context.deployment) {
            let Some(statistic) = series.statistic.as_str().filter(|it| *it != "Sum") else {
                continue;
            };
            findings
                .add(
                    series.alarm.place().member("Statistic"),
                    format!(
                        "{} takes the {statistic} of figures that have to be summed",
                        series.title()
                    ),
                )
                .help("use Sum")
                .severity(Severity::Warning);
        }
    }
}
