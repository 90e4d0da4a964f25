//! Clients that no limit can be about, told together.
//!
//! AWS WAF accepts no limit under 10 requests, so a client with fewer requests in the whole log is never
//! above one. A flood from changing addresses is made of millions of such clients, and of a few hundred
//! kinds of them: the columns of each kind are kept once, with the number of its clients.

use std::hash::{Hash, Hasher};

use super::{ClientProfile, Habit};
use crate::quotas::MINIMUM_LIMIT;
use crate::units::{Client, Timestamp, Window};

/// User agents from which a client may look shared (see the method): it is kept by name.
const NAMED_AGENTS: u32 = 8;
const WINDOWS: usize = Window::ALL.len();
const HABIT: usize = 3;

/// Clients that are alike in every column but who they are, when they called, and with which agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crowd {
    kind: Kind,
    /// How many there are.
    pub clients: u32,
}

/// What they have in common: no number but the lines is above 9.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Kind {
    lines: u32,
    /// Sliding, clock and plain peaks, then habits, each for every window.
    peaks: [[u8; WINDOWS]; 3],
    habits: [[u8; HABIT]; WINDOWS],
    requests: u8,
    hours: u8,
    agents: u8,
    errors: u8,
    limited: u8,
    referers: u8,
    browsers: u8,
    forwarded: u8,
    known: bool,
}

impl Crowd {
    pub(super) const fn new(kind: Kind, clients: u32) -> Self {
        Self { kind, clients }
    }

    /// The columns of each of them; without a name, times and agents.
    #[must_use]
    pub fn each(&self) -> ClientProfile {
        let Kind { peaks, habits, .. } = self.kind;
        let [sliding, clock, plain_sliding] = peaks.map(|peaks| peaks.map(u32::from));
        ClientProfile {
            client: Client::Text("".into()),
            label: None,
            requests: self.kind.requests.into(),
            lines: self.kind.lines,
            sliding,
            clock,
            plain_sliding,
            busiest: [Timestamp(0); WINDOWS],
            habits: habits.map(|habit| {
                let [near_days, windows, middle] = habit.map(u32::from);
                Habit { near_days, windows, middle }
            }),
            hours: self.kind.hours.into(),
            agents: self.kind.agents.into(),
            top_agent: 0,
            errors: self.kind.errors.into(),
            limited: self.kind.limited.into(),
            referers: self.kind.referers.into(),
            browsers: self.kind.browsers.into(),
            forwarded: self.kind.forwarded.into(),
            known: self.kind.known,
            first: Timestamp(0),
            last: Timestamp(0),
        }
    }
}

/// All columns as one text: one after the other took longer than all else about the crowd.
impl Hash for Kind {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut bytes = [0; 40];
        let (peaks, rest) = bytes.split_at_mut(3 * WINDOWS);
        peaks.copy_from_slice(self.peaks.as_flattened());
        let (habits, rest) = rest.split_at_mut(HABIT * WINDOWS);
        habits.copy_from_slice(self.habits.as_flattened());
        let (lines, rest) = rest.split_at_mut(4);
        lines.copy_from_slice(&self.lines.to_le_bytes());
        rest[..9].copy_from_slice(&[
            self.requests,
            self.hours,
            self.agents,
            self.errors,
            self.limited,
            self.referers,
            self.browsers,
            self.forwarded,
            self.known.into(),
        ]);
        state.write(&bytes);
    }
}

impl Kind {
    /// The kind of a client; `None` for one that has to be kept by name.
    pub(super) fn of(client: &ClientProfile) -> Option<Self> {
        if client.requests >= MINIMUM_LIMIT
            || client.label.is_some()
            || client.agents >= NAMED_AGENTS
        {
            return None;
        }
        // No count of a client's requests is above their number.
        let small = |number: u32| number as u8;
        Some(Self {
            lines: client.lines,
            peaks: [client.sliding, client.clock, client.plain_sliding]
                .map(|peaks| peaks.map(small)),
            habits: client
                .habits
                .map(|habit| [habit.near_days, habit.windows, habit.middle].map(small)),
            requests: small(client.requests),
            hours: small(client.hours),
            agents: small(client.agents),
            errors: small(client.errors),
            limited: small(client.limited),
            referers: small(client.referers),
            browsers: small(client.browsers),
            forwarded: small(client.forwarded),
            known: client.known,
        })
    }

    /// What decides, besides its name, on which lists a client may stand: for each window its peak, and
    /// how much of a habit it shows. Below [`STRATA`].
    pub(super) fn strata(&self) -> [usize; WINDOWS] {
        let [sliding, ..] = self.peaks;
        // Hours that make a habit in a log of one day, and in one of two days.
        let hours = [4, 7].into_iter().filter(|&hours| self.hours >= hours).count();
        std::array::from_fn(|window| {
            let [near_days, ..] = self.habits[window];
            let habit =
                if self.known { 1 + usize::from(near_days.min(NEAR_DAYS)) * 3 + hours } else { 0 };
            (window * MINIMUM_LIMIT as usize + usize::from(sliding[window])) * HABITS + habit
        })
    }
}

/// Days near the peak that make a habit in any log.
const NEAR_DAYS: u8 = 3;
/// Behaviour unknown, or as many days near the peak with as many hours as tell habits apart.
const HABITS: usize = 1 + (NEAR_DAYS as usize + 1) * 3;
/// Clients of one stratum differ, for the lists of one window, in nothing but their names.
pub(super) const STRATA: usize = WINDOWS * MINIMUM_LIMIT as usize * HABITS;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_has_all_columns_and_a_stratum_within_bounds() {
        let client = ClientProfile {
            client: Client::from_text("192.0.2.1"),
            label: None,
            requests: 9,
            lines: 70_000,
            sliding: [1, 2, 3, 9],
            clock: [1, 1, 2, 3],
            plain_sliding: [0, 1, 2, 3],
            busiest: [Timestamp(7); 4],
            habits: [1, 2, 3, 4].map(|near_days| Habit { near_days, windows: 9, middle: 1 }),
            hours: 9,
            agents: 7,
            top_agent: 4,
            errors: 1,
            limited: 2,
            referers: 3,
            browsers: 4,
            forwarded: 5,
            known: true,
            first: Timestamp(5),
            last: Timestamp(6),
        };
        let kind = Kind::of(&client).unwrap();
        let each = Crowd::new(kind, 3).each();
        let nobody = ClientProfile {
            client: each.client.clone(),
            busiest: each.busiest,
            top_agent: 0,
            first: each.first,
            last: each.last,
            ..client.clone()
        };
        assert_eq!(each, nobody);
        assert_eq!(kind.strata().into_iter().max(), Some(STRATA - 1));
        for named in [
            ClientProfile { requests: 10, ..client.clone() },
            ClientProfile { agents: 8, ..client },
        ] {
            assert_eq!(Kind::of(&named), None);
        }
    }
}
