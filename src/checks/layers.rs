//! AWS WAF's rules, and what the policy has behind them for the same route.

use super::context::Context;
use super::model::{Rate, Rule};
use super::whose::policy_of;
use crate::policy::{EdgePattern, Identity, Part, Policy, PolicyRoute, TableAlgorithm};
use crate::rules::PathPattern;
use crate::units::thousands;

/// The main rule of a route, as it is deployed, and the policy that it comes from.
pub struct Outer<'a> {
    /// The policy, or that of an environment.
    pub policy: &'a Policy,
    /// The route.
    pub route: &'a PolicyRoute,
    /// Its rule.
    pub rule: &'a Rule,
    /// What that counts.
    pub rate: Rate<'a>,
}

/// A limit behind AWS WAF that has the client that AWS WAF has: the address.
pub struct Inner {
    /// For messages.
    pub title: String,
    /// Requests that pass at once, and that come back in `window`.
    pub burst: i64,
    /// Requests per window.
    pub limit: i64,
    /// Seconds.
    pub window: i64,
}

/// The main rules of routes of a policy that has layers.
pub fn outer<'a>(context: &Context<'a>) -> Vec<Outer<'a>> {
    let found = context.rates().filter_map(|(_, rule, rate)| {
        let name = rule.name.as_deref()?;
        let policy = policy_of(context, name)?;
        let own = |route: &&PolicyRoute| name == format!("{}-{}", policy.name, route.route.name);
        let route = policy.routes.iter().find(own)?;
        Some(Outer { policy, route, rule, rate })
    });
    found.collect()
}

/// A path of the rules as the edge says it, if it can.
pub fn at_edge(path: &PathPattern) -> Option<EdgePattern> {
    match path {
        PathPattern::Exactly(text) => Some(EdgePattern::Exactly(text.clone())),
        PathPattern::StartsWith(text) => Some(EdgePattern::StartsWith(text.clone())),
        _ => None,
    }
}

/// Limits by address that the policy has behind a rule, for the route of the same name.
pub fn inner(outer: &Outer<'_>) -> Vec<Inner> {
    let name = outer.route.route.name.as_str();
    let layers = &outer.policy.layers;
    let mut found = Vec::new();
    for edge in layers.edge.iter() {
        let route = edge.routes.iter().find(|route| route.limit.name == name);
        let limits = route.iter().flat_map(|route| &route.limit.limits);
        for (tier, limit) in limits.filter(|(tier, _)| tier == "anonymous") {
            let title = format!("the edge's limit `{name}` for the tier `{tier}`");
            found.push(Inner::window(title, *limit, edge.window));
        }
    }
    let table = layers.app.dynamodb.iter().flat_map(|table| &table.limits);
    for one in table.filter(|one| one.name == name && one.client == Identity::Address) {
        let title = format!("the application's limit `{name}`");
        found.push(match one.algorithm {
            TableAlgorithm::FixedWindow => Inner::window(title, one.limit, one.window),
            TableAlgorithm::TokenBucket { burst } => Inner {
                title,
                burst: burst.into(),
                limit: one.limit.into(),
                window: one.window.into(),
            },
        });
    }
    let scenarios = layers.app.redis.iter().flat_map(|redis| &redis.scenarios);
    for one in scenarios.filter(|one| one.name == name).flat_map(|one| &one.dimensions) {
        if one.by == [Part::Ip] {
            let title = format!("the limit by address of the application's scenario `{name}`");
            found.push(Inner::window(title, one.limit, one.window));
        }
    }
    found
}

impl Inner {
    fn window(title: String, limit: u32, window: u32) -> Self {
        Self { title, burst: limit.into(), limit: limit.into(), window: window.into() }
    }

    /// Whether no client reaches it that AWS WAF lets pass `limit` requests in `window` seconds.
    pub const fn is_out_of_reach(&self, limit: i64, window: i64) -> bool {
        // Neither all at once, nor at the steady rate that AWS WAF lets pass.
        self.burst >= limit
            && self.limit.saturating_mul(window) >= limit.saturating_mul(self.window)
    }

    /// `300 per 60 seconds`, for messages.
    pub fn in_words(&self) -> String {
        let number = |number: i64| thousands(number.unsigned_abs());
        format!("{} per {} seconds", number(self.limit), number(self.window))
    }
}
