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
}

impl FixedWindow {
    /// For one key that nothing is known of.
    #[must_use]
    pub fn new(limit: Limit, window: Window) -> Self {
        Self { limit: limit.requests(), width: milliseconds(window), window: i64::MIN, passed: 0 }
    }
}

impl Limiter for FixedWindow {
    fn allows(&mut self, at: i64) -> bool {
        let window = at.div_euclid(self.width);
        if window > self.window {
            (self.window, self.passed) = (window, 0);
        }
        let passes = self.passed < self.limit;
        self.passed += u32::from(passes);
        passes
    }
}
