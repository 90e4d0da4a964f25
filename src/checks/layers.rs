//! The limits that a policy has for one route, from outside to inside: AWS WAF's rules as they are deployed, and
//! those of the layers behind them.

mod limit;
mod within;

use std::collections::BTreeSet;

use super::context::Context;
use super::finding::Place;
use super::model::{Acl, Rate, Rule};
use super::whose::policy_of;
use crate::policy::{EdgePattern, EdgeRoute, Policy, PolicyRoute, SITE_WIDE};
use crate::rules::PathPattern;

pub use limit::{Client, Depth, Limit};

/// A policy that has layers, and the web ACL that its rules stand in.
pub struct Site<'a> {
    /// The policy, or that of an environment.
    pub policy: &'a Policy,
    /// Where the first of its rules stands.
    pub acl: &'a Acl,
    rules: Vec<Outer<'a>>,
}

/// The main rule of a route, as it is deployed.
#[derive(Clone, Copy)]
pub struct Outer<'a> {
    /// The route in the policy.
    pub route: &'a PolicyRoute,
    /// Its rule.
    pub rule: &'a Rule,
    /// What that counts.
    pub rate: Rate<'a>,
}

/// The policies of which rules are deployed.
pub fn sites<'a>(context: &Context<'a>) -> Vec<Site<'a>> {
    let mut found: Vec<Site<'a>> = Vec::new();
    for (acl, rule, rate) in context.rates() {
        let Some(name) = rule.name.as_deref() else { continue };
        let Some(policy) = policy_of(context, name) else { continue };
        let own = |route: &&PolicyRoute| name == format!("{}-{}", policy.name, route.route.name);
        let Some(route) = policy.routes.iter().find(own) else { continue };
        let place = found.iter().position(|site| site.policy.name == policy.name);
        let place = place.unwrap_or_else(|| {
            found.push(Site { policy, acl, rules: Vec::new() });
            found.len() - 1
        });
        found[place].rules.push(Outer { route, rule, rate });
    }
    found
}

impl<'a> Site<'a> {
    /// Names of limits, in the order of the alphabet.
    #[must_use]
    pub fn names(&self) -> BTreeSet<&'a str> {
        let layers = &self.policy.layers;
        let edge = layers.edge.iter().flat_map(|edge| &edge.routes);
        let table = layers.app.dynamodb.iter().flat_map(|table| &table.limits);
        let scenarios = layers.app.redis.iter().flat_map(|redis| &redis.scenarios);
        let rules = self.rules.iter().map(|outer| outer.route.route.name.as_str());
        rules
            .chain(edge.map(|one| one.limit.name.as_str()))
            .chain(table.map(|one| one.name.as_str()))
            .chain(scenarios.map(|one| one.name.as_str()))
            .collect()
    }

    /// AWS WAF's rules for the route of this name, one for each web ACL that has it.
    pub fn outer(&self, name: &str) -> impl Iterator<Item = &Outer<'a>> {
        self.rules.iter().filter(move |outer| outer.route.route.name == name)
    }

    /// The edge's route of this name.
    #[must_use]
    pub fn edge(&self, name: &str) -> Option<&'a EdgeRoute> {
        self.policy.layers.edge.as_ref()?.routes.iter().find(|route| route.limit.name == name)
    }

    /// Where a finding about this name stands: at its rule, else at the web ACL.
    #[must_use]
    pub fn place(&self, name: &str) -> Place {
        let rule = self.outer(name).next();
        rule.map_or_else(|| self.acl.place(), |outer| outer.rule.place())
    }

    /// All limits of this name, from outside to inside. The rule for the whole site counts every route.
    #[must_use]
    pub fn limits(&self, name: &str) -> Vec<Limit> {
        let whole = self.outer(SITE_WIDE).filter(|_| name != SITE_WIDE);
        let mut limits: Vec<Limit> =
            self.outer(name).chain(whole).filter_map(|outer| Limit::of_rule(outer)).collect();
        limits.extend(within::edge(self.policy, name));
        limits.extend(within::gateway(self.policy, name));
        limits.extend(within::application(self.policy, name));
        limits
    }

    /// Limits of all requests together, whatever their route.
    #[must_use]
    pub fn together(&self) -> Vec<Limit> {
        within::together(self.policy)
    }
}

/// A path of the rules as the edge says it, if it can.
pub fn at_edge(path: &PathPattern) -> Option<EdgePattern> {
    match path {
        PathPattern::Exactly(text) => Some(EdgePattern::Exactly(text.clone())),
        PathPattern::StartsWith(text) => Some(EdgePattern::StartsWith(text.clone())),
        _ => None,
    }
}
