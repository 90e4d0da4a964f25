//! Why rules cannot be written in a dialect.

use crate::wafv2;

/// Something that a dialect cannot express: refused, never dropped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// AWS WAF itself cannot.
    #[error(transparent)]
    Waf(#[from] wafv2::Error),
    /// A regional web ACL.
    #[error(
        "`scope: regional` (region {region}) cannot be written yet: the association with a load balancer or an API and the Region dimension of its alarms are missing; use `scope: cloudfront`"
    )]
    Regional {
        /// The Region.
        region: String,
    },
    /// A search string that is no text.
    #[error(
        "rule `{rule}`: the path to look for is no UTF-8 text ({text}), and Terraform strings are; match a beginning or an end of it, or use `spelling: strict`"
    )]
    NotText {
        /// The rule.
        rule: String,
        /// The bytes, escaped.
        text: String,
    },
    /// A search string that Terraform would change.
    #[error(
        "rule `{rule}`: Terraform would change `{text}` to Unicode normal form C, and then it would not match; match a beginning or an end of it"
    )]
    NotNormal {
        /// The rule.
        rule: String,
        /// The text.
        text: String,
    },
    /// An SNS topic that alarms cannot report to.
    #[error("the alarm topic `{arn}` cannot be used: {reason}")]
    Topic {
        /// As given.
        arn: String,
        /// Why.
        reason: &'static str,
    },
    /// Two names that would be one in Terraform.
    #[error(
        "`{first}` and `{second}` would both be called `{label}` in Terraform; rename one of them"
    )]
    SameLabel {
        /// One name.
        first: String,
        /// The other.
        second: String,
        /// What both become.
        label: String,
    },
}
