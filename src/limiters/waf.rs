//! AWS WAF's rate-based rule, for one client.

use std::collections::VecDeque;

use super::{Limiter, milliseconds};
use crate::units::{Limit, Window};

/// AWS WAF looks at the rates about this often, in milliseconds (`WAFv2` API, `RateBasedStatement`).
pub const CHECK: i64 = 10_000;

/// See [`super::Algorithm::Waf`].
///
/// At every check it looks at the window that ended `lag` ago. While that holds more requests than the
/// limit, the rule acts on everything until the next check. What it acts on is counted, too: who does not
/// slow down stays limited. The real rate is an estimate (AWS documents no exact cut-off), and a real lag
/// differs from minute to minute.
#[derive(Clone, Debug)]
pub struct Waf {
    limit: usize,
    width: i64,
    lag: i64,
    /// Arrivals that a check may still look at.
    seen: VecDeque<i64>,
}

impl Waf {
    /// For one client that nothing is known of; `lag` in seconds.
    #[must_use]
    pub fn new(limit: Limit, window: Window, lag: u32) -> Self {
        Self {
            limit: limit.requests() as usize,
            width: milliseconds(window),
            lag: i64::from(lag) * 1000,
            seen: VecDeque::new(),
        }
    }

    /// Whether the rule acts at this time, by what was seen before. In the order of time.
    pub fn acts(&mut self, at: i64) -> bool {
        let end = at.div_euclid(CHECK) * CHECK - self.lag;
        while self.seen.front().is_some_and(|&first| first < end - self.width) {
            self.seen.pop_front();
        }
        self.seen.partition_point(|&time| time < end) > self.limit
    }

    /// Whether anything is left that a check may look at.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.seen.is_empty()
    }
}

impl Limiter for Waf {
    fn allows(&mut self, at: i64) -> bool {
        let at = self.seen.back().map_or(at, |&last| at.max(last));
        let acts = self.acts(at);
        self.seen.push_back(at);
        !acts
    }
}
