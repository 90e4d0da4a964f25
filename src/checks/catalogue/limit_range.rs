//! Limits that AWS refuses. Terraform does not look at them as soon as one value of the web ACL is not known
//! yet.

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

impl Check for LimitRange {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for (acl, rule, rate) in context.rates() {
            let Some(limit) = rate.limit() else { continue };
            if (i64::from(MINIMUM_LIMIT)..=i64::from(MAXIMUM_LIMIT)).contains(&limit) {
                continue;
            }
            let message = format!("{} of {} has the limit {limit}", rule.title(), acl.title());
            findings
                .add(rule.place().member("Limit"), message)
                .help("AWS takes 10 to 2,000,000,000 requests per window");
        }
    }
}
