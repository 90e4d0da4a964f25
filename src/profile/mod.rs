//! What each client did on a route: one row of columns a client, and the labels people gave them.
//!
//! The columns are those of `docs/how-limits-are-chosen.md`; peaks and habits come per evaluation
//! window, in the order of [`Window::ALL`].

mod anonymous;
mod build;
mod columns;
mod crowd;
mod gather;
mod label;

pub use anonymous::anonymise;
pub use build::{Built, build_all, build_groups};
pub use crowd::Crowd;
pub use gather::Names;
pub use label::{Label, Labelled, Labels};

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::counts::{AgentTexts, RouteTraffic};
use crate::rules::Route;
use crate::units::{self, Client, Timestamp, Window};

/// A client's habit as seen through one window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Habit {
    /// Distinct UTC days with a clock window whose count, doubled, reaches the sliding peak.
    pub near_days: u32,
    /// Clock windows with a request.
    pub windows: u32,
    /// Lower median of the counts of those windows.
    pub middle: u32,
}

/// One client (or one /64) on one route.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientProfile {
    /// Who.
    pub client: Client,
    /// What people said about it.
    pub label: Option<Labelled>,
    /// Requests on the route, duplicates left out.
    pub requests: u32,
    /// Lines of this client in everything that was read, as read.
    pub lines: u32,
    /// Most requests in any window, in steps of 10 s, for each of [`Window::ALL`].
    pub sliding: [u32; 4],
    /// Most requests in any aligned window, for each of [`Window::ALL`].
    pub clock: [u32; 4],
    /// Largest sliding count of requests spelled exactly like the route, for each of [`Window::ALL`].
    pub plain_sliding: [u32; 4],
    /// Start of the (first) busiest sliding window, for each of [`Window::ALL`].
    pub busiest: [Timestamp; 4],
    /// Habits, for each of [`Window::ALL`].
    pub habits: [Habit; 4],
    /// Distinct UTC hours with a request on the route.
    pub hours: u32,
    /// Distinct user agents on the route.
    pub agents: u32,
    /// Hash of the user agent of most of its requests, ties by the smaller hash; 0 if none was logged.
    pub top_agent: u32,
    /// Requests answered 400 to 499.
    pub errors: u32,
    /// Requests answered 429.
    pub limited: u32,
    /// Requests with a referer.
    pub referers: u32,
    /// Requests whose user agent is a browser's.
    pub browsers: u32,
    /// Requests whose `x-forwarded-for` names another address.
    pub forwarded: u32,
    /// Whether referer and user agent were logged for all of its requests; if not, its behaviour is
    /// unknown.
    pub known: bool,
    /// Arrival of its first request on the route.
    pub first: Timestamp,
    /// Arrival of its last request on the route.
    pub last: Timestamp,
}

impl ClientProfile {
    /// Sliding peak in a window.
    #[must_use]
    pub const fn peak(&self, window: Window) -> u32 {
        self.sliding[window.index()]
    }

    /// Whether people gave it this label.
    #[must_use]
    pub fn is_labelled(&self, label: Label) -> bool {
        self.label.as_ref().is_some_and(|own| own.label == label)
    }

    /// Share of its requests answered 400 to 499.
    #[must_use]
    pub fn share_4xx(&self) -> f64 {
        share(self.errors, self.requests)
    }

    /// Requests on the route by lines of this client in everything that was read; at most 1.
    #[must_use]
    pub fn focus(&self) -> f64 {
        share(self.requests, self.lines).min(1.0)
    }

    /// Share of its requests with a referer.
    #[must_use]
    pub fn referer(&self) -> f64 {
        share(self.referers, self.requests)
    }

    /// Share of its requests with a browser's user agent.
    #[must_use]
    pub fn browser(&self) -> f64 {
        share(self.browsers, self.requests)
    }
}

fn share(part: u32, whole: u32) -> f64 {
    units::share(part.into(), whole.into())
}

/// One route with everybody who called it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RouteProfile {
    /// The route.
    pub route: Route,
    /// The window its limit is for.
    pub window: Window,
    /// By address: highest sliding peak in `window` first, ties by canonical text. All that no other list
    /// has.
    pub clients: Vec<ClientProfile>,
    /// Clients with fewer requests than any limit, but for the first by name of those that are alike.
    pub crowd: Vec<Crowd>,
    /// The same by /64 (IPv4 clients as they are); empty if no IPv6 client occurs.
    pub slash64: Vec<ClientProfile>,
    /// See `crowd`.
    pub slash64_crowd: Vec<Crowd>,
    /// Requests counted, duplicates left out.
    pub requests: u64,
    /// These by UTC hour (seconds / 3600) of arrival; hours without any are left out.
    pub by_hour: BTreeMap<i64, u64>,
    /// What the statement covers and what goes past it.
    pub traffic: RouteTraffic,
    /// How user agents read; shared by all routes of one reading.
    pub agents: Arc<AgentTexts>,
}

/// Everybody: clients by name, then those of a crowd, each kind with their number.
pub fn everybody<'a>(
    clients: &'a [ClientProfile],
    crowd: &'a [Crowd],
) -> impl Iterator<Item = (Cow<'a, ClientProfile>, u32)> {
    let named = clients.iter().map(|client| (Cow::Borrowed(client), 1));
    named.chain(crowd.iter().map(|crowd| (Cow::Owned(crowd.each()), crowd.clients)))
}

/// Values in ascending order, each with the number of those that are no larger; and the number of all.
#[must_use]
pub fn ranked(values: impl Iterator<Item = (u32, u64)>) -> (Vec<(u32, u64)>, u64) {
    let mut values: Vec<(u32, u64)> = values.collect();
    values.sort_unstable();
    let mut seen = 0;
    for (_, number) in &mut values {
        seen += *number;
        *number = seen;
    }
    (values, seen)
}

/// The value at a rank, counted from 1, of what [`ranked`] made; 0 of none.
#[must_use]
pub fn at_rank(ranked: &[(u32, u64)], rank: u64) -> u32 {
    let place = ranked.partition_point(|&(_, seen)| seen < rank.max(1));
    ranked.get(place).map_or(0, |&(value, _)| value)
}

/// How many clients there are, with and without a name.
#[must_use]
pub fn number_of(clients: &[ClientProfile], crowd: &[Crowd]) -> u64 {
    clients.len() as u64 + crowd.iter().map(|crowd| u64::from(crowd.clients)).sum::<u64>()
}

impl RouteProfile {
    /// Everybody who called the route, with the number of those who are alike.
    pub fn everybody(&self) -> impl Iterator<Item = (Cow<'_, ClientProfile>, u32)> {
        everybody(&self.clients, &self.crowd)
    }

    /// The sum of a column.
    pub fn sum(&self, column: impl Fn(&ClientProfile) -> u32) -> u64 {
        let all = self.everybody();
        all.map(|(client, number)| u64::from(column(&client)) * u64::from(number)).sum()
    }

    /// How many called the route.
    #[must_use]
    pub fn number_of_clients(&self) -> u64 {
        number_of(&self.clients, &self.crowd)
    }

    /// The user agent of most of a client's requests, as sent, at most 256 bytes of it. The client
    /// chose it. `None` if none was logged, or too many were.
    #[must_use]
    pub fn top_agent(&self, client: &ClientProfile) -> Option<&str> {
        self.agents.text(client.top_agent)
    }
}
