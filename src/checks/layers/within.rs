//! The limits behind AWS WAF, by the name of their route.

use super::{Client, Depth, Limit};
use crate::policy::{
    EdgeAlgorithm, EdgeLayer, EdgeLimit, Identity, Part, Policy, SITE_WIDE, TableAlgorithm,
};
use crate::rules::PathPattern;

/// Those of the edge, one for each tier. What it has where no route does stands behind the rule for the whole site.
pub(super) fn edge(policy: &Policy, name: &str) -> Vec<Limit> {
    let Some(edge) = &policy.layers.edge else { return Vec::new() };
    let routes = edge.routes.iter().map(|route| &route.limit).filter(|limit| limit.name == name);
    let mut limits: Vec<Limit> = routes.flat_map(|limit| tiers(edge, limit)).collect();
    if name == SITE_WIDE {
        limits.extend(tiers(edge, &edge.global));
    }
    limits
}

fn tiers(edge: &EdgeLayer, limit: &EdgeLimit) -> Vec<Limit> {
    // Without trust the headers are removed, and everybody is anonymous.
    let header = edge.headers.as_ref().filter(|headers| headers.trusted);
    let most = limit.limits.iter().filter(|(tier, _)| tier != "anonymous").map(|(_, most)| *most);
    let most = most.max();
    let all = limit.limits.iter().filter_map(|(tier, requests)| {
        let is_anonymous = tier == "anonymous";
        let client = match header {
            _ if is_anonymous => Client::Address { known_apart: header.is_some() },
            Some(header) => Client::Header(header.client.clone()),
            None => return None,
        };
        let title = format!("the edge's limit `{}` for the tier `{tier}`", limit.name);
        let one = Limit::new(Depth::Edge, title, client, *requests, edge.window);
        let peak = match limit.algorithm {
            EdgeAlgorithm::FixedWindow => 2 * one.limit,
            EdgeAlgorithm::SlidingWindow => one.limit,
        };
        let others_have_more = !is_anonymous && most.is_some_and(|most| *requests < most);
        Some(Limit { peak, others_have_more, ..one })
    });
    all.collect()
}

/// Those of usage plans for the method and path of the policy's route of this name.
pub(super) fn gateway(policy: &Policy, name: &str) -> Vec<Limit> {
    let Some(gateway) = &policy.layers.gateway else { return Vec::new() };
    let Some(route) = policy.routes.iter().find(|route| route.route.name == name) else {
        return Vec::new();
    };
    let PathPattern::Exactly(path) = &route.route.path else { return Vec::new() };
    let counts = |method: &str| {
        let methods = &route.route.methods;
        method == "ANY" || methods.is_empty() || methods.iter().any(|own| own == method)
    };
    let of_plans: Vec<Vec<Limit>> = gateway
        .plans
        .iter()
        .map(|plan| {
            let methods = plan.routes.iter().filter(|one| one.path == *path && counts(one.method));
            let limits = methods.map(|one| {
                let (plan, method) = (&plan.name, one.method);
                let title = format!("the usage plan `{plan}` for {method} {path}");
                Limit::throttle(Depth::Gateway, title, Client::Key, one.throttle)
            });
            limits.collect()
        })
        .collect();
    // Which plan a client has is not known here.
    let is_whole = of_plans.iter().all(|limits| !limits.is_empty());
    let all: Vec<Limit> = of_plans.into_iter().flatten().collect();
    let is_more = |one: &Limit, other: &Limit| {
        other.peak > one.peak || other.limit * one.window > one.limit * other.window
    };
    let has_most = |one: &Limit| is_whole && !all.iter().any(|other| is_more(one, other));
    all.iter().map(|one| Limit { others_have_more: !has_most(one), ..one.clone() }).collect()
}

/// Those inside the application that are for one client.
pub(super) fn application(policy: &Policy, name: &str) -> Vec<Limit> {
    let app = &policy.layers.app;
    let address = || Client::Address { known_apart: false };
    let mut found = Vec::new();
    let table = app.dynamodb.iter().flat_map(|table| &table.limits);
    for one in table.filter(|one| one.name == name) {
        let title = format!("the application's limit `{name}`");
        let client = match one.client {
            Identity::Address => address(),
            Identity::Subject => Client::Subject,
        };
        let limit = Limit::new(Depth::Application, title, client, one.limit, one.window);
        found.push(match one.algorithm {
            TableAlgorithm::FixedWindow => limit,
            TableAlgorithm::TokenBucket { burst } => limit.burst(burst),
        });
    }
    let scenarios = app.redis.iter().flat_map(|redis| &redis.scenarios);
    for one in scenarios.filter(|one| one.name == name).flat_map(|one| &one.dimensions) {
        let (client, word) = match one.by.as_slice() {
            [Part::Ip] => (address(), "address"),
            [Part::User] => (Client::Subject, "user"),
            // Finer than any layer before it: nothing is known of how much of it passes.
            _ => continue,
        };
        let title = format!("the limit by {word} of the application's scenario `{name}`");
        found.push(Limit::new(Depth::Application, title, client, one.limit, one.window));
    }
    found
}

/// Limits of all requests together: the stage's ceiling, and the application's.
pub(super) fn together(policy: &Policy) -> Vec<Limit> {
    let ceiling = policy.layers.gateway.iter().filter_map(|gateway| gateway.total.as_ref());
    let ceiling = ceiling.map(|total| {
        let title = "the stage of API Gateway".to_owned();
        Limit::throttle(Depth::Gateway, title, Client::Everybody, total.throttle)
    });
    let total = policy.layers.app.redis.iter().filter_map(|redis| redis.total.as_ref());
    let total = total.map(|one| {
        let title = "the application's `total`".to_owned();
        let limit = Limit::new(Depth::Application, title, Client::Everybody, one.limit, one.window);
        limit.burst(one.burst)
    });
    ceiling.chain(total).collect()
}
