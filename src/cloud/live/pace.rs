//! How fast, and how long.

use std::time::Duration;

use aws_sdk_wafv2::config::retry::RetryConfig;
use aws_sdk_wafv2::config::timeout::TimeoutConfig;

/// The pauses of one run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// Between two writes: AWS takes one a second of all callers together (guide, "limits").
    pub(super) write: Duration,
    first_pause: Duration,
    longest_pause: Duration,
    answer: Duration,
}

/// Attempts at one call where AWS is busy or away.
pub(super) const ATTEMPTS: u32 = 6;
/// More of them, where something that was just made is not to be seen everywhere yet.
pub(super) const LOOKS: u32 = 12;

impl Pace {
    /// As AWS wants it; tests shorten it all by `RATEWAF_TEST_PAUSE_MS`.
    pub(super) fn new() -> Self {
        let milliseconds =
            std::env::var("RATEWAF_TEST_PAUSE_MS").ok().and_then(|text| text.parse().ok());
        match milliseconds.map(Duration::from_millis) {
            None => Self {
                write: Duration::from_millis(1_100),
                first_pause: Duration::from_secs(1),
                longest_pause: Duration::from_secs(8),
                answer: Duration::from_secs(30),
            },
            Some(pause) => Self {
                write: pause,
                first_pause: pause,
                longest_pause: pause * 4,
                answer: Duration::from_secs(3),
            },
        }
    }

    /// Pauses double, each is a random share of its length: at most half a minute in all.
    pub(super) fn retries(&self) -> RetryConfig {
        RetryConfig::standard()
            .with_max_attempts(ATTEMPTS)
            .with_initial_backoff(self.first_pause)
            .with_max_backoff(self.longest_pause)
    }

    pub(super) fn timeouts(&self) -> TimeoutConfig {
        TimeoutConfig::builder()
            .connect_timeout(Duration::from_secs(10))
            .read_timeout(self.answer)
            .operation_attempt_timeout(self.answer)
            .operation_timeout(self.answer * 3)
            .build()
    }

    /// Before another look at what is not to be seen yet: two minutes in all.
    pub(super) fn before_look(&self, look: u32) -> Duration {
        (self.first_pause * 2_u32.saturating_pow(look))
            .min(self.longest_pause + self.first_pause * 4)
    }
}
