//! `rate-rule-without-alarm`: nobody is told when a rate rule acts.

use std::collections::HashSet;

use crate::checks::alarms::{meant, misspelt_series, series};
use crate::checks::model::Rule;
use crate::checks::requests::Requests;
use crate::checks::whose::policy_of;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct RateRuleWithoutAlarm;

const ABOUT: About = About {
    id: "rate-rule-without-alarm",
    title: "Nobody is told when a rate rule acts",
    severity: Severity::Warning,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/rate-rule-without-alarm.md"),
};

impl Check for RateRuleWithoutAlarm {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let deployment = context.deployment;
        let series = series(deployment);
        // Who knows what an alarm looks at whose dimensions are not known.
        let misspelt = misspelt_series(deployment);
        let is_open = series.iter().chain(&misspelt).any(|one| !one.is_known());
        let mut rules: HashSet<*const Rule> = HashSet::new();
        for one in &series {
            rules.extend(one.covered().map(std::ptr::from_ref));
        }
        // An alarm that is to watch a rule and has a fault is one finding, and that is the alarm's.
        rules.extend(meant(deployment, &series).into_iter().map(std::ptr::from_ref));
        let watched = |rule: &Rule| is_open || rules.contains(&std::ptr::from_ref(rule));
        for (acl, rule, _) in context.rates() {
            // What the API prints of a web ACL says nothing about alarms.
            let is_told = deployment.would_show("AWS::CloudWatch::Alarm", &acl.item);
            if !is_told || rule.metric.is_none() || watched(rule) {
                continue;
            }
            let beside = acl
                .rules
                .iter()
                .filter(|other| other.rate().is_some() && !std::ptr::eq(*other, rule));
            let shares = beside
                .filter(|other| watched(other))
                .any(|other| Requests::of(deployment, &[rule, other]).same(rule, other));
            if shares {
                continue;
            }
            let finding = findings.add(
                rule.place(),
                format!("nobody is told when {} of {} acts", rule.title(), acl.title()),
            );
            finding.help("add an alarm on BlockedRequests with the dimensions WebACL and Rule");
            let own = rule.name.as_deref().and_then(|name| policy_of(context, name));
            if own.or(context.policy).is_some_and(|policy| policy.alarms.is_none()) {
                finding.severity(Severity::Note);
            }
        }
    }
}
