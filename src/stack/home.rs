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
