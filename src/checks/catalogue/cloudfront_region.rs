//! `cloudfront-region`: a web ACL for CloudFront is made outside us-east-1.

use crate::checks::{About, Check, Confidence, Context, Findings, Severity};
use crate::wafv2::Scope;

/// The check.
#[derive(Debug)]
pub struct CloudfrontRegion;

const ABOUT: About = About {
    id: "cloudfront-region",
    title: "A web ACL for CloudFront is made outside us-east-1",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/cloudfront-region.md"),
};

impl Check for CloudfrontRegion {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let deployment = context.deployment;
        let acls =
            deployment.acls.iter().map(|acl| (&acl.item, acl.scope, acl.place(), acl.title()));
        let sets = deployment.ip_sets.iter().map(|set| {
            (
                &set.item,
                set.scope,
                set.place(),
                format!("IP set `{}`", set.name.as_deref().unwrap_or(&set.item.address)),
            )
        });
        for (item, scope, place, title) in acls.chain(sets) {
            let Some(region) =
                item.region.as_deref().filter(|it| *it != "us-east-1" && *it != "global")
            else {
                continue;
            };
            if scope == Some(Scope::CloudFront) {
                findings
                    .add(
                        place.member("Scope"),
                        format!("{title} is of scope CLOUDFRONT and would be made in {region}"),
                    )
                    .help("make it in us-east-1");
            }
        }
    }
}
