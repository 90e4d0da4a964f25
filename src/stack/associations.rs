//! What a regional web ACL stands before.

use super::{Error, Given};
use crate::wafv2::Scope;

/// A web ACL before a load balancer or an API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Association {
    /// A name for it in a dialect, unique in its list: `api-1`.
    pub name: String,
    /// What it stands before.
    pub resource_arn: String,
}

/// Services whose resources a web ACL can stand before: the ARN's service, how its last part begins,
/// and the name (API, `AssociateWebACL`).
const KINDS: [(&str, &str, &str); 6] = [
    ("elasticloadbalancing", "loadbalancer/app/", "load-balancer"),
    ("apigateway", "/restapis/", "api"),
    ("appsync", "apis/", "graphql"),
    ("cognito-idp", "userpool/", "user-pool"),
    ("apprunner", "service/", "service"),
    ("ec2", "verified-access-instance/", "verified-access"),
];

pub(super) fn build(given: &Given<'_>) -> Result<Vec<Association>, Error> {
    let arns = &given.set.around.associations;
    if let (Some(arn), Scope::CloudFront) = (arns.first(), given.home.scope) {
        let reason = "a web ACL for CloudFront belongs to distributions; set `web_acl_id` there";
        return Err(refused(arn, reason));
    }
    let whose = &given.set.web_acl;
    if let (Some(arn), crate::rules::WebAclTarget::Attach(_)) = (arns.first(), whose) {
        let reason = "the web ACL is somebody else's (web_acl: attach), and where it stands is theirs to say; remove `associations`";
        return Err(refused(arn, reason));
    }
    of(arns, &given.home.region)
}

/// Associations with resources of one Region.
pub(super) fn of(arns: &[String], region: &str) -> Result<Vec<Association>, Error> {
    let mut out: Vec<Association> = Vec::with_capacity(arns.len());
    for arn in arns {
        let kind = kind(arn, region)?;
        if out.iter().any(|association| association.resource_arn == *arn) {
            return Err(refused(arn, "it stands twice in the list"));
        }
        let name = format!("{kind}-{}", out.len() + 1);
        out.push(Association { name, resource_arn: arn.clone() });
    }
    Ok(out)
}

fn kind(arn: &str, home: &str) -> Result<&'static str, Error> {
    let parts: Vec<&str> = arn.splitn(6, ':').collect();
    let ["arn", partition, service, region, _, resource] = parts.as_slice() else {
        return Err(refused(arn, "it is no ARN"));
    };
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_/.:".contains(&byte);
    if !partition.starts_with("aws") || !arn.bytes().all(plain) {
        return Err(refused(arn, "it is no ARN"));
    }
    if *service == "apigateway" && resource.starts_with("/apis/") {
        let reason = "WAF protects REST APIs, not HTTP or WebSocket APIs; put CloudFront before it";
        return Err(refused(arn, reason));
    }
    if *service == "apigateway" && !resource.contains("/stages/") {
        let reason = "WAF protects a stage of an API: …/restapis/ID/stages/NAME";
        return Err(refused(arn, reason));
    }
    let Some((_, _, name)) =
        KINDS.iter().find(|(known, start, _)| service == known && resource.starts_with(start))
    else {
        let reason = "WAF protects application load balancers, stages of REST APIs, AppSync APIs, Cognito user pools, App Runner services and Verified Access instances";
        return Err(refused(arn, reason));
    };
    if *region != home {
        return Err(refused(arn, &format!("the web ACL lives in {home}")));
    }
    Ok(name)
}

fn refused(arn: &str, reason: &str) -> Error {
    Error::Association { arn: arn.to_owned(), reason: reason.to_owned() }
}
