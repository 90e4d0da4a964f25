//! What the layers cost, pay as you go, in us-east-1.

use crate::wafv2;

/// Micro-dollars in a dollar.
const MICRO: f64 = 1_000_000.0;

/// Prices in millionths of a US dollar. As public lists had them on [`LayerPrices::AS_OF`]; AWS's own pages decide
/// (AWS WAF, API Gateway, Lambda, DynamoDB and ElastiCache pricing).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerPrices {
    values: [u64; PRICE_NAMES.len()],
    /// Names of those that were given by hand.
    given: Vec<&'static str>,
}

/// Names of the prices, and what each is for.
pub const PRICE_NAMES: [(&str, &str); 12] = [
    ("waf-web-acl", "a web ACL for a month"),
    ("waf-rule", "a rule for a month"),
    ("waf-requests", "a million requests to what the web ACL protects"),
    ("gateway-requests", "a million requests to a REST API"),
    ("edge-invocations", "a million invocations of Lambda@Edge"),
    ("edge-compute", "a million GB-seconds of Lambda@Edge"),
    ("dynamodb-writes", "a million writes on demand, in each Region"),
    ("dynamodb-reads", "a million strongly consistent reads on demand"),
    ("dynamodb-storage", "a GB in a table for a month, in each Region"),
    ("redis-node", "a node of Redis for an hour (cache.t4g.micro)"),
    ("redis-nodes", "how many nodes of Redis, one of them to take over"),
    ("edge-milliseconds", "how long one invocation of Lambda@Edge runs"),
];

/// In the order of the names.
const DEFAULTS: [f64; PRICE_NAMES.len()] =
    [0.0, 0.0, 0.0, 3.5, 0.6, 50.01, 0.625, 0.125, 0.25, 0.016, 2.0, 10.0];

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
    PRICE_NAMES.map(|(name, _)| name).join(", ")
}

impl Default for LayerPrices {
    fn default() -> Self {
        let mut values = DEFAULTS.map(|dollars| (dollars * MICRO) as u64);
        // Those of AWS WAF are known elsewhere, in cents.
        let waf = wafv2::PRICES;
        for (place, cents) in [waf.web_acl, waf.rule, waf.million_requests].into_iter().enumerate()
        {
            values[place] = u64::from(cents) * 10_000;
        }
        Self { values, given: Vec::new() }
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
        let place = PRICE_NAMES.iter().position(|(own, _)| *own == name.trim());
        let place = place.ok_or_else(|| PriceError::Name(name.trim().to_owned()))?;
        let own = PRICE_NAMES[place].0;
        let bad = || PriceError::Value(own, value.trim().to_owned());
        let dollars: f64 = value.trim().parse().map_err(|_| bad())?;
        if !(0.0..=1_000_000.0).contains(&dollars) {
            return Err(bad());
        }
        self.values[place] = (dollars * MICRO).round() as u64;
        if !self.given.contains(&own) {
            self.given.push(own);
        }
        Ok(())
    }

    /// Millionths of a dollar, or of what it counts. Names that do not exist cost nothing: a test looks for them.
    #[must_use]
    pub(super) fn of(&self, name: &str) -> u64 {
        let place = PRICE_NAMES.iter().position(|(own, _)| *own == name);
        place.map_or(0, |place| self.values[place])
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
    fn prices_are_replaced_by_name() {
        let mut prices = LayerPrices::default();
        assert_eq!(prices.of("waf-web-acl"), 5_000_000);
        assert_eq!(prices.of("edge-compute"), 50_010_000);
        prices.set("redis-node = 0.034").unwrap();
        assert_eq!(prices.of("redis-node"), 34_000);
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
