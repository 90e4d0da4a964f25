//! The algorithms that may stand behind a limit, each for one key: AWS WAF's own, and those of the layers
//! behind it. Pure functions of the time of each request, in milliseconds since 1970.
//!
//! A limiter is asked in the order of time; a time that goes back counts as the latest one seen, so that a
//! clock that is set back never hands out requests twice.

mod fixed_window;
mod several;
mod sliding_log;
mod sliding_window;
mod token_bucket;
mod waf;

pub use fixed_window::FixedWindow;
pub use several::Several;
pub use sliding_log::SlidingLog;
pub use sliding_window::SlidingWindow;
pub use token_bucket::TokenBucket;
pub use waf::{CHECK, Waf};

use crate::units::{Limit, Window};

/// One key's limiter.
pub trait Limiter {
    /// Whether a request that arrives at `at` (milliseconds since 1970) goes through.
    fn allows(&mut self, at: i64) -> bool;
}

/// Which algorithm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Algorithm {
    /// AWS WAF: a look at the trailing window every 10 s, with some delay; refused requests count.
    #[default]
    Waf,
    /// A counter that starts anew with each window of the clock; refused requests do not count.
    FixedWindow,
    /// No more than the limit in any window; refused requests do not count.
    SlidingLog,
    /// The same by two counters: this window's, and the share of the one before that is still in sight.
    SlidingWindow,
    /// As many tokens as the limit, which come back one by one over the window.
    TokenBucket,
}

impl Algorithm {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Waf, Self::FixedWindow, Self::SlidingLog, Self::SlidingWindow, Self::TokenBucket];

    /// Its name on the command line and in results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Waf => "waf",
            Self::FixedWindow => "fixed-window",
            Self::SlidingLog => "sliding-log",
            Self::SlidingWindow => "sliding-window",
            Self::TokenBucket => "token-bucket",
        }
    }

    /// A limiter of one key. `lag` is how many seconds pass before AWS WAF knows of a request; the others
    /// know at once.
    #[must_use]
    pub fn limiter(self, limit: Limit, window: Window, lag: u32) -> Box<dyn Limiter> {
        match self {
            Self::Waf => Box::new(Waf::new(limit, window, lag)),
            Self::FixedWindow => Box::new(FixedWindow::new(limit, window)),
            Self::SlidingLog => Box::new(SlidingLog::new(limit, window)),
            Self::SlidingWindow => Box::new(SlidingWindow::new(limit, window)),
            Self::TokenBucket => Box::new(TokenBucket::new(limit, window)),
        }
    }
}

/// A window in milliseconds.
fn milliseconds(window: Window) -> i64 {
    i64::from(window.seconds()) * 1000
}

#[cfg(test)]
mod tests;
