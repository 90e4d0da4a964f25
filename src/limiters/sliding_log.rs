//! Every request that went through, until it is a window old.

use std::collections::VecDeque;

use super::{Limiter, milliseconds};
use crate::units::{Limit, Window};

/// See [`super::Algorithm::SlidingLog`]. Keeps the times of at most as many requests as the limit.
#[derive(Clone, Debug)]
pub struct SlidingLog {
    limit: usize,
    width: i64,
    passed: VecDeque<i64>,
}

impl SlidingLog {
    /// For one key that nothing is known of.
    #[must_use]
    pub fn new(limit: Limit, window: Window) -> Self {
        Self::of(limit.requests(), milliseconds(window))
    }

    /// `limit` requests in any `width` milliseconds: what the layers behind AWS WAF may have.
    #[must_use]
    pub const fn of(limit: u32, width: i64) -> Self {
        Self { limit: limit as usize, width, passed: VecDeque::new() }
    }
}

impl Limiter for SlidingLog {
    fn allows(&mut self, at: i64) -> bool {
        let at = self.passed.back().map_or(at, |&last| at.max(last));
        while self.passed.front().is_some_and(|&first| first <= at - self.width) {
            self.passed.pop_front();
        }
        let passes = self.passed.len() < self.limit;
        if passes {
            self.passed.push_back(at);
        }
        passes
    }
}
