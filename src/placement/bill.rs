//! What a layer costs a month.

use super::Layer;
use super::price::{LayerPrices, Price};
use crate::policy::{Policy, TableAlgorithm};
use crate::rules::WebAclTarget;
use crate::stack::HOURS_A_MONTH;
use crate::units::thousands;

/// Memory of a function at the edge, in thousandths of a GB: 128 MB.
const EDGE_MEMORY: u64 = 125;
/// GB of counters: they go when their window has passed.
const STORED: u64 = 1;

/// One line of a bill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Post {
    /// For what.
    pub what: String,
    /// US cents a month, rounded up.
    pub cents: u64,
}

/// What one layer costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bill {
    /// The layer.
    pub layer: Layer,
    /// Whether the policy has it.
    pub is_there: bool,
    /// Its parts.
    pub posts: Vec<Post>,
    /// What to know about the sum.
    pub note: &'static str,
}

impl Bill {
    /// US cents a month.
    #[must_use]
    pub fn cents(&self) -> u64 {
        self.posts.iter().map(|post| post.cents).sum()
    }
}

/// Requests a month.
#[derive(Clone, Copy)]
pub(super) struct Requests {
    /// To everything.
    pub(super) all: u64,
    /// To the policy's routes.
    pub(super) routed: u64,
}

/// Units at millionths of a dollar for a million of them.
fn per_million(requests: u64, micros: u64) -> u64 {
    cents(u128::from(requests) * u128::from(micros) / 1_000_000)
}

/// Whole cents of millionths of a dollar, rounded up.
fn cents(micros: u128) -> u64 {
    u64::try_from(micros.div_ceil(10_000)).unwrap_or(u64::MAX)
}

pub(super) fn bills(policy: &Policy, requests: Requests, prices: &LayerPrices) -> Vec<Bill> {
    vec![
        waf(policy, requests, prices),
        gateway(policy, requests, prices),
        edge(policy, requests, prices),
        table(policy, requests, prices),
        redis(policy, prices),
    ]
}

fn post(what: String, cents: u64) -> Post {
    Post { what, cents }
}

fn waf(policy: &Policy, requests: Requests, prices: &LayerPrices) -> Bill {
    let rules = policy.routes.iter().map(|route| 1 + route.twins.len()).sum::<usize>()
        + policy.shared.twins.len();
    let mut posts = Vec::new();
    let is_own = matches!(policy.web_acl, WebAclTarget::Create(_));
    if is_own {
        posts.push(post("the web ACL".to_owned(), cents(prices.of(Price::WebAcl).into())));
    }
    let each = u128::from(prices.of(Price::Rule));
    posts.push(post(
        crate::units::count(rules as u64, "rule", "rules"),
        cents(each * rules as u128),
    ));
    if is_own {
        posts.push(post(
            format!("{} requests, whatever becomes of them", thousands(requests.all)),
            per_million(requests.all, prices.of(Price::WafRequests)),
        ));
    }
    let note = if is_own {
        "all requests to the distribution are paid for, not only those of the routes"
    } else {
        "the web ACL is somebody else's, and so are its price and that of its requests"
    };
    Bill { layer: Layer::Waf, is_there: true, posts, note }
}

fn gateway(policy: &Policy, requests: Requests, prices: &LayerPrices) -> Bill {
    let posts = vec![post(
        format!("{} requests to a REST API", thousands(requests.routed)),
        per_million(requests.routed, prices.of(Price::GatewayRequests)),
    )];
    Bill {
        layer: Layer::Gateway,
        is_there: policy.layers.gateway.is_some(),
        posts,
        note: "usage plans are free; whoever has a REST API pays for its requests already",
    }
}

fn edge(policy: &Policy, requests: Requests, prices: &LayerPrices) -> Bill {
    let layer = policy.layers.edge.as_ref();
    let regions = 1 + layer.map_or(0, |edge| edge.replicas.len()) as u64;
    // Before and after: viewer-request and viewer-response.
    let invocations = requests.routed.saturating_mul(2);
    // Milliseconds are kept in millionths, too.
    let gb_seconds = u128::from(invocations)
        * u128::from(prices.of(Price::EdgeMilliseconds))
        * u128::from(EDGE_MEMORY)
        / 1_000_000_000_000;
    let gb_seconds = u64::try_from(gb_seconds).unwrap_or(u64::MAX);
    let writes = requests.routed.saturating_mul(regions);
    let storage = u128::from(prices.of(Price::DynamodbStorage)) * u128::from(STORED * regions);
    let posts = vec![
        post(
            format!("{} invocations, two a request", thousands(invocations)),
            per_million(invocations, prices.of(Price::EdgeInvocations)),
        ),
        post(
            format!("{} GB-seconds at 128 MB", thousands(gb_seconds)),
            per_million(gb_seconds, prices.of(Price::EdgeCompute)),
        ),
        post(
            format!(
                "{} writes in {}",
                thousands(writes),
                crate::units::count(regions, "Region", "Regions")
            ),
            per_million(writes, prices.of(Price::DynamodbWrites)),
        ),
        post(format!("{} GB of counters", STORED * regions), cents(storage)),
    ];
    Bill {
        layer: Layer::Edge,
        is_there: layer.is_some(),
        posts,
        note: "a flood costs less: an instance that knows of a refused client does not ask again",
    }
}

fn table(policy: &Policy, requests: Requests, prices: &LayerPrices) -> Bill {
    let layer = policy.layers.app.dynamodb.as_ref();
    // A bucket reads before it writes; a counter only writes.
    let counts_only = layer.is_some_and(|table| {
        table.limits.iter().all(|limit| limit.algorithm == TableAlgorithm::FixedWindow)
    });
    let mut posts = vec![post(
        format!("{} writes", thousands(requests.routed)),
        per_million(requests.routed, prices.of(Price::DynamodbWrites)),
    )];
    if !counts_only {
        posts.push(post(
            format!("{} strongly consistent reads", thousands(requests.routed)),
            per_million(requests.routed, prices.of(Price::DynamodbReads)),
        ));
    }
    posts.push(post(
        format!("{STORED} GB of counters"),
        cents(prices.of(Price::DynamodbStorage).into()),
    ));
    Bill {
        layer: Layer::Table,
        is_there: layer.is_some(),
        posts,
        note: "if each request of the routes is counted once; what a bucket refuses costs the read only",
    }
}

fn redis(policy: &Policy, prices: &LayerPrices) -> Bill {
    let nodes = prices.of(Price::RedisNodes);
    let hours =
        u128::from(nodes) * u128::from(HOURS_A_MONTH) * u128::from(prices.of(Price::RedisNode))
            / 1_000_000;
    Bill {
        layer: Layer::Redis,
        is_there: policy.layers.app.redis.is_some(),
        posts: vec![post(format!("{} nodes, all hours", nodes / 1_000_000), cents(hours))],
        note: "whatever is asked of it; nothing more where the application has one already",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cents_are_rounded_up() {
        assert_eq!(per_million(10_000_000, 625_000), 625);
        assert_eq!(per_million(1, 625_000), 0);
        assert_eq!(per_million(100_000, 625_000), 7);
        assert_eq!(per_million(u64::MAX, u64::MAX), u64::MAX);
    }
}
