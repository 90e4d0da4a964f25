//! `regional-behind-cloudfront`: a regional rule counts CloudFront's own servers as clients.

use crate::checks::linked::mentions;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};
use crate::wafv2::Scope;

/// The check.
#[derive(Debug)]
pub struct RegionalBehindCloudfront;

const ABOUT: About = About {
    id: "regional-behind-cloudfront",
    title: "A regional rule counts CloudFront's own servers as clients",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/regional-behind-cloudfront.md"),
};

impl Check for RegionalBehindCloudfront {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let deployment = context.deployment;
        for association in &deployment.associations {
            let Some(acl) = deployment.web_acl(&association.web_acl, &association.item) else {
                continue;
            };
            if acl.scope != Some(Scope::Regional) {
                continue;
            }
            let origin = deployment.distributions.iter().find(|distribution| {
                distribution
                    .origins
                    .iter()
                    .any(|origin| mentions(deployment, &origin.domain, &association.resource))
            });
            let Some(distribution) = origin else { continue };
            for rule in &acl.rules {
                let Some(rate) = rule.rate() else { continue };
                let by_address = rate.key_type() == Some("IP")
                    || rate.key_parts().iter().any(|part| part.kind == "IP");
                if !by_address {
                    continue;
                }
                let message = format!(
                    "{} counts by IP behind CloudFront: what it counts are CloudFront's servers, with many users each",
                    rule.title()
                );
                findings
                    .add(rule.place().member("AggregateKeyType"), message)
                    .help("put the limit into a web ACL of scope CLOUDFRONT at the distribution")
                    .related(distribution.place(), "stands before it");
            }
        }
    }
}
