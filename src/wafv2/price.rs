//! What a web ACL costs, pay as you go.

use crate::quotas;

/// Prices in US cents. Hours are charged by their share of the month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prices {
    /// When they were last looked up (public price write-ups; AWS WAF pricing page).
    pub as_of: &'static str,
    /// A web ACL for a month.
    pub web_acl: u32,
    /// A rule for a month.
    pub rule: u32,
    /// A million requests, whatever the rules do with them: the whole distribution's.
    pub million_requests: u32,
    /// A million requests, for each further 500 WCU above [`quotas::INCLUDED_WCU`].
    pub million_requests_per_500_wcu: u32,
}

/// The prices we know.
pub const PRICES: Prices = Prices {
    as_of: "2026-06-01",
    web_acl: 500,
    rule: 100,
    million_requests: 60,
    million_requests_per_500_wcu: 20,
};

impl Prices {
    /// Cents a month for a web ACL of ours with some rules, before any request.
    #[must_use]
    pub const fn fixed(&self, rules: u32) -> u32 {
        self.web_acl + self.rule * rules
    }

    /// Cents for a million requests with rules of some capacity.
    #[must_use]
    pub const fn per_million(&self, wcu: u32) -> u32 {
        let steps = wcu.saturating_sub(quotas::INCLUDED_WCU).div_ceil(500);
        self.million_requests + self.million_requests_per_500_wcu * steps
    }
}

/// Cents as `7.00 USD`.
#[must_use]
pub fn dollars(cents: impl Into<u64>) -> String {
    let cents = cents.into();
    format!("{}.{:02} USD", cents / 100, cents % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capacity_above_what_is_included_costs_more() {
        assert_eq!(dollars(PRICES.fixed(2)), "7.00 USD");
        assert_eq!(PRICES.per_million(0), 60);
        assert_eq!(PRICES.per_million(1_500), 60);
        assert_eq!(PRICES.per_million(1_501), 80);
        assert_eq!(PRICES.per_million(2_000), 80);
        assert_eq!(PRICES.per_million(2_001), 100);
    }
}
