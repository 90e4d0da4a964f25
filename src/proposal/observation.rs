//! What the method looks at: one row of bare columns a client.

use crate::profile::{ClientProfile, Label};
use crate::units::Window;

/// One client on one route, seen through one window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Observation {
    /// Most requests in any window (sliding).
    pub peak: u32,
    /// Requests on the route.
    pub requests: u32,
    /// Distinct user agents on the route, counted up to 64.
    pub agents: u32,
    /// Share of its requests on the route answered 400 to 499.
    pub share_4xx: f64,
    /// Requests on the route / lines of that client in everything that was read.
    pub focus: f64,
    /// How it behaves; `None` if the log does not say.
    pub behaviour: Option<Behaviour>,
    /// What people said about it.
    pub label: Option<Label>,
}

/// The columns that are known together or not at all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Behaviour {
    /// Distinct UTC days with a clock window whose count, doubled, reaches the peak.
    pub near_days: u32,
    /// Distinct UTC hours with a request on the route.
    pub hours: u32,
    /// Clock windows with a request on the route.
    pub windows: u32,
    /// Lower median of the counts of those windows.
    pub middle: u32,
    /// Share of its requests on the route with a referer.
    pub referer: f64,
    /// Share of its requests on the route with a browser's user agent.
    pub browser: f64,
}

/// More user agents say nothing more about who is behind an address, and a client can make up any
/// number of them.
const MOST_AGENTS: u32 = 64;

impl Observation {
    /// The columns of a client as seen through `window`.
    #[must_use]
    pub fn of(client: &ClientProfile, window: Window) -> Self {
        let habit = client.habits[window.index()];
        Self {
            peak: client.peak(window),
            requests: client.requests,
            agents: client.agents.min(MOST_AGENTS),
            share_4xx: client.share_4xx(),
            focus: client.focus(),
            behaviour: client.known.then(|| Behaviour {
                near_days: habit.near_days,
                hours: client.hours,
                windows: habit.windows,
                middle: habit.middle,
                referer: client.referer(),
                browser: client.browser(),
            }),
            label: client.label.as_ref().map(|labelled| labelled.label),
        }
    }

    /// Whether shares of this client's requests mean anything.
    pub(super) const fn has_enough(&self) -> bool {
        self.requests >= ENOUGH_REQUESTS
    }

    /// Whether most of its requests were answered 4xx.
    pub(super) fn mostly_errors(&self) -> bool {
        self.has_enough() && self.share_4xx >= MOSTLY_ERRORS
    }
}

/// Shares of fewer requests than this are noise.
const ENOUGH_REQUESTS: u32 = 20;
/// Share of 4xx answers from which a client mostly makes errors.
const MOSTLY_ERRORS: f64 = 0.5;
