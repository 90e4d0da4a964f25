//! The limit of a rate-based rule.

use std::fmt;

use super::{Window, thousands};
use crate::quotas;

/// How many requests one aggregation instance may send per evaluation window before the rule acts.
/// Always within what AWS WAF accepts ([`quotas::MINIMUM_LIMIT`] to [`quotas::MAXIMUM_LIMIT`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Limit(u32);

/// A number that AWS WAF does not accept as a limit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0} is no limit that AWS WAF accepts; it takes {min} to {max} requests per window",
    min = quotas::MINIMUM_LIMIT,
    max = super::thousands(u64::from(quotas::MAXIMUM_LIMIT)),
)]
pub struct LimitError(pub u64);

impl Limit {
    /// The limit of `requests` per window.
    ///
    /// # Errors
    /// When AWS WAF would refuse the number.
    pub fn new(requests: u64) -> Result<Self, LimitError> {
        u32::try_from(requests)
            .ok()
            .filter(|number| (quotas::MINIMUM_LIMIT..=quotas::MAXIMUM_LIMIT).contains(number))
            .map(Self)
            .ok_or(LimitError(requests))
    }

    /// The limit nearest to `requests` per window that AWS WAF accepts.
    #[must_use]
    pub fn saturating(requests: u64) -> Self {
        let (min, max) = (quotas::MINIMUM_LIMIT, quotas::MAXIMUM_LIMIT);
        Self(u32::try_from(requests).map_or(max, |number| number.clamp(min, max)))
    }

    /// Requests per window.
    #[must_use]
    pub const fn requests(self) -> u32 {
        self.0
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The sustained rate of a limit: `1 per second`, `4 per minute`, `1.33 per second`.
#[must_use]
pub fn rate_in_words(limit: Limit, window: Window) -> String {
    let (requests, seconds) = (u64::from(limit.requests()), u64::from(window.seconds()));
    let (per, unit) = if requests >= seconds { (1, "second") } else { (60, "minute") };
    let hundredths = (requests * per * 200 / seconds).div_ceil(2);
    let (whole, part) = (hundredths / 100, hundredths % 100);
    let part = match part {
        0 => String::new(),
        part if part % 10 == 0 => format!(".{}", part / 10),
        part => format!(".{part:02}"),
    };
    format!("{}{part} per {unit}", thousands(whole))
}
