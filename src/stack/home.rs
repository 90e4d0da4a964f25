//! Where a stack lives.

use crate::rules::{self, RuleSet};
use crate::wafv2::Scope;

/// The Region of everything that belongs to a web ACL for CloudFront (guide, "how-aws-waf-works").
pub const CLOUDFRONT_REGION: &str = "us-east-1";

/// Scope and Region of all resources but the guard's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Home {
    /// In front of CloudFront, or of something in a Region.
    pub scope: Scope,
    /// Such as `us-east-1`, which it always is in front of CloudFront.
    pub region: String,
}

impl Home {
    /// What a reader of the alarms should know of their dimensions.
    #[must_use]
    pub const fn about_metrics(&self) -> &'static str {
        match self.scope {
            Scope::CloudFront => {
                "A web ACL for CloudFront has metrics without a Region dimension: with one, an alarm sees no data \
                 and stays green. Figures are sent only when there is something to count."
            }
            Scope::Regional => {
                "A regional web ACL has metrics with a Region dimension: without it, an alarm sees no data and \
                 stays green. Figures are sent only when there is something to count."
            }
        }
    }

    pub(super) fn of(set: &RuleSet) -> Self {
        match &set.scope {
            rules::Scope::CloudFront => {
                Self { scope: Scope::CloudFront, region: CLOUDFRONT_REGION.to_owned() }
            }
            rules::Scope::Regional { region } => {
                Self { scope: Scope::Regional, region: region.clone() }
            }
        }
    }
}
