//! The evaluation windows that AWS WAF offers for a rate-based rule.

use std::fmt;
use std::str::FromStr;

/// An evaluation window in seconds: 60, 120, 300 or 600, the only ones AWS WAF accepts
/// (`EvaluationWindowSec` of `RateBasedStatement` in the `WAFv2` API reference).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Window(u32);

/// A number of seconds that AWS WAF does not offer as an evaluation window.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no evaluation window; AWS WAF offers 60, 120, 300 and 600 seconds")]
pub struct WindowError(pub String);

impl Window {
    /// One minute.
    pub const ONE_MINUTE: Self = Self(60);
    /// Two minutes.
    pub const TWO_MINUTES: Self = Self(120);
    /// Five minutes, the default of AWS WAF and of a policy.
    pub const FIVE_MINUTES: Self = Self(300);
    /// Ten minutes.
    pub const TEN_MINUTES: Self = Self(600);
    /// All of them, shortest first. Per-window tables are indexed in this order.
    pub const ALL: [Self; 4] = [Self(60), Self(120), Self(300), Self(600)];

    /// The window of `seconds`.
    ///
    /// # Errors
    /// When AWS WAF does not offer that window.
    pub fn new(seconds: u32) -> Result<Self, WindowError> {
        Self::ALL
            .into_iter()
            .find(|window| window.0 == seconds)
            .ok_or_else(|| WindowError(seconds.to_string()))
    }

    /// Its length in seconds.
    #[must_use]
    pub const fn seconds(self) -> u32 {
        self.0
    }

    /// Its place in [`Window::ALL`] and in every per-window table.
    #[must_use]
    pub const fn index(self) -> usize {
        match self.0 {
            60 => 0,
            120 => 1,
            300 => 2,
            _ => 3,
        }
    }
}

impl Default for Window {
    fn default() -> Self {
        Self::FIVE_MINUTES
    }
}

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} s", self.0)
    }
}

impl FromStr for Window {
    type Err = WindowError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.trim()
            .trim_end_matches('s')
            .trim_end()
            .parse()
            .ok()
            .and_then(|seconds| Self::new(seconds).ok())
            .ok_or_else(|| WindowError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_four_windows_of_waf_exist() {
        assert_eq!("300".parse(), Ok(Window::FIVE_MINUTES));
        assert_eq!("60s".parse(), Ok(Window::ONE_MINUTE));
        assert!("90".parse::<Window>().is_err());
        assert!(Window::new(0).is_err());
    }

    #[test]
    fn the_index_follows_the_order_of_all() {
        for (place, window) in Window::ALL.into_iter().enumerate() {
            assert_eq!(window.index(), place);
        }
    }
}
