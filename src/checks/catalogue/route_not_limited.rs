//! `route-not-limited`: the policy has a route that no rate-based rule counts.

use crate::checks::model::{AclKind, Deployment};
use crate::checks::requests::Looks;
use crate::checks::{About, Check, Confidence, Context, Findings, Place, Severity};

/// The check.
#[derive(Debug)]
pub struct RouteNotLimited;

const ABOUT: About = About {
    id: "route-not-limited",
    title: "The policy has a route that no rate-based rule counts",
    severity: Severity::Warning,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/route-not-limited.md"),
};

impl Check for RouteNotLimited {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let (Some(policy), Some(lock)) = (context.policy, context.lock) else { return };
        let deployment = context.deployment;
        // Other rules of a web ACL that somebody else owns are not part of this.
        let is_foreign = deployment.acls.iter().any(|acl| acl.kind == AclKind::Foreign);
        if is_foreign || deployment.may_hide_rules(|_| true) {
            return;
        }
        let Some(place) = place(deployment) else { return };
        let looks: Vec<Looks> =
            deployment.rates().map(|(_, rule, _)| Looks::of_strangers(deployment, rule)).collect();
        for route in &policy.routes {
            let name = &route.route.name;
            let Some(limit) = lock.route(name).and_then(|locked| locked.limit) else { continue };
            let Some(request) = crate::checks::model::sample(&route.route) else { continue };
            if looks.iter().any(|one| one.counts(&request) != Some(false)) {
                continue;
            }
            let message = format!(
                "no rate-based rule counts `{} {}`: the policy has it as the route `{name}`, and the logs propose {}",
                request.method,
                request.path,
                crate::units::thousands(limit.requests().into())
            );
            findings.add(place.clone(), message).help(
                "`ratewaf emit` writes its rule; take the route out of the policy if it is not to be limited here",
            );
        }
    }
}

/// The web ACL that the rule is missing in; the one that is taken away if there is no other.
fn place(deployment: &Deployment) -> Option<Place> {
    let acls = deployment.acls.iter();
    let own = acls.filter(|acl| acl.kind != AclKind::RuleGroup).map(|acl| acl.place()).next();
    let gone = deployment.removed.iter().find(|one| one.kind == "AWS::WAFv2::WebACL");
    own.or_else(|| gone.map(|one| Place::of(&one.item)))
}
