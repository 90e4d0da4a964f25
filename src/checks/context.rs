//! What a check can look at.

use super::model::{Acl, Deployment, Rate, Rule, Sample, sample};
use super::requests::Looks;
use super::whose::policy_of;
use crate::policy::{Lock, LockRoute, Policy, PolicyRoute, PricingPlan, route_text};
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

    /// The end of the logs that the limits come from, and the days since, if these are more than `most`.
    #[must_use]
    pub fn older_than(&self, most: i64) -> Option<(Timestamp, i64)> {
        let last = self.lock?.inputs.last?;
        let days = self.today.day() - last.day();
        (days > most).then_some((last, days))
    }

    /// What the logs said about the route that a rate-based rule limits as its main rule (twins and second
    /// rules have none). A rule of another name is recognised by its scope-down: it has to count the path and
    /// method of exactly one locked route.
    #[must_use]
    pub fn evidence(&self, rule: &Rule) -> Option<Evidence<'a>> {
        let lock = self.lock?;
        let name = rule.name.as_deref()?;
        let own = policy_of(self, name);
        let of_policy = |locked: &LockRoute| {
            own.or(self.policy)?.routes.iter().find(|route| route.route.name == locked.name)
        };
        if let Some(policy) = own {
            let locked = lock
                .routes
                .iter()
                .find(|locked| name == format!("{}-{}", policy.name, locked.name))?;
            let route = of_policy(locked);
            // A lock that was made for another path under this name says nothing.
            let is_same = route.is_none_or(|it| route_text(&it.route) == locked.route);
            return is_same.then_some(Evidence { locked, route, by_name: true });
        }
        let rate = rule.rate()?;
        // A rule without a scope-down counts everything: that is no route.
        rate.scope_down()?;
        let looks = Looks::of(self.deployment, rule);
        let mut counted = lock.routes.iter().filter(|locked| {
            request_of(locked).is_some_and(|request| looks.counts(&request) == Some(true))
        });
        let locked = counted.next()?;
        counted.next().is_none().then(|| Evidence {
            locked,
            route: of_policy(locked),
            by_name: false,
        })
    }
}

/// A request that the route of a lock is about; `None` if nothing tells one.
#[must_use]
pub fn request_of(locked: &LockRoute) -> Option<Sample> {
    sample(&locked.route.parse::<Route>().ok()?)
}
