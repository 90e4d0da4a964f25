//! `alarm-rule-dimension`: an alarm's Rule dimension names no metric of a rule.

use crate::checks::alarms::{Stray, series, watchers};
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct AlarmRuleDimension;

const ABOUT: About = About {
    id: "alarm-rule-dimension",
    title: "An alarm's Rule dimension names no metric of a rule",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/alarm-rule-dimension.md"),
};

/// What a rule is to an alarm that may be meant for it.
const UNWATCHED: &str = "nobody watches this rule";

impl Check for AlarmRuleDimension {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let deployment = context.deployment;
        let all = series(deployment);
        let watched = watchers(&all);
        for series in &all {
            let place = series.alarm.place().member("Dimensions");
            let value = series.rule_value().unwrap_or_default();
            match series.stray(deployment) {
                Some(Stray::Name(rule)) => {
                    let metric = rule.metric.as_deref().unwrap_or_default();
                    findings
                        .add(place, format!("{} names the rule `{value}` in its dimension Rule, and that rule's metric is `{metric}`: it never sees a figure", series.title()))
                        .help(format!("write `{metric}`"))
                        .related(rule.place().member("MetricName"), "the metric");
                }
                Some(Stray::Nothing(_)) => {
                    let message = format!(
                        "{} looks at a rule with the metric `{value}`, and no rule has it",
                        series.title()
                    );
                    let finding = findings.add(place, message);
                    let rule = series.meant(deployment, &watched);
                    match rule.and_then(|rule| Some((rule, rule.metric.as_deref()?))) {
                        Some((rule, metric)) => finding
                            .help(format!("if {} is meant, write `{metric}`", rule.title()))
                            .related(rule.place().member("MetricName"), UNWATCHED),
                        None => finding.help("write the metric name of a rule of this web ACL"),
                    };
                }
                Some(Stray::Missing(_)) => {
                    let message = format!(
                        "{} has no dimension Rule, and WAF writes no series without one",
                        series.title()
                    );
                    let finding = findings.add(place, message);
                    finding.help("name the metric of a rule, or `ALL` for the whole web ACL");
                    if let Some(rule) = series.meant(deployment, &watched) {
                        finding.related(rule.place().member("MetricName"), UNWATCHED);
                    }
                }
                None => {}
            }
        }
    }
}
