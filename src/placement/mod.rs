//! Which layer for which problem: what AWS WAF should count, what belongs behind it, what must not be limited
//! at all, and what each layer costs a month at the traffic that the logs saw.
//!
//! Pure: policy, lock and prices in, advice out. `report` tells it.

mod advise;
mod bill;
mod price;

pub use advise::advise;
pub use bill::{Bill, Post};
pub use price::{LayerPrices, Price, PriceError};

use crate::rules::Purpose;

/// Where requests can be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// AWS WAF, by address, before anything of the site runs.
    Waf,
    /// Usage plans of API Gateway, by API key.
    Gateway,
    /// Lambda@Edge on a DynamoDB global table, by tier and path.
    Edge,
    /// The application, in DynamoDB, by verified subject.
    Table,
    /// The application, in Redis, by any combination of user, device, address and activity.
    Redis,
    /// Nowhere: a limit would do harm.
    Nowhere,
}

impl Layer {
    /// `waf`, `gateway`, `edge`, `app-dynamodb`, `app-redis` or `none`: a promise to scripts.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Waf => "waf",
            Self::Gateway => "gateway",
            Self::Edge => "edge",
            Self::Table => "app-dynamodb",
            Self::Redis => "app-redis",
            Self::Nowhere => "none",
        }
    }

    /// For people.
    #[must_use]
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::Waf => "AWS WAF",
            Self::Gateway => "API Gateway",
            Self::Edge => "edge (Lambda@Edge)",
            Self::Table => "application (DynamoDB)",
            Self::Redis => "application (Redis)",
            Self::Nowhere => "no limit",
        }
    }
}

/// What a layer is to do for a route, and why there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Where.
    pub layer: Layer,
    /// Why there, in words; whole sentences without the last stop.
    pub why: String,
    /// What to do, or what is there already.
    pub how: String,
    /// Whether the policy has it.
    pub is_there: bool,
}

/// One route and its layers, outermost first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Its name in the policy.
    pub name: String,
    /// As it is written after `--route`.
    pub route: String,
    /// What its requests look to be for.
    pub purpose: Purpose,
    /// Requests a month at the rate of the logs.
    pub requests: Option<u64>,
    /// Outermost first.
    pub places: Vec<Place>,
}

/// What no rule counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spared {
    /// Its name in the policy.
    pub name: String,
    /// Its path.
    pub path: String,
    /// Why that is right, or what to look at.
    pub why: String,
}

/// All of the advice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    /// Requests a month to everything that the logs hold; `None` without a lock, or with less than an hour of logs.
    pub requests: Option<u64>,
    /// Those of the policy's routes.
    pub routed: Option<u64>,
    /// In the order of the policy.
    pub routes: Vec<Placed>,
    /// In the order of the policy.
    pub spared: Vec<Spared>,
    /// One a layer, outermost first.
    pub bills: Vec<Bill>,
    /// When the prices were looked up, and which were given by hand.
    pub prices: String,
}
