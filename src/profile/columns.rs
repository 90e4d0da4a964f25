//! The columns of one client, from its requests.

use std::cmp::Reverse;

use super::{ClientProfile, Habit, Labels};
use crate::counts::{Event, clock_counts, flags, sliding};
use crate::units::{Client, Timestamp, Window};

/// Up to so many distinct user agents are looked for one by one; more are sorted.
const FEW_AGENTS: usize = 64;

/// Buffers for one client after another.
#[derive(Default)]
pub(super) struct Scratch {
    times: Vec<u32>,
    plain: Vec<u32>,
    agents: Vec<u32>,
    /// Agents with their requests.
    by_agent: Vec<(u32, u32)>,
    counts: Vec<u32>,
    windows: Vec<(u32, u32)>,
}

impl Scratch {
    /// The columns of one client, from its requests in order of time (at least one).
    pub(super) fn profile(
        &mut self,
        client: Client,
        lines: u32,
        events: &[Event],
        labels: &Labels,
    ) -> ClientProfile {
        self.times.clear();
        self.times.extend(events.iter().map(|event| event.time));
        self.plain.clear();
        let plain = events.iter().filter(|event| event.flags() & flags::PLAIN != 0);
        self.plain.extend(plain.map(|event| event.time));
        let with = |bit: u8| events.iter().filter(|event| event.flags() & bit != 0).count() as u32;
        let sent = events.iter().map(|event| event.agent).filter(|agent| *agent != 0);
        let (agents, top_agent) = self.agents(sent);
        let (first, last) = (self.times[0], self.times[self.times.len() - 1]);
        let mut profile = ClientProfile {
            label: labels.of(&client),
            client,
            requests: events.len() as u32,
            lines,
            sliding: [0; 4],
            clock: [0; 4],
            plain_sliding: [0; 4],
            busiest: [Timestamp(0); 4],
            habits: [Habit::default(); 4],
            hours: distinct(self.times.iter().map(|time| time / 3_600)),
            agents,
            top_agent,
            errors: with(flags::ERROR),
            limited: with(flags::LIMITED),
            referers: with(flags::REFERER),
            browsers: with(flags::BROWSER),
            forwarded: with(flags::FORWARDED),
            known: with(flags::KNOWN) == events.len() as u32,
            first: Timestamp(first.into()),
            last: Timestamp(last.into()),
        };
        for window in Window::ALL {
            let place = window.index();
            let best = sliding(&self.times, window.seconds());
            profile.sliding[place] = best.peak;
            profile.busiest[place] = Timestamp(best.start.into());
            profile.plain_sliding[place] = if self.plain.len() == self.times.len() {
                best.peak
            } else {
                sliding(&self.plain, window.seconds()).peak
            };
            (profile.clock[place], profile.habits[place]) = self.habit(window, best.peak);
        }
        profile
    }

    /// The clock peak and the habit, seen through one window.
    fn habit(&mut self, window: Window, peak: u32) -> (u32, Habit) {
        self.windows.clear();
        clock_counts(&self.times, window.seconds(), |start, count| {
            self.windows.push((start, count));
        });
        let near = self.windows.iter().filter(|(_, count)| 2 * count >= peak);
        let near_days = distinct(near.map(|(start, _)| start / 86_400));
        self.counts.clear();
        self.counts.extend(self.windows.iter().map(|(_, count)| count));
        let clock = self.counts.iter().copied().max().unwrap_or_default();
        let median = (self.counts.len() - 1) / 2;
        let (_, middle, _) = self.counts.select_nth_unstable(median);
        (clock, Habit { near_days, windows: self.windows.len() as u32, middle: *middle })
    }

    /// How many agents there are, and the one with the most requests (ties: the smaller hash).
    fn agents(&mut self, sent: impl Iterator<Item = u32> + Clone) -> (u32, u32) {
        self.by_agent.clear();
        // Nearly every client has one agent: look at the last one first.
        let mut last = 0;
        for agent in sent.clone() {
            if self.by_agent.get(last).is_none_or(|(other, _)| *other != agent) {
                let known = self.by_agent.iter().position(|(other, _)| *other == agent);
                last = known.unwrap_or(self.by_agent.len());
                if known.is_none() {
                    if self.by_agent.len() == FEW_AGENTS {
                        self.sort_agents(sent);
                        break;
                    }
                    self.by_agent.push((agent, 0));
                }
            }
            self.by_agent[last].1 += 1;
        }
        let top = self.by_agent.iter().max_by_key(|(agent, count)| (*count, Reverse(*agent)));
        (self.by_agent.len() as u32, top.map_or(0, |(agent, _)| *agent))
    }

    fn sort_agents(&mut self, sent: impl Iterator<Item = u32>) {
        self.agents.clear();
        self.agents.extend(sent);
        self.agents.sort_unstable();
        self.by_agent.clear();
        let same = self.agents.chunk_by(|one, two| one == two);
        self.by_agent.extend(same.map(|same| (same[0], same.len() as u32)));
    }
}

/// How many distinct values an ascending sequence has.
fn distinct(values: impl Iterator<Item = u32>) -> u32 {
    let mut last = None;
    let mut count = 0;
    for value in values {
        if last != Some(value) {
            count += 1;
            last = Some(value);
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_agent_has_most_requests_then_the_smaller_hash() {
        let mut scratch = Scratch::default();
        let mut of = |sent: &[u32]| scratch.agents(sent.iter().copied());
        assert_eq!(of(&[]), (0, 0));
        assert_eq!(of(&[9, 9, 4, 9, 4]), (2, 9));
        assert_eq!(of(&[9, 4, 4, 9, 7]), (3, 4));
        // Many: they are sorted, to the same end.
        for many in [FEW_AGENTS as u32, FEW_AGENTS as u32 + 1, 500] {
            let sent: Vec<u32> = (1..=many).rev().chain([many, many - 1, 3, many]).collect();
            assert_eq!(of(&sent), (many, many));
            let sent: Vec<u32> = (1..=many).chain([many, 2]).collect();
            assert_eq!(of(&sent), (many, 2));
        }
    }
}
