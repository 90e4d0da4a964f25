//! Tokens that come back one by one.

use super::{Limiter, milliseconds};
use crate::units::{Limit, Window};

/// See [`super::Algorithm::TokenBucket`]. Full at first: a burst of the limit goes through, and over a long
/// time no more than the limit per window beside it.
#[derive(Clone, Debug)]
pub struct TokenBucket {
    /// Tokens that come back in a millisecond, in units of a token / `width`.
    refill: i64,
    /// A token in these units.
    width: i64,
    /// What the bucket holds, in these units: whole numbers, so that no rounding adds up.
    tokens: i64,
    last: i64,
}

impl TokenBucket {
    /// For one key that nothing is known of.
    #[must_use]
    pub fn new(limit: Limit, window: Window) -> Self {
        let (refill, width) = (i64::from(limit.requests()), milliseconds(window));
        Self { refill, width, tokens: refill * width, last: i64::MIN }
    }
}

impl Limiter for TokenBucket {
    fn allows(&mut self, at: i64) -> bool {
        let full = self.refill * self.width;
        let passed = at.saturating_sub(self.last).clamp(0, self.width);
        self.tokens = (self.tokens + passed * self.refill).min(full);
        self.last = self.last.max(at);
        let passes = self.tokens >= self.width;
        if passes {
            self.tokens -= self.width;
        }
        passes
    }
}
