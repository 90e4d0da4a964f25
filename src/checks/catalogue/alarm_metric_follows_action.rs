//! `alarm-metric-follows-action`: an alarm watches a metric that its rule never writes.

use crate::checks::alarms::series;
use crate::checks::model::RuleEffect;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct AlarmMetricFollowsAction;

const ABOUT: About = About {
    id: "alarm-metric-follows-action",
    title: "An alarm watches a metric that its rule never writes",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/alarm-metric-follows-action.md"),
};

/// What a rule of each action writes.
const METRICS: [(RuleEffect, &str); 5] = [
    (RuleEffect::Block, "BlockedRequests"),
    (RuleEffect::Count, "CountedRequests"),
    (RuleEffect::Captcha, "CaptchaRequests"),
    (RuleEffect::Challenge, "ChallengeRequests"),
    (RuleEffect::Allow, "AllowedRequests"),
];

impl Check for AlarmMetricFollowsAction {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let deployment = context.deployment;
        let series = series(deployment);
        // A group that is told to count writes other metrics than its rules say.
        let is_grouped = deployment
            .acls
            .iter()
            .flat_map(|acl| &acl.rules)
            .any(|it| it.effect() == Some(RuleEffect::GroupCounts));
        for one in &series {
            let ([(_, rule)], Some(metric)) = (one.rules.as_slice(), one.metric.as_deref()) else {
                continue;
            };
            if rule.rate().is_none() || one.no_metric().is_some() {
                continue;
            }
            let Some((_, wanted)) =
                METRICS.iter().find(|(effect, _)| rule.effect() == Some(*effect))
            else {
                continue;
            };
            if *wanted == metric || is_grouped {
                continue;
            }
            let follows = series
                .iter()
                .any(|other| other.metric.as_deref() == Some(wanted) && other.watches(rule));
            if follows {
                continue;
            }
            let message =
                format!("{} watches {metric}, and {} writes {wanted}", one.title(), rule.title());
            findings
                .add(one.alarm.place().member("MetricName"), message)
                .help(format!("watch {wanted}"))
                .related(rule.place().member("Action"), "the action");
        }
    }
}
