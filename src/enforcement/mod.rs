//! What the rules of a web ACL did, as WAF logs tell it, beside what the limits of policy and lock would
//! have them do. Pure: no I/O, no clock.

mod compare;
mod names;

pub use compare::{Expecting, compare};

use crate::counts::{LimitKey, RuleAction};
use crate::units::{Client, Limit, Timestamp, Window};

/// One rule of the logs or of the policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleRecord {
    /// Its name.
    pub name: String,
    /// How it tells clients apart; empty if it is not known to be rate-based.
    pub keys: Vec<LimitKey>,
    /// Whom it acted on: most requests first, ties by canonical text.
    pub clients: Vec<ActedOn>,
    /// Whom it should have acted on, or why that is not known.
    pub expected: Result<Expected, NotExpected>,
}

/// One client that a rule acted on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActedOn {
    /// Who.
    pub client: Client,
    /// Requests by what was done, in the order of [`RuleAction::ALL`].
    pub requests: [u32; RuleAction::ALL.len()],
    /// Arrival of the first of them.
    pub first: Timestamp,
    /// Arrival of the last of them.
    pub last: Timestamp,
}

/// What a limit would do to the clients of the logs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The route that the rule counts.
    pub route: String,
    /// The rule's limit by policy and lock.
    pub limit: Limit,
    /// Its window.
    pub window: Window,
    /// Clients whose sliding peak is above the limit.
    pub over: usize,
    /// Of these, the ones that the rule did not act on: highest peak first, ties by canonical text.
    pub missed: Vec<PeakOf>,
    /// Clients that it acted on although their peak is not above the limit, or although they did not
    /// call the route: highest peak first.
    pub surprising: Vec<PeakOf>,
}

/// A client with its peak on the route of a rule; 0 if it did not call it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeakOf {
    /// Who.
    pub client: Client,
    /// Most requests in any window of the rule.
    pub peak: u32,
}

/// Why nothing is known to expect of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotExpected {
    /// There is no policy, or its rules could not be told: why.
    NoRules(String),
    /// The policy has no rule of that name.
    UnknownRule,
    /// The requests of its route were not counted in this run.
    RouteNotRead,
    /// It does not tell clients apart by their address.
    OtherKey,
    /// It counts several routes together, and peaks are of one route each.
    SeveralRoutes,
}

impl NotExpected {
    /// In words, to stand behind `not compared:`.
    #[must_use]
    pub fn in_words(&self) -> String {
        match self {
            Self::NoRules(why) => why.clone(),
            Self::UnknownRule => "the policy has no rule of this name".to_owned(),
            Self::SeveralRoutes => {
                "it counts several routes together, and these figures are of one route each"
                    .to_owned()
            }
            Self::RouteNotRead => "its route was not looked at in this run".to_owned(),
            Self::OtherKey => {
                "it does not count by the address that connected, as these figures do".to_owned()
            }
        }
    }
}

impl ActedOn {
    /// Requests that it acted on in any way.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.requests.iter().map(|&requests| u64::from(requests)).sum()
    }
}

impl RuleRecord {
    /// Requests by what was done, in the order of [`RuleAction::ALL`].
    #[must_use]
    pub fn requests(&self) -> [u64; RuleAction::ALL.len()] {
        let mut sums = [0; RuleAction::ALL.len()];
        for client in &self.clients {
            for (sum, &requests) in sums.iter_mut().zip(&client.requests) {
                *sum += u64::from(requests);
            }
        }
        sums
    }

    /// Arrival of the first and the last request that it acted on.
    #[must_use]
    pub fn period(&self) -> Option<(Timestamp, Timestamp)> {
        let first = self.clients.iter().map(|client| client.first).min()?;
        let last = self.clients.iter().map(|client| client.last).max()?;
        Some((first, last))
    }
}

#[cfg(test)]
mod tests;
