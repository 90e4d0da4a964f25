//! `alarm-never-fires`: an alarm on a WAF metric cannot fire as it is set, or always does.

use crate::checks::alarms::{METRICS, NAMESPACE, alarms, series, title};
use crate::checks::model::Alarm;
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
        for alarm in &context.deployment.alarms {
            if let Some(namespace) = misspelt(alarm) {
                let message = format!(
                    "{} looks into the namespace `{namespace}`, where web ACLs write nothing",
                    title(alarm)
                );
                findings
                    .add(alarm.place().member("Namespace"), message)
                    .help(format!("write `{NAMESPACE}`"));
            }
        }
        for series in series(context.deployment) {
            if let Some(metric) = series.no_metric() {
                let message =
                    format!("{} watches `{metric}`, which WAF never writes", series.title());
                let finding = findings.add(series.alarm.place().member("MetricName"), message);
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

/// The namespace of an alarm with the dimensions of a web ACL, if it is nearly WAF's.
fn misspelt(alarm: &Alarm) -> Option<&str> {
    let namespace = alarm.namespace.as_deref().filter(|it| *it != NAMESPACE)?;
    let letters: String = namespace.chars().filter(char::is_ascii_alphanumeric).collect();
    let is_near = ["WAF", "WAFV2", "AWSWAF", "AWSWAFV2", "AWSWAF2"]
        .iter()
        .any(|one| letters.eq_ignore_ascii_case(one));
    // Classic web ACLs write into `WAF`, and may be meant.
    (is_near && namespace != "WAF" && alarm.dimensions.contains_key("WebACL")).then_some(namespace)
}
