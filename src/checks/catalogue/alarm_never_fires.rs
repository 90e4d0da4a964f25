//! `alarm-never-fires`: an alarm on a WAF metric cannot fire as it is set, or always does.

use crate::checks::alarms::{METRICS, NAMESPACE, alarms, misspelt, misspelt_series, series, title};
use crate::checks::shapes::nearest;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct AlarmNeverFires;

const ABOUT: About = About {
    id: "alarm-never-fires",
    title: "An alarm on a WAF metric cannot fire as it is set, or always does",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/alarm-never-fires.md"),
};

/// What a rule is to an alarm that would watch it.
const MEANT: &str = "the rule that it is to watch";

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
            let operator = raw["ComparisonOperator"].as_str().unwrap_or_default();
            let always = match operator {
                "GreaterThanThreshold" => alarm.threshold.is_some_and(|it| it < 0.0),
                "GreaterThanOrEqualToThreshold" => alarm.threshold.is_some_and(|it| it <= 0.0),
                _ => false,
            };
            if always && raw["Metrics"].is_null() {
                let message = format!(
                    "{} fires at every figure that WAF sends: its threshold is {}",
                    title(alarm),
                    alarm.threshold.unwrap_or_default()
                );
                findings
                    .add(alarm.place().member("Threshold"), message)
                    .help("0 with GreaterThanThreshold fires at the first request")
                    .severity(Severity::Warning);
            }
            let has_metric = !raw["MetricName"].is_null() || !raw["Metrics"].is_null();
            if !has_metric {
                findings
                    .add(alarm.place(), format!("{} names no metric", title(alarm)))
                    .help("name BlockedRequests, or CountedRequests while the rule counts");
            }
        }
        for one in misspelt_series(context.deployment) {
            let namespace = misspelt(one.alarm).unwrap_or_default();
            let message = format!(
                "{} looks into the namespace `{namespace}`, where web ACLs write nothing",
                one.title()
            );
            let finding = findings.add(one.alarm.place().member("Namespace"), message);
            finding.help(format!("write `{NAMESPACE}`"));
            for (_, rule) in &one.rules {
                finding.related(rule.place(), MEANT);
            }
        }
        for series in series(context.deployment) {
            if let Some(metric) = series.no_metric() {
                let message =
                    format!("{} watches `{metric}`, which WAF never writes", series.title());
                let finding = findings.add(series.alarm.place().member("MetricName"), message);
                for (_, rule) in &series.rules {
                    finding.related(rule.place(), MEANT);
                }
                finding.help(match nearest(metric, METRICS.into_iter()) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => {
                        "watch BlockedRequests, or CountedRequests while the rule counts".to_owned()
                    }
                });
            }
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
