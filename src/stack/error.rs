//! Why a stack cannot be made.

use crate::wafv2;

/// Something that AWS would refuse, or that two parts of a policy do not allow together. Found before
/// anything is written, each with the way out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// AWS WAF itself cannot.
    #[error(transparent)]
    Waf(#[from] wafv2::Error),
    /// Rule groups are not on any flat-rate plan (CloudFront guide, "flat-rate-pricing-plan").
    #[error(
        "the pricing plan `{plan}` has no rule groups, so rules cannot join a web ACL as one; write `form: rules` under `web_acl`"
    )]
    GroupOnPlan {
        /// The plan.
        plan: &'static str,
    },
    /// A rule group with the name of one of its rules: their metrics could not be told apart.
    #[error("the rule group and the rule `{name}` would have one name; rename the route")]
    GroupName {
        /// The name.
        name: String,
    },
    /// A rule whose scope-down is too deep for a rule that stands alone.
    #[error(
        "the rule `{rule}` cannot join a web ACL as a single rule: its scope-down needs `and`, `or` or `not`, and `aws_wafv2_web_acl_rule` takes one condition; write `form: rule_group` under `web_acl`, or give the route one path with `spelling: strict`, without methods, host, testers and exemptions"
    )]
    NotSingle {
        /// The rule.
        rule: String,
    },
    /// A body that would have to stand in somebody else's web ACL.
    #[error(
        "the rule `{rule}` cannot join a web ACL as a single rule with a response body, because bodies belong to the web ACL; write `response: {{ body: '' }}` under `defaults`, or `form: rule_group` under `web_acl`"
    )]
    BodyOfSingle {
        /// The rule.
        rule: String,
    },
    /// An SNS topic that alarms cannot report to.
    #[error("the alarm topic `{arn}` cannot be used: {reason}")]
    Topic {
        /// As given.
        arn: String,
        /// Why.
        reason: String,
    },
    /// A resource that a web ACL cannot stand before.
    #[error("the web ACL cannot stand before `{arn}`: {reason}")]
    Association {
        /// As given.
        arn: String,
        /// Why.
        reason: String,
    },
    /// A log destination that WAF does not take.
    #[error("WAF cannot log to `{name}`: {reason}")]
    Logging {
        /// Its name.
        name: String,
        /// Why.
        reason: String,
    },
    /// A guard that cannot stand.
    #[error("the origin cannot be guarded: {0}")]
    Guard(String),
}
