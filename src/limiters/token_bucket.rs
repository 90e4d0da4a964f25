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
    /// What it may hold, in these units.
    full: i64,
    /// What the bucket holds, in these units: whole numbers, so that no rounding adds up.
    tokens: i64,
    last: i64,
}

impl TokenBucket {
    /// For one key that nothing is known of.
    #[must_use]
    pub fn new(limit: Limit, window: Window) -> Self {
        Self::of(limit.requests(), milliseconds(window), limit.requests())
    }

    /// A bucket that holds `burst` tokens, of which `refill` come back in `width` milliseconds: what the
    /// layers behind AWS WAF may have. All three are at least 1.
    #[must_use]
    pub fn of(refill: u32, width: i64, burst: u32) -> Self {
        let full = i64::from(burst) * width;
        Self { refill: i64::from(refill), width, full, tokens: full, last: i64::MIN }
    }

    /// Milliseconds from the latest time seen until there is a token.
    #[must_use]
    pub fn wait(&self) -> i64 {
        let missing = (self.width - self.tokens).max(0);
        missing / self.refill + i64::from(missing % self.refill > 0)
    }
}

impl Limiter for TokenBucket {
    fn allows(&mut self, at: i64) -> bool {
        // Longer than it takes to fill the bucket is the same as that.
        let passed = at.saturating_sub(self.last).clamp(0, self.full / self.refill + 1);
        self.tokens = (self.tokens + passed * self.refill).min(self.full);
        self.last = self.last.max(at);
        let passes = self.tokens >= self.width;
        if passes {
            self.tokens -= self.width;
        }
        passes
    }
}
