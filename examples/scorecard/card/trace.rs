//! The requests of one client, second by second, and the columns that follow from them. Peaks and
//! habits are counted from the requests, so they fit together as in a real log.

use std::collections::BTreeSet;

use ratewaf::proposal::{Behaviour, Observation};

use super::random::Random;

pub const MINUTE: u32 = 60;
pub const HOUR: u32 = 3_600;
pub const DAY: u32 = 86_400;
/// The window that all weeks are judged in.
pub const WINDOW: u32 = 300;

/// What requests look like apart from their times.
#[derive(Clone, Copy)]
pub struct Manners {
    pub agents: u32,
    pub errors: f64,
    pub focus: f64,
    pub referer: f64,
    pub browser: f64,
}

/// Arrivals in seconds from Monday, 00:00; in any order.
#[derive(Clone, Default)]
pub struct Trace(Vec<u32>);

impl Trace {
    /// `number` requests spread over `seconds` from `start`.
    pub fn burst(mut self, random: &mut Random, start: u32, seconds: u32, number: u32) -> Self {
        self.0.extend((0..number).map(|_| start + random.whole(0, seconds.max(1) - 1)));
        self
    }

    /// A steady rate of so many requests a window.
    pub fn steady(mut self, start: u32, seconds: u32, per_window: f64) -> Self {
        let step = f64::from(WINDOW) / per_window;
        let number = (f64::from(seconds) / step) as u32;
        self.0.extend((0..number).map(|place| start + (f64::from(place) * step) as u32));
        self
    }

    /// A rate that changes from minute to minute by about a factor of two.
    pub fn uneven(
        mut self,
        random: &mut Random,
        start: u32,
        seconds: u32,
        per_window: f64,
    ) -> Self {
        for minute in 0..seconds / MINUTE {
            let mean = per_window / 5.0 * (0.35 * random.normal()).exp();
            let number = random.poisson(mean);
            self = self.burst(random, start + minute * MINUTE, MINUTE, number);
        }
        self
    }

    /// The columns, of the first `days` days only.
    pub fn observe(mut self, manners: Manners, days: u32) -> Option<Observation> {
        self.0.retain(|&second| second < days * DAY);
        self.0.sort_unstable();
        let times = &self.0;
        let mut peak = 0;
        let mut first = 0;
        for (last, &second) in times.iter().enumerate() {
            // 30 consecutive bins of 10 s that end with this request's.
            while times[first] / 10 + WINDOW / 10 <= second / 10 {
                first += 1;
            }
            peak = peak.max((last - first + 1) as u32);
        }
        let mut counts: Vec<(u32, u32)> = Vec::new();
        for &second in times {
            match counts.last_mut() {
                Some((window, count)) if *window == second / WINDOW => *count += 1,
                _ => counts.push((second / WINDOW, 1)),
            }
        }
        let near: BTreeSet<u32> = counts
            .iter()
            .filter(|(_, count)| 2 * count >= peak)
            .map(|(window, _)| window * WINDOW / DAY)
            .collect();
        let hours: BTreeSet<u32> = times.iter().map(|second| second / HOUR).collect();
        let windows = counts.len();
        let mut sizes: Vec<u32> = counts.into_iter().map(|(_, count)| count).collect();
        sizes.sort_unstable();
        (windows > 0).then(|| Observation {
            peak,
            requests: times.len() as u32,
            agents: manners.agents,
            share_4xx: manners.errors,
            focus: manners.focus,
            behaviour: Some(Behaviour {
                near_days: near.len() as u32,
                hours: hours.len() as u32,
                windows: windows as u32,
                middle: sizes[(windows - 1) / 2],
                referer: manners.referer,
                browser: manners.browser,
            }),
            label: None,
        })
    }
}
