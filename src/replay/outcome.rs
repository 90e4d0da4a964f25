//! What a replay found.

use super::days::DayOut;
use super::grid::Grid;
use super::rule::Rule;
use crate::units::{Client, Timestamp};

/// The replay of one rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Replayed {
    /// The rule.
    pub rule: Rule,
    /// What came of it.
    pub outcome: Outcome,
}

/// What a rule would have done.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Clients whose requests it saw.
    pub clients: u64,
    /// Requests that it saw; those that a rule before it had stopped are none of them.
    pub requests: u64,
    /// Whom it would have limited: highest peak first, ties by canonical text.
    pub limited: Vec<Limited>,
    /// Who came near the limit, in the same order.
    pub near: Vec<Near>,
    /// Most clients that it would have limited at the same time.
    pub most_at_once: usize,
    /// Each day under the limit that the others propose; empty if nobody asked.
    pub days: Vec<DayOut>,
    /// Other limits and windows; empty but for AWS WAF.
    pub grid: Grid,
}

/// One client that a rule would have limited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limited {
    /// Who.
    pub client: Client,
    /// Most requests in any window of the rule.
    pub peak: u32,
    /// Requests that the rule saw.
    pub requests: u64,
    /// Of these, those that it acted on.
    pub acted_on: u64,
    /// Requests of the windows that put it over the limit, which went through before it was known.
    pub before: u64,
    /// Since when the rule acted for the first time; for other algorithms than that of AWS WAF the first
    /// refused request.
    pub first: Timestamp,
    /// When it last stopped acting; for other algorithms the last refused request.
    pub last: Timestamp,
    /// Seconds during which it acted; for other algorithms in which it refused something.
    pub seconds: u64,
    /// How often it began to act.
    pub times: u64,
}

/// One client near a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Near {
    /// Who.
    pub client: Client,
    /// Most requests in any window of the rule.
    pub peak: u32,
    /// Requests that the rule saw.
    pub requests: u64,
}

impl Outcome {
    /// Requests that it acted on.
    #[must_use]
    pub fn acted_on(&self) -> u64 {
        self.limited.iter().map(|one| one.acted_on).sum()
    }

    /// Requests that went through although their sender was over the limit, because it was not known yet.
    #[must_use]
    pub fn before(&self) -> u64 {
        self.limited.iter().map(|one| one.before).sum()
    }
}
