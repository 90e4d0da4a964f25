//! `origin-reachable`: the API can be called around CloudFront, where no limit holds.

use serde_json::Value;

use crate::checks::linked::mentions;
use crate::checks::model::{Acl, RuleEffect};
use crate::checks::paths::{Field, text_matches};
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct OriginReachable;

const ABOUT: About = About {
    id: "origin-reachable",
    title: "The API can be called around CloudFront, where no limit holds",
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    page: include_str!("../../../docs/checks/origin-reachable.md"),
};

impl Check for OriginReachable {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let deployment = context.deployment;
        for distribution in &deployment.distributions {
            let Some(acl) = deployment.web_acl(&distribution.web_acl, &distribution.item) else {
                continue;
            };
            let Some(limit) = acl.rules.iter().find(|rule| rule.rate().is_some()) else { continue };
            for origin in &distribution.origins {
                if origin.raw["VpcOriginConfig"].is_object()
                    || origin.raw["VPCOriginConfig"].is_object()
                {
                    continue;
                }
                let target = deployment.resources.iter().find(|one| {
                    KINDS.contains(&one.kind.as_str())
                        && mentions(deployment, &origin.domain, &reference(&one.item.address))
                });
                let Some(target) = target else { continue };
                let is_internal =
                    target.values["Internal"] == true || target.values["Scheme"] == "internal";
                let demanded = deployment.associations.iter().any(|one| {
                    mentions(deployment, &one.resource, &reference(&target.item.address))
                        && deployment
                            .web_acl(&one.web_acl, &one.item)
                            .is_none_or(|acl| demands_header(acl) || acl.is_hidden)
                });
                // A listener rule may demand the header, a security group may let CloudFront in only.
                let guarded = deployment.resources.iter().any(|one| {
                    let text = one.values.to_string();
                    (one.kind.contains("istener")
                        && (text.contains("HttpHeader") || text.contains("http-header")))
                        || text.contains("cloudfront.origin-facing")
                });
                if is_internal || demanded || guarded {
                    continue;
                }
                let message = format!(
                    "{} of {} does not hold for who calls the origin `{}` directly: nothing there demands that requests come through CloudFront",
                    limit.title(),
                    acl.title(),
                    target.item.address
                );
                findings
                    .add(distribution.place().member("Origins"), message)
                    .help("let CloudFront add a secret header and block requests without it before the API, or use a VPC origin")
                    .related(target.place(), "can be reached by everybody");
            }
        }
    }
}

/// What has a name of its own that anybody can call.
const KINDS: [&str; 5] = [
    "AWS::ElasticLoadBalancingV2::LoadBalancer",
    "AWS::ApiGateway::RestApi",
    "AWS::ApiGateway::Stage",
    "AWS::ApiGatewayV2::Api",
    "AWS::ApiGatewayV2::Stage",
];

fn reference(address: &str) -> Value {
    crate::checks::marker::of_resource(address, address, "Arn")
}

/// Whether a web ACL blocks what comes without a header.
fn demands_header(acl: &Acl) -> bool {
    acl.rules
        .iter()
        .filter(|rule| matches!(rule.effect(), Some(RuleEffect::Block | RuleEffect::Allow)))
        .any(|rule| {
            text_matches(rule.statement()).iter().any(|one| matches!(&one.field, Field::Header(_)))
        })
}
