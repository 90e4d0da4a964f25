//! Which layer for each route, and why.

use super::bill::{Requests, bills};
use super::price::LayerPrices;
use super::{Layer, Place, Placed, Placement, Spared};
use crate::policy::{Grade, LimitChoice, Lock, LockRoute, Policy, PolicyRoute};
use crate::rules::{Purpose, Scope};
use crate::stack::Traffic;
use crate::units::{Limit, count, rate_in_words, thousands};

/// Advice for the routes of a policy, with what its logs said, if there is a lock.
#[must_use]
pub fn advise(policy: &Policy, lock: Option<&Lock>, prices: &LayerPrices) -> Placement {
    let a_month = |requests| Traffic { requests, hours: lock?.inputs.hours }.a_month();
    let requests = lock.and_then(|lock| a_month(lock.inputs.lines));
    let routes: Vec<Placed> = policy
        .routes
        .iter()
        .map(|route| {
            let locked = lock.and_then(|lock| lock.route(&route.route.name));
            let requests = locked.and_then(|locked| a_month(locked.requests));
            placed(policy, route, locked, requests)
        })
        .collect();
    let routed =
        routes.iter().map(|route| route.requests).sum::<Option<u64>>().filter(|_| lock.is_some());
    let bills = match (requests, routed) {
        (Some(all), Some(routed)) => bills(policy, Requests { all, routed }, prices),
        _ => Vec::new(),
    };
    let spared = policy.never_limited.iter().map(|exemption| {
        let path = exemption.path.to_string();
        let why = match Purpose::of::<&str>(&["POST"], &path) {
            Purpose::Webhook => {
                "a webhook: refused calls are lost events. Check its signature in the application, which costs no counter"
            }
            _ => match Purpose::of(&["GET"], &path) {
                Purpose::HealthCheck => {
                    "a health check: refused ones restart servers. Keep what it does cheap"
                }
                _ => "no rule counts it, and nothing in its path says that it is a webhook or a health check: is it still needed?",
            },
        };
        Spared { name: exemption.name.clone(), path, why: why.to_owned() }
    });
    Placement {
        requests,
        routed,
        routes,
        spared: spared.collect(),
        bills,
        prices: prices.in_words(),
    }
}

fn placed(
    policy: &Policy,
    route: &PolicyRoute,
    locked: Option<&LockRoute>,
    requests: Option<u64>,
) -> Placed {
    let purpose = Purpose::of(&route.route.methods, &route.route.path.to_string());
    let places = match purpose {
        Purpose::Webhook | Purpose::HealthCheck => vec![nowhere(purpose, route)],
        Purpose::Credentials => vec![waf(route, locked), credentials(policy, locked)],
        Purpose::Change => vec![waf(route, locked), business(policy, locked)],
        Purpose::Read => vec![waf(route, locked), fairness(policy, route, locked)],
    };
    Placed {
        name: route.route.name.clone(),
        route: route.route.to_string(),
        purpose,
        requests,
        places,
    }
}

fn nowhere(purpose: Purpose, route: &PolicyRoute) -> Place {
    let why = if purpose == Purpose::Webhook {
        "its path says that it is a webhook: its sender is one machine that has to pass and does not slow down, so that a refused call is a lost event"
    } else {
        "its path says that it is a health check: a refused one restarts a server or wakes somebody"
    };
    Place {
        layer: Layer::Nowhere,
        why: why.to_owned(),
        how: format!(
            "the route `{}`, and write its path under `never_limited`; demand a signature, or a known network",
            route.route.name
        ),
        is_there: false,
    }
}

/// The limit in force, and whether people pinned it.
fn limit(route: &PolicyRoute, locked: Option<&LockRoute>) -> Option<(Limit, bool)> {
    match route.limit {
        LimitChoice::Pinned(limit) => Some((limit, true)),
        LimitChoice::Auto => Some((locked?.limit?, false)),
    }
}

fn waf(route: &PolicyRoute, locked: Option<&LockRoute>) -> Place {
    let mut why =
        "stops abuse by address before anything of the site runs and is paid for".to_owned();
    let how = match (limit(route, locked), locked) {
        (Some((limit, is_pinned)), _) => {
            let kind = match (is_pinned, locked.map(|locked| locked.grade)) {
                (true, _) => "pinned in the policy",
                (false, Some(Grade::Weak)) => "weak: it only counts until somebody accepts it",
                _ => "from the logs",
            };
            format!(
                "{} per {} s ({}), {kind}",
                count(limit.requests().into(), "request", "requests"),
                route.window.seconds(),
                rate_in_words(limit, route.window)
            )
        }
        (None, Some(locked)) => {
            why.push_str("; but no limit by address fits these logs");
            format!("no limit: {}", locked.reason)
        }
        (None, None) => "no lock yet: ratewaf analyze LOGS finds the limit".to_owned(),
    };
    Place { layer: Layer::Waf, why, how, is_there: limit(route, locked).is_some() }
}

/// Why an address is not enough, as the logs say.
fn beyond_addresses(locked: Option<&LockRoute>) -> Option<String> {
    let locked = locked?;
    if locked.clients == 0 {
        return None;
    }
    match (locked.grade, locked.lower, locked.upper) {
        (Grade::None, ..) => {
            Some(format!("no limit by address fits these logs: {}", locked.reason))
        }
        (_, Some(lower), _) => Some(format!(
            "below the limit by address one client may still send {} in a window, as the busiest normal one did",
            count(lower.into(), "request", "requests")
        )),
        _ => None,
    }
}

/// A first limit for one client inside: what 99 of 100 addresses never sent.
fn first_limit(locked: Option<&LockRoute>) -> Option<String> {
    let locked = locked?;
    let seconds = locked.window.seconds();
    let peaks = locked.distribution.get(&seconds)?;
    (peaks.sliding.p99 > 0).then(|| {
        format!(
            "start above {} per {seconds} s, which 99 of 100 addresses never passed",
            thousands(peaks.sliding.p99.into())
        )
    })
}

fn place(layer: Layer, whys: [Option<String>; 2], missing: String, there: Option<String>) -> Place {
    let why = whys.into_iter().flatten().collect::<Vec<_>>().join("; ");
    let is_there = there.is_some();
    Place { layer, why, how: there.unwrap_or(missing), is_there }
}

fn with_first(text: &str, locked: Option<&LockRoute>) -> String {
    match first_limit(locked) {
        Some(first) => format!("{text}; {first}"),
        None => text.to_owned(),
    }
}

fn credentials(policy: &Policy, locked: Option<&LockRoute>) -> Place {
    let why = "guesses come from many addresses at once, each of them below any limit by address: count by user, and by user and address together";
    let there = policy.layers.app.redis.as_ref().map(|redis| {
        let names: Vec<_> = redis.scenarios.iter().map(|one| format!("`{}`", one.name)).collect();
        format!("layers.app.redis: scenarios {}", names.join(", "))
    });
    let missing = with_first(
        "add a scenario under layers.app.redis by `[user]` and `[user, ip]`, with `fail: closed`",
        locked,
    );
    place(Layer::Redis, [Some(why.to_owned()), None], missing, there)
}

fn business(policy: &Policy, locked: Option<&LockRoute>) -> Place {
    let why = "it changes something: how many of those a customer may have is a rule of the business, by verified subject";
    let there = policy.layers.app.dynamodb.as_ref().map(|table| {
        let names: Vec<_> = table.limits.iter().map(|one| format!("`{}`", one.name)).collect();
        format!("layers.app.dynamodb: limits {}", names.join(", "))
    });
    let missing = with_first("add a limit under layers.app.dynamodb, client: subject", locked);
    place(Layer::Table, [Some(why.to_owned()), beyond_addresses(locked)], missing, there)
}

fn fairness(policy: &Policy, route: &PolicyRoute, locked: Option<&LockRoute>) -> Place {
    let why = "fairness between clients: offices share an address, and partners are told apart by who they are";
    let whys = [Some(why.to_owned()), beyond_addresses(locked)];
    let is_global = matches!(policy.scope, Scope::CloudFront);
    if policy.layers.gateway.is_some() || !is_global {
        let there = policy.layers.gateway.as_ref().map(|gateway| {
            let names: Vec<_> = gateway.plans.iter().map(|one| format!("`{}`", one.name)).collect();
            format!("layers.gateway: plans {}", names.join(", "))
        });
        let missing = with_first("a usage plan under layers.gateway, a key a client", locked);
        return place(Layer::Gateway, whys, missing, there);
    }
    let there = policy.layers.edge.as_ref().map(|edge| {
        let own = edge.routes.iter().find(|one| one.limit.name == route.route.name);
        match own {
            Some(_) => format!("layers.edge: its own limits for {}", edge.tiers.join(", ")),
            None => format!("layers.edge: the global limits for {}", edge.tiers.join(", ")),
        }
    });
    let missing = with_first(
        "a limit by tier under layers.edge; where clients have API keys, a usage plan under layers.gateway",
        locked,
    );
    place(Layer::Edge, whys, missing, there)
}
