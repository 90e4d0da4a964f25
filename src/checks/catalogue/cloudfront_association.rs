//! `cloudfront-association`: a web ACL is tied to a distribution in a way that does not work.

use crate::checks::marker;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};
use crate::wafv2::Scope;

/// The check.
#[derive(Debug)]
pub struct CloudfrontAssociation;

const ABOUT: About = About {
    id: "cloudfront-association",
    title: "A web ACL is tied to a distribution in a way that does not work",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/cloudfront-association.md"),
};

impl Check for CloudfrontAssociation {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let deployment = context.deployment;
        for distribution in &deployment.distributions {
            let value = &distribution.web_acl;
            let place = distribution.place().member("WebACLId");
            let by_id = marker::resource(value).is_some_and(|(_, attribute)| attribute == "Id");
            let is_text_id =
                value.as_str().is_some_and(|it| !it.is_empty() && !it.starts_with("arn:"));
            if by_id || is_text_id {
                findings
                    .add(
                        place,
                        format!(
                            "the distribution `{}` takes the id of a web ACL, not its ARN",
                            distribution.item.address
                        ),
                    )
                    .help("write the web ACL's `arn`");
                continue;
            }
            if let Some(acl) = deployment.web_acl(value, &distribution.item)
                && acl.scope == Some(Scope::Regional)
            {
                findings
                    .add(
                        place,
                        format!(
                            "the distribution `{}` takes {}, which is regional",
                            distribution.item.address,
                            acl.title()
                        ),
                    )
                    .help("give it a web ACL of scope CLOUDFRONT")
                    .related(acl.place().member("Scope"), "is regional");
            }
        }
        for association in &deployment.associations {
            let Some(acl) = deployment.web_acl(&association.web_acl, &association.item) else {
                continue;
            };
            if acl.scope == Some(Scope::CloudFront) {
                findings
                    .add(
                        association.place(),
                        format!(
                            "{} is CloudFront's, and an association is for regional resources",
                            acl.title()
                        ),
                    )
                    .help("set the distribution's web_acl_id to the web ACL's ARN")
                    .related(acl.place().member("Scope"), "is CloudFront's");
            }
        }
    }
}
