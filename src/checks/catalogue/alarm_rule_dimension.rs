//! `alarm-rule-dimension`: an alarm's Rule dimension names no metric of a rule.

use crate::checks::alarms::{Named, series};
use crate::checks::model::{Acl, AclKind, Rule};
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

impl Check for AlarmRuleDimension {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let deployment = context.deployment;
        for series in series(deployment) {
            let acl = match series.named(deployment) {
                Named::This(acl) | Named::Wrongly(acl) => Some(acl),
                _ => None,
            };
            let place = series.alarm.place().member("Dimensions");
            let others = [
                "Rule",
                "RuleGroup",
                "LabelNamespace",
                "ManagedRuleGroup",
                "Country",
                "Attack",
                "Device",
            ];
            if series.dimensions.contains_key("WebACL")
                && !others.iter().any(|it| series.dimensions.contains_key(*it))
            {
                findings
                    .add(
                        place,
                        format!(
                            "{} has no dimension Rule, and WAF writes no series without one",
                            series.title()
                        ),
                    )
                    .help("name the metric of a rule, or `ALL` for the whole web ACL");
                continue;
            }
            let Some(value) = series.rule_value() else { continue };
            if matches!(value, "ALL" | "Default_Action") || !series.rules(deployment).is_empty() {
                continue;
            }
            let seen: Vec<&Acl> = deployment
                .acls
                .iter()
                .filter(|it| it.item.input == series.alarm.item.input)
                .filter(|it| {
                    it.kind != AclKind::WebAcl || acl.is_none_or(|acl| acl.item == it.item)
                })
                .collect();
            let named: Option<&Rule> = seen.iter().find_map(|it| it.rule(value));
            if let Some(rule) = named {
                let Some(metric) = &rule.metric else { continue };
                findings
                    .add(place, format!("{} names the rule `{value}` in its dimension Rule, and that rule's metric is `{metric}`: it never sees a figure", series.title()))
                    .help(format!("write `{metric}`"))
                    .related(rule.place().member("MetricName"), "the metric");
                continue;
            }
            let is_whole = seen
                .iter()
                .all(|it| it.has_all_rules && it.rules.iter().all(|rule| rule.metric.is_some()));
            // Managed and foreign groups write metrics of their own rules under other dimensions.
            if acl.is_some_and(|acl| is_whole && acl.kind == AclKind::WebAcl)
                && !series.dimensions.contains_key("RuleGroup")
            {
                findings
                    .add(
                        place,
                        format!(
                            "{} looks at a rule with the metric `{value}`, and no rule has it",
                            series.title()
                        ),
                    )
                    .help("write the metric name of a rule of this web ACL");
            }
        }
    }
}
