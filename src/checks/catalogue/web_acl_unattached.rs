//! `web-acl-unattached`: a web ACL with rate rules stands before nothing that is in sight.

use crate::checks::marker;
use crate::checks::model::{AclKind, Deployment, Tool};
use crate::checks::{About, Check, Confidence, Context, Findings, Place, Severity};
use crate::wafv2::Scope;

/// The check.
#[derive(Debug)]
pub struct WebAclUnattached;

const ABOUT: About = About {
    id: "web-acl-unattached",
    title: "A web ACL with rate rules stands before nothing that is in sight",
    severity: Severity::Note,
    confidence: Confidence::Low,
    page: include_str!("../../../docs/checks/web-acl-unattached.md"),
};

impl Check for WebAclUnattached {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let deployment = context.deployment;
        detached(deployment, findings);
        let distributions = deployment.distributions.iter().map(|one| (&one.web_acl, &one.item));
        let associations = deployment.associations.iter().map(|one| (&one.web_acl, &one.item));
        let mut named = Vec::new();
        for (value, item) in distributions.chain(associations) {
            match deployment.web_acl(value, item) {
                Some(acl) => named.push(&acl.item),
                // It may be any of them.
                None if marker::is_unknown(value) => return,
                None => {}
            }
        }
        for acl in deployment.acls.iter().filter(|acl| acl.kind == AclKind::WebAcl) {
            // What could name it is not here: it is attached elsewhere.
            let (kind, is_there) = match acl.scope {
                Some(Scope::CloudFront) => {
                    ("AWS::CloudFront::Distribution", !deployment.distributions.is_empty())
                }
                Some(Scope::Regional) => {
                    ("AWS::WAFv2::WebACLAssociation", !deployment.associations.is_empty())
                }
                None => continue,
            };
            // AWS was asked for all of them.
            let is_asked = acl.item.tool == Tool::Live && deployment.would_show(kind, &acl.item);
            let is_in_sight = is_there && acl.item.tool != Tool::Live || is_asked;
            if is_in_sight
                && acl.rules.iter().any(|rule| rule.rate().is_some())
                && !named.contains(&&acl.item)
            {
                let here = if is_asked { "nothing" } else { "nothing here" };
                findings
                    .add(acl.place(), format!("{here} is protected by {}", acl.title()))
                    .help("set web_acl_id of the distribution to its ARN, or add an association");
            }
        }
    }
}

/// An association that goes takes every rule away from what it protected.
fn detached(deployment: &Deployment, findings: &mut Findings) {
    for gone in &deployment.removed {
        let resource = &gone.before["ResourceArn"];
        let is_back = || deployment.associations.iter().any(|one| one.resource == *resource);
        if gone.kind != "AWS::WAFv2::WebACLAssociation" || is_back() {
            continue;
        }
        let what = resource.as_str().map_or_else(String::new, |arn| format!(" from `{arn}`"));
        findings
            .add(
                Place::of(&gone.item),
                format!("the change takes the web ACL away{what}: none of its rules limits anything there any more"),
            )
            .severity(Severity::Warning)
            .help("keep the association; where the resource goes as well, suppress this with that reason");
    }
}
