//! Limits that AWS refuses. Terraform does not look at them as soon as one value of the web ACL is not known
//! yet.

use serde_json::Value;

use crate::checks::marker;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};
use crate::quotas::{MAXIMUM_LIMIT, MINIMUM_LIMIT};

/// The check.
#[derive(Debug)]
pub struct LimitRange;

const ABOUT: About = About {
    id: "limit-range",
    title: "A limit that AWS does not take",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/limit-range.md"),
};

const HELP: &str = "AWS takes 10 to 2,000,000,000 requests per window";

impl Check for LimitRange {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for (acl, rule, rate) in context.rates() {
            let Some(limit) = rate.limit() else {
                let raw = &rate.raw["Limit"];
                let what = match raw {
                    _ if marker::is_unknown(raw) || marker::is_hidden(raw) => continue,
                    Value::Null => "no limit".to_owned(),
                    other => format!("the limit `{}`, which is no whole number", words(other)),
                };
                let message = format!("{} of {} has {what}", rule.title(), acl.title());
                findings.add(rule.place().member("Limit"), message).help(HELP);
                continue;
            };
            if (i64::from(MINIMUM_LIMIT)..=i64::from(MAXIMUM_LIMIT)).contains(&limit) {
                continue;
            }
            let message = format!("{} of {} has the limit {limit}", rule.title(), acl.title());
            findings.add(rule.place().member("Limit"), message).help(HELP);
        }
    }
}

/// A value as it is written.
pub(super) fn words(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
