//! What the layers cost, pay as you go, in us-east-1.

use crate::wafv2;

/// Micro-dollars in a dollar.
const MICRO: f64 = 1_000_000.0;

/// What is paid for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Price {
    /// A web ACL for a month.
    WebAcl,
    /// A rule for a month.
    Rule,
    /// A million requests to what the web ACL protects.
    WafRequests,
    /// A million requests to a REST API.
    GatewayRequests,
    /// A million invocations of Lambda@Edge.
    EdgeInvocations,
    /// A million GB-seconds of Lambda@Edge.
    EdgeCompute,
    /// A million writes on demand, in each Region.
    DynamodbWrites,
    /// A million strongly consistent reads on demand.
    DynamodbReads,
    /// A GB in a table for a month, in each Region.
    DynamodbStorage,
    /// A node of Redis for an hour: cache.t4g.micro of ElastiCache for Redis OSS. Public copies of the price list agree on
    /// it; AWS's own page loads its prices by script and was not read.
    RedisNode,
    /// No price: how many nodes of Redis, one of them to take over.
    RedisNodes,
    /// No price: how long one invocation of Lambda@Edge runs.
    EdgeMilliseconds,
}

impl Price {
    /// In the order of the enum.
    const ALL: [(Self, &'static str); 12] = [
        (Self::WebAcl, "waf-web-acl"),
        (Self::Rule, "waf-rule"),
        (Self::WafRequests, "waf-requests"),
        (Self::GatewayRequests, "gateway-requests"),
        (Self::EdgeInvocations, "edge-invocations"),
        (Self::EdgeCompute, "edge-compute"),
        (Self::DynamodbWrites, "dynamodb-writes"),
        (Self::DynamodbReads, "dynamodb-reads"),
        (Self::DynamodbStorage, "dynamodb-storage"),
        (Self::RedisNode, "redis-node"),
        (Self::RedisNodes, "redis-nodes"),
        (Self::EdgeMilliseconds, "edge-milliseconds"),
    ];

    /// Millionths of a dollar, or of what it counts. Those of AWS WAF are known elsewhere, in cents.
    const fn known(self) -> u64 {
        const CENT: u64 = 10_000;
        match self {
            Self::WebAcl => wafv2::PRICES.web_acl as u64 * CENT,
            Self::Rule => wafv2::PRICES.rule as u64 * CENT,
            Self::WafRequests => wafv2::PRICES.million_requests as u64 * CENT,
            Self::GatewayRequests => 3_500_000,
            Self::EdgeInvocations => 600_000,
            Self::EdgeCompute => 50_010_000,
            Self::DynamodbWrites => 625_000,
            Self::DynamodbReads => 125_000,
            Self::DynamodbStorage => 250_000,
            Self::RedisNode => 16_000,
            Self::RedisNodes => 2_000_000,
            Self::EdgeMilliseconds => 10_000_000,
        }
    }
}

/// Prices in millionths of a US dollar. As public lists had them on [`LayerPrices::AS_OF`]; AWS's own pages decide
/// (AWS WAF, API Gateway, Lambda, DynamoDB and ElastiCache pricing).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerPrices {
    /// In the order of the enum.
    values: [u64; Price::ALL.len()],
    /// Names of those that were given by hand.
    given: Vec<&'static str>,
}

/// A price that cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PriceError {
    /// No `=`.
    #[error("`{0}` is no price; write one like redis-node=0.034")]
    Shape(String),
    /// Nothing is called so.
    #[error("there is no price `{name}`; there are {known}", name = .0, known = names())]
    Name(String),
    /// Not between nothing and a million.
    #[error("`{1}` is no price of `{0}`; write US dollars such as 0.625, from 0 to 1000000")]
    Value(&'static str, String),
}

fn names() -> String {
    Price::ALL.map(|(_, name)| name).join(", ")
}

impl Default for LayerPrices {
    fn default() -> Self {
        Self { values: Price::ALL.map(|(price, _)| price.known()), given: Vec::new() }
    }
}

impl LayerPrices {
    /// When they were looked up.
    pub const AS_OF: &'static str = "2026-06-01";

    /// Takes `name=dollars` in place of what is known.
    ///
    /// # Errors
    /// When it is no price, with what there is.
    pub fn set(&mut self, text: &str) -> Result<(), PriceError> {
        let (name, value) =
            text.split_once('=').ok_or_else(|| PriceError::Shape(text.to_owned()))?;
        let found = Price::ALL.into_iter().find(|(_, own)| *own == name.trim());
        let (price, own) = found.ok_or_else(|| PriceError::Name(name.trim().to_owned()))?;
        let bad = || PriceError::Value(own, value.trim().to_owned());
        let dollars: f64 = value.trim().parse().map_err(|_| bad())?;
        if !(0.0..=1_000_000.0).contains(&dollars) {
            return Err(bad());
        }
        self.values[price as usize] = (dollars * MICRO).round() as u64;
        if !self.given.contains(&own) {
            self.given.push(own);
        }
        Ok(())
    }

    /// Millionths of a dollar, or of what it counts.
    #[must_use]
    pub(super) const fn of(&self, price: Price) -> u64 {
        self.values[price as usize]
    }

    /// Where they come from.
    #[must_use]
    pub fn in_words(&self) -> String {
        let known = format!("us-east-1, pay as you go, as of {}; AWS's pages decide", Self::AS_OF);
        if self.given.is_empty() {
            known
        } else {
            format!("{known}; given: {}", self.given.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_price_has_its_place() {
        for (place, (price, _)) in Price::ALL.into_iter().enumerate() {
            assert_eq!(price as usize, place, "{price:?}");
        }
    }

    #[test]
    fn prices_are_replaced_by_name() {
        let mut prices = LayerPrices::default();
        assert_eq!(prices.of(Price::WebAcl), 5_000_000);
        assert_eq!(prices.of(Price::EdgeCompute), 50_010_000);
        prices.set("redis-node = 0.034").unwrap();
        assert_eq!(prices.of(Price::RedisNode), 34_000);
        assert!(prices.in_words().ends_with("given: redis-node"));
        for (text, wanted) in [
            ("redis-node", "is no price; write one like"),
            ("redis=1", "there is no price `redis`; there are waf-web-acl,"),
            ("redis-node=-1", "from 0 to 1000000"),
            ("redis-node=NaN", "from 0 to 1000000"),
            ("redis-node=1e9", "from 0 to 1000000"),
        ] {
            let error = prices.set(text).unwrap_err().to_string();
            assert!(error.contains(wanted), "{error}");
        }
    }
}
