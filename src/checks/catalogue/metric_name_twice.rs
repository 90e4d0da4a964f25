//! `metric-name-twice`: two rules share one metric, or its name is taken.

use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct MetricNameTwice;

const ABOUT: About = About {
    id: "metric-name-twice",
    title: "Two rules share one metric, or its name is taken",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/metric-name-twice.md"),
};

impl Check for MetricNameTwice {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for acl in &context.deployment.acls {
            for (place, rule) in acl.rules.iter().enumerate() {
                let Some(metric) = rule.metric.as_deref() else { continue };
                let before =
                    acl.rules[..place].iter().find(|it| it.metric.as_deref() == Some(metric));
                let at = rule.place().member("MetricName");
                if let Some(other) = before {
                    findings
                        .add(
                            at,
                            format!(
                                "{} and {} share the metric `{metric}`",
                                other.title(),
                                rule.title()
                            ),
                        )
                        .help("give each rule a metric name of its own")
                        .related(other.place().member("MetricName"), "the other rule");
                } else if matches!(metric, "All" | "ALL" | "Default_Action") {
                    findings
                        .add(
                            at,
                            format!(
                                "{} has the metric `{metric}`, which is WAF's own",
                                rule.title()
                            ),
                        )
                        .help("give the rule's metric another name");
                } else if acl.metric.as_deref() == Some(metric) {
                    findings
                        .add(
                            at,
                            format!("{} has the metric name of its {}", rule.title(), acl.title()),
                        )
                        .help("give the rule's metric another name")
                        .severity(Severity::Warning);
                }
            }
        }
    }
}
