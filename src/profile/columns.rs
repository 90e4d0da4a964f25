//! The columns of one client, from its requests.

use std::cmp::Reverse;

use super::{ClientProfile, Habit, Labels};
use crate::counts::{Event, flags, sliding};
use crate::units::{Client, Timestamp, Window};

/// Up to so many distinct user agents are looked for one by one; more are sorted.
const FEW_AGENTS: usize = 64;

/// Seconds of the smallest clock window; all others are some of it.
const MINUTE: u32 = 60;

/// Buffers for one client after another.
#[derive(Default)]
pub(super) struct Scratch {
    times: Vec<u32>,
    plain: Vec<u32>,
    agents: Vec<u32>,
    /// Agents with their requests.
    by_agent: Vec<(u32, u32)>,
    counts: Vec<u32>,
    /// Minutes of the clock with a request, and their counts.
    minutes: Vec<(u32, u32)>,
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
        let sent = events.iter().map(|event| event.agent).filter(|agent| *agent != 0);
        let (agents, top_agent) = self.agents(sent);
        let (first, last) = (self.times[0], self.times[self.times.len() - 1]);
        let with = with_flags(events);
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
            hours: 1,
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
        let plain = with(flags::PLAIN);
        if events.len() == 1 {
            // Many a client of a flood.
            profile.sliding = [1; 4];
            profile.clock = [1; 4];
            profile.plain_sliding = [plain; 4];
            profile.busiest = [Timestamp(sliding(&self.times, MINUTE).start.into()); 4];
            profile.habits = [Habit { near_days: 1, windows: 1, middle: 1 }; 4];
            return profile;
        }
        self.note_plain(events, plain);
        self.note_minutes();
        profile.hours = distinct(self.minutes.iter().map(|(minute, _)| minute / 60));
        for window in Window::ALL {
            let place = window.index();
            let best = sliding(&self.times, window.seconds());
            profile.sliding[place] = best.peak;
            profile.busiest[place] = Timestamp(best.start.into());
            profile.plain_sliding[place] = if plain == profile.requests {
                best.peak
            } else {
                sliding(&self.plain, window.seconds()).peak
            };
            (profile.clock[place], profile.habits[place]) = self.habit(window, best.peak);
        }
        profile
    }

    /// The times of the requests that are spelled like the route, where that is not all of them.
    fn note_plain(&mut self, events: &[Event], plain: u32) {
        self.plain.clear();
        if plain != events.len() as u32 {
            let plain = events.iter().filter(|event| event.flags() & flags::PLAIN != 0);
            self.plain.extend(plain.map(|event| event.time));
        }
    }

    fn note_minutes(&mut self) {
        self.minutes.clear();
        for time in &self.times {
            let minute = time / MINUTE;
            match self.minutes.last_mut() {
                Some((last, count)) if *last == minute => *count += 1,
                _ => self.minutes.push((minute, 1)),
            }
        }
    }

    /// The clock peak and the habit, seen through one window.
    fn habit(&mut self, window: Window, peak: u32) -> (u32, Habit) {
        // Divisions by a number that is known beforehand are not done.
        match window.seconds() / MINUTE {
            1 => self.habit_of::<1>(peak),
            2 => self.habit_of::<2>(peak),
            5 => self.habit_of::<5>(peak),
            _ => self.habit_of::<10>(peak),
        }
    }

    /// The same for a window of so many minutes.
    fn habit_of<const MINUTES: u32>(&mut self, peak: u32) -> (u32, Habit) {
        let Self { minutes, counts, .. } = self;
        counts.clear();
        let mut near_days = 0;
        let mut near_day = None;
        let mut close = |window: u32, count: u32| {
            counts.push(count);
            if 2 * u64::from(count) >= u64::from(peak) {
                let day = Some(window * MINUTES / (24 * 60));
                near_days += u32::from(day != near_day);
                near_day = day;
            }
        };
        let (mut window, mut sum) = (minutes[0].0 / MINUTES, 0);
        for &(minute, count) in &*minutes {
            if minute / MINUTES != window {
                close(window, sum);
                (window, sum) = (minute / MINUTES, 0);
            }
            sum += count;
        }
        close(window, sum);
        let largest = counts.iter().copied().max().unwrap_or_default();
        let median = (counts.len() - 1) / 2;
        let middle = if largest == 1 { 1 } else { *counts.select_nth_unstable(median).1 };
        (largest, Habit { near_days, windows: counts.len() as u32, middle })
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

/// How many events have a flag.
fn with_flags(events: &[Event]) -> impl Fn(u8) -> u32 + use<> {
    let mut counts = [0; 8];
    for event in events {
        let own = event.flags();
        for (bit, count) in counts.iter_mut().enumerate() {
            *count += u32::from(own >> bit & 1);
        }
    }
    move |flag: u8| counts[flag.trailing_zeros() as usize]
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
    use proptest::prelude::*;

    use super::*;
    use crate::counts::clock_counts;

    proptest! {
        #[test]
        fn habits_equal_those_of_windows_counted_one_by_one(
            mut times in prop::collection::vec(0_u32..400_000, 1..60),
            burst in prop::collection::vec(0_u32..2_000, 0..60),
        ) {
            times.extend(burst.iter().map(|time| time + 200_000));
            times.sort_unstable();
            let event = |&time: &u32| {
                let mut event = Event::default();
                event.time = time;
                event
            };
            let events: Vec<Event> = times.iter().map(event).collect();
            let client = Client::from_text("192.0.2.1");
            let profile = Scratch::default().profile(client, 1, &events, &Labels::default());
            for window in Window::ALL {
                let mut windows = Vec::new();
                clock_counts(&times, window.seconds(), |start, count| windows.push((start, count)));
                let peak = profile.peak(window);
                let near = windows.iter().filter(|(_, count)| 2 * count >= peak);
                let mut counts: Vec<u32> = windows.iter().map(|(_, count)| *count).collect();
                counts.sort_unstable();
                let habit = Habit {
                    near_days: distinct(near.map(|(start, _)| start / 86_400)),
                    windows: counts.len() as u32,
                    middle: counts[(counts.len() - 1) / 2],
                };
                prop_assert_eq!(profile.habits[window.index()], habit);
                prop_assert_eq!(Some(&profile.clock[window.index()]), counts.last());
            }
            prop_assert_eq!(profile.hours, distinct(times.iter().map(|time| time / 3_600)));
        }
    }

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
