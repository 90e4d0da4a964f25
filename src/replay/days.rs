//! Leave one day out: does the limit hang on a single day?

use std::collections::BTreeSet;

use super::outcome::Outcome;
use crate::units::{Client, Limit, Timestamp};

/// One UTC day under a limit that its own requests had no say in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DayOut {
    /// Midnight at which it begins.
    pub day: Timestamp,
    /// The limit that the other days propose; `None` if they propose none.
    pub limit: Option<Limit>,
    /// Clients that the rule limits on that day.
    pub limited: u64,
    /// Of these, those that the other days' limit limits, too.
    pub caught: u64,
    /// Others that it would limit.
    pub hit: u64,
}

impl DayOut {
    /// From what the rule did on the day, and what the other days' limit would have done.
    #[must_use]
    pub fn new(day: Timestamp, limit: Option<Limit>, own: &Outcome, other: &Outcome) -> Self {
        let clients = |outcome: &Outcome| -> BTreeSet<Client> {
            outcome.limited.iter().map(|one| one.client.clone()).collect()
        };
        let (own, other) = (clients(own), clients(other));
        let caught = own.intersection(&other).count() as u64;
        Self { day, limit, limited: own.len() as u64, caught, hit: other.len() as u64 - caught }
    }
}
