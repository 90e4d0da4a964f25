//! Which layer for which problem, and what it costs.

use schemars::JsonSchema;
use serde::Serialize;

use crate::placement::{Bill, Place, Placed, Placement, Spared};
use crate::rules::Purpose;
use crate::units::{count, thousands};
use crate::wafv2::dollars;

use super::VERSION;

/// The whole answer of `ratewaf layers --format json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "placement")]
pub struct PlacementReport {
    /// Version of this format: 1.
    pub version: u32,
    /// Requests a month to everything that the logs hold, at their rate, or null without a lock.
    pub requests: Option<u64>,
    /// Those of the policy's routes, or null.
    pub routed: Option<u64>,
    /// The policy's routes, in the order of the file.
    pub routes: Vec<PlacedReport>,
    /// What no rule counts, in the order of the file.
    pub never_limited: Vec<SparedReport>,
    /// What each layer costs a month, outermost first; empty without a lock.
    pub costs: Vec<BillReport>,
    /// When the prices were looked up, and which were given by hand.
    pub prices: String,
}

/// One route and its layers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "placed")]
pub struct PlacedReport {
    /// Its name in the policy.
    pub name: String,
    /// As it is written after `--route`.
    pub route: String,
    /// What it looks to be for: `webhook`, `health-check`, `credentials`, `change` or `read`.
    pub purpose: &'static str,
    /// Requests a month at the rate of the logs, or null.
    pub requests: Option<u64>,
    /// Outermost first.
    pub layers: Vec<PlaceReport>,
}

/// What a layer is to do for a route.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "place")]
pub struct PlaceReport {
    /// `waf`, `gateway`, `edge`, `app-dynamodb`, `app-redis`, or `none` for what must not be limited.
    pub layer: &'static str,
    /// Whether the policy has it.
    pub in_policy: bool,
    /// Why there.
    pub why: String,
    /// What to do, or what is there already.
    pub how: String,
    /// The layer for people.
    #[serde(skip)]
    pub title: &'static str,
}

/// What no rule counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "spared")]
pub struct SparedReport {
    /// Its name in the policy.
    pub name: String,
    /// Its path.
    pub path: String,
    /// Why that is right, or what to look at.
    pub why: String,
}

/// What one layer costs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "bill")]
pub struct BillReport {
    /// The layer, as in the routes.
    pub layer: &'static str,
    /// Whether the policy has it.
    pub in_policy: bool,
    /// US cents a month.
    pub cents: u64,
    /// Its parts.
    pub posts: Vec<PostReport>,
    /// What to know about the sum.
    pub note: &'static str,
    /// The layer for people.
    #[serde(skip)]
    pub title: &'static str,
}

/// One line of a bill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "post")]
pub struct PostReport {
    /// For what.
    pub what: String,
    /// US cents a month, rounded up.
    pub cents: u64,
}

impl PlacementReport {
    pub(in crate::report) fn new(placement: &Placement) -> Self {
        Self {
            version: VERSION,
            requests: placement.requests,
            routed: placement.routed,
            routes: placement.routes.iter().map(PlacedReport::new).collect(),
            never_limited: placement.spared.iter().map(SparedReport::new).collect(),
            costs: placement.bills.iter().map(BillReport::new).collect(),
            prices: placement.prices.clone(),
        }
    }

    /// The traffic that the costs are for.
    pub(in crate::report) fn traffic_in_words(&self) -> String {
        match (self.requests, self.routed) {
            (Some(all), Some(routed)) => format!(
                "{} a month at the rate of the logs, {} of them to the routes",
                count(all, "request", "requests"),
                thousands(routed)
            ),
            _ => "no lock, or less than an hour of logs: `ratewaf analyze LOGS` makes one, and then there are costs".to_owned(),
        }
    }
}

impl PlacedReport {
    fn new(placed: &Placed) -> Self {
        Self {
            name: placed.name.clone(),
            route: placed.route.clone(),
            purpose: match placed.purpose {
                Purpose::Webhook => "webhook",
                Purpose::HealthCheck => "health-check",
                Purpose::Credentials => "credentials",
                Purpose::Change => "change",
                Purpose::Read => "read",
            },
            requests: placed.requests,
            layers: placed.places.iter().map(PlaceReport::new).collect(),
        }
    }

    /// Its requests, if they are known.
    pub(in crate::report) fn requests_in_words(&self) -> String {
        let requests = self.requests.map(|requests| count(requests, "request", "requests"));
        requests.map_or_else(|| "requests not known".to_owned(), |words| format!("{words} a month"))
    }
}

impl PlaceReport {
    fn new(place: &Place) -> Self {
        Self {
            layer: place.layer.as_str(),
            in_policy: place.is_there,
            why: place.why.clone(),
            how: place.how.clone(),
            title: place.layer.in_words(),
        }
    }

    /// What is or is to be there, and why.
    pub(in crate::report) fn in_words(&self) -> String {
        let state = match (self.layer, self.in_policy) {
            ("none", _) => "remove",
            (_, true) => "in the policy",
            (_, false) => "missing",
        };
        format!("{state}: {}; {}", self.how, self.why)
    }
}

impl SparedReport {
    fn new(spared: &Spared) -> Self {
        Self { name: spared.name.clone(), path: spared.path.clone(), why: spared.why.clone() }
    }
}

impl BillReport {
    fn new(bill: &Bill) -> Self {
        let posts = bill.posts.iter();
        Self {
            layer: bill.layer.as_str(),
            in_policy: bill.is_there,
            cents: bill.cents(),
            posts: posts
                .map(|post| PostReport { what: post.what.clone(), cents: post.cents })
                .collect(),
            note: bill.note,
            title: bill.layer.in_words(),
        }
    }

    /// The parts of the sum.
    pub(in crate::report) fn posts_in_words(&self) -> String {
        let posts = self.posts.iter();
        let posts: Vec<_> =
            posts.map(|post| format!("{} {}", post.what, dollars(post.cents))).collect();
        posts.join("; ")
    }
}
