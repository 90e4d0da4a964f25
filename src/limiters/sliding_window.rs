//! The two-window estimate of a sliding window: two counters a key instead of a time a request.

use super::{Limiter, milliseconds};
use crate::units::{Limit, Window};

/// See [`super::Algorithm::SlidingWindow`].
///
/// The requests of the window before are taken as spread evenly, and the share of them that is younger than a
/// window is charged, rounded up. Around an edge no more than the limit goes through; where the window before
/// was not spread evenly, it may refuse too early, or let through more, but never twice the limit.
#[derive(Clone, Debug)]
pub struct SlidingWindow {
    limit: u32,
    width: i64,
    /// Number of the window that is counted.
    window: i64,
    passed: u32,
    /// What went through in the window before.
    before: u32,
    /// The latest time seen.
    last: i64,
}

impl SlidingWindow {
    /// For one key that nothing is known of.
    #[must_use]
    pub fn new(limit: Limit, window: Window) -> Self {
        Self::of(limit.requests(), milliseconds(window))
    }

    /// `limit` requests in about any `width` milliseconds: what the layers behind AWS WAF may have.
    #[must_use]
    pub const fn of(limit: u32, width: i64) -> Self {
        Self { limit, width, window: i64::MIN, passed: 0, before: 0, last: i64::MIN }
    }

    /// Requests that would go through at the latest time seen.
    #[must_use]
    pub fn remaining(&self) -> u32 {
        let room = i64::from(self.limit) - self.charged() - i64::from(self.passed);
        u32::try_from(room.max(0)).unwrap_or(u32::MAX)
    }

    /// Milliseconds from the latest time seen until the next window.
    #[must_use]
    pub const fn until_end(&self) -> i64 {
        self.width - self.last.rem_euclid(self.width)
    }

    /// Milliseconds from the latest time seen until one more request goes through, if nobody sends another.
    #[must_use]
    pub fn wait(&self) -> i64 {
        let (limit, passed) = (i64::from(self.limit), i64::from(self.passed));
        if passed < limit {
            let at = self.leaves_free(i64::from(self.before), limit - passed - 1);
            if at < self.width {
                return (at - self.last.rem_euclid(self.width)).max(1);
            }
        }
        self.until_end() + self.leaves_free(passed, limit - 1)
    }

    /// The share of the window before that is younger than a window.
    fn charged(&self) -> i64 {
        let parts = i64::from(self.before) * self.until_end();
        parts / self.width + i64::from(parts % self.width > 0)
    }

    /// Milliseconds of a window from which on `older` requests of the one before leave `free` places.
    fn leaves_free(&self, older: i64, free: i64) -> i64 {
        if older == 0 { 0 } else { (self.width - free * self.width / older).max(0) }
    }
}

impl Limiter for SlidingWindow {
    fn allows(&mut self, at: i64) -> bool {
        self.last = self.last.max(at);
        let window = self.last.div_euclid(self.width);
        if window > self.window {
            let follows = self.window.checked_add(1) == Some(window);
            self.before = if follows { self.passed } else { 0 };
            (self.window, self.passed) = (window, 0);
        }
        let passes = self.remaining() > 0;
        self.passed += u32::from(passes);
        passes
    }
}
