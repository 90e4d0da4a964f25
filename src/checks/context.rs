//! What a check can look at.

use super::model::{Acl, Deployment, Rate, Rule};
use crate::policy::{Lock, LockRoute, Policy, PolicyRoute, PricingPlan};
use crate::rules::Route;
use crate::units::Timestamp;

/// What a check can look at.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// What is about to be deployed.
    pub deployment: &'a Deployment,
    /// What people decided, if there is a policy.
    pub policy: Option<&'a Policy>,
    /// What the logs said, if there is a lock.
    pub lock: Option<&'a Lock>,
    /// The start of today, UTC.
    pub today: Timestamp,
    /// How CloudFront is paid, as the policy or the user says; `None`: nobody said.
    pub pricing_plan: Option<PricingPlan>,
}

/// What is known about the route of a rule.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// What the logs said about it.
    pub locked: &'a LockRoute,
    /// The route in the policy, if there is one.
    pub route: Option<&'a PolicyRoute>,
    /// Whether the rule was found by the name that `emit` gives it (else by what it counts).
    pub by_name: bool,
}

impl<'a> Context<'a> {
    /// All rate-based rules: the ACL or group, the rule, and the statement in it.
    pub fn rates(&self) -> impl Iterator<Item = (&'a Acl, &'a Rule, Rate<'a>)> + use<'a> {
        self.deployment.rates()
    }

    /// What the logs said about the route that a rate-based rule limits as its main rule (twins and second
    /// rules have none). A rule of another name is recognised by its scope-down: it has to count the path and
    /// method of exactly one locked route.
    #[must_use]
    pub fn evidence(&self, rule: &Rule) -> Option<Evidence<'a>> {
        let lock = self.lock?;
        let name = rule.name.as_deref()?;
        let of_policy = |locked: &LockRoute| {
            self.policy?.routes.iter().find(|route| route.route.name == locked.name)
        };
        if let Some(policy) = self.policy {
            let named = lock
                .routes
                .iter()
                .find(|locked| name == format!("{}-{}", policy.name, locked.name));
            if let Some(locked) = named {
                return Some(Evidence { locked, route: of_policy(locked), by_name: true });
            }
            if name.starts_with(&format!("{}-", policy.name)) {
                return None;
            }
        }
        let rate = rule.rate()?;
        // A rule without a scope-down counts everything: that is no route.
        let scope_down = rate.scope_down()?;
        let mut counted = lock.routes.iter().filter(|locked| {
            let Ok(route) = locked.route.parse::<Route>() else { return false };
            super::model::sample(&route)
                .is_some_and(|request| scope_down.matches(&request.as_request()) == Some(true))
        });
        let locked = counted.next()?;
        counted.next().is_none().then(|| Evidence {
            locked,
            route: of_policy(locked),
            by_name: false,
        })
    }
}
