//! A counter that starts anew with each window of the clock.

use super::{Limiter, milliseconds};
use crate::units::{Limit, Window};

/// See [`super::Algorithm::FixedWindow`]. Around the edge of two windows twice the limit goes through.
#[derive(Clone, Debug)]
pub struct FixedWindow {
    limit: u32,
    width: i64,
    /// Number of the window that is counted.
    window: i64,
    passed: u32,
    /// The latest time seen.
    last: i64,
}

impl FixedWindow {
    /// For one key that nothing is known of.
    #[must_use]
    pub fn new(limit: Limit, window: Window) -> Self {
        Self::of(limit.requests(), milliseconds(window))
    }

    /// `limit` requests in each `width` milliseconds of the clock: what the layers behind AWS WAF may have.
    #[must_use]
    pub const fn of(limit: u32, width: i64) -> Self {
        Self { limit, width, window: i64::MIN, passed: 0, last: i64::MIN }
    }

    /// Requests that would go through at the latest time seen.
    #[must_use]
    pub const fn remaining(&self) -> u32 {
        self.limit - self.passed
    }

    /// Milliseconds from the latest time seen until the next window.
    #[must_use]
    pub const fn wait(&self) -> i64 {
        self.width - self.last.rem_euclid(self.width)
    }
}

impl Limiter for FixedWindow {
    fn allows(&mut self, at: i64) -> bool {
        self.last = self.last.max(at);
        let window = at.div_euclid(self.width);
        if window > self.window {
            (self.window, self.passed) = (window, 0);
        }
        let passes = self.passed < self.limit;
        self.passed += u32::from(passes);
        passes
    }
}
