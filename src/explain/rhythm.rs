//! When a client came, and how regularly.

use std::collections::BTreeMap;

use crate::units::{Timestamp, Window};

/// Most requests in a window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Busiest {
    /// Requests.
    pub requests: u32,
    /// Arrival of the first of them.
    pub start: Timestamp,
}

/// When a client came.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rhythm {
    /// The busiest second; of equal ones the first, here and below.
    pub second: Busiest,
    /// For each of [`Window::ALL`] the busiest window, to the second: no step of AWS WAF's.
    pub busiest: [Busiest; 4],
    /// Requests by clock window of 5 minutes: only those with any.
    pub five_minutes: BTreeMap<u32, u32>,
    /// Seconds between two requests: the median; `None` for one request.
    pub gap: Option<u32>,
    /// Share of the gaps that are within a second or a tenth of the median.
    pub regular: f64,
    /// Requests by hour of the day, UTC.
    pub by_hour: [u64; 24],
}

/// Seconds of a cell.
pub const CELL: u32 = 300;

impl Rhythm {
    /// Of arrivals in seconds since 1970, ascending.
    #[must_use]
    pub fn of(times: &[u32]) -> Self {
        let mut rhythm = Self {
            second: busiest(times, 1),
            busiest: Window::ALL.map(|window| busiest(times, window.seconds())),
            ..Self::default()
        };
        for time in times {
            *rhythm.five_minutes.entry(time / CELL * CELL).or_insert(0) += 1;
            rhythm.by_hour[(time / 3600 % 24) as usize] += 1;
        }
        let mut gaps: Vec<u32> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        if gaps.is_empty() {
            return rhythm;
        }
        let middle = gaps.len() / 2;
        let median = *gaps.select_nth_unstable(middle).1;
        let near = |gap: &&u32| gap.abs_diff(median) <= (median / 10).max(1);
        rhythm.regular = gaps.iter().filter(near).count() as f64 / gaps.len() as f64;
        rhythm.gap = Some(median);
        rhythm
    }

    /// Share of the requests in the busiest so many hours of the day in a row, and the first of them.
    #[must_use]
    pub fn busiest_hours(&self, hours: usize) -> (f64, usize) {
        let all: u64 = self.by_hour.iter().sum();
        let within = |start: usize| -> u64 {
            (start..start + hours).map(|hour| self.by_hour[hour % 24]).sum()
        };
        let best = (0..24).max_by_key(|&start| (within(start), 23 - start)).unwrap_or_default();
        (if all == 0 { 0.0 } else { within(best) as f64 / all as f64 }, best)
    }

    /// Hours of the day with a request.
    #[must_use]
    pub fn hours_of_day(&self) -> usize {
        self.by_hour.iter().filter(|requests| **requests > 0).count()
    }

    /// Stretches of requests with less than half an hour between them.
    #[must_use]
    pub fn visits(&self) -> usize {
        let cells: Vec<u32> = self.five_minutes.keys().copied().collect();
        1 + cells.windows(2).filter(|pair| pair[1] - pair[0] > 6 * CELL).count()
    }
}

/// The busiest window of so many seconds.
fn busiest(times: &[u32], width: u32) -> Busiest {
    let mut best = Busiest::default();
    let mut first = 0;
    for (last, &time) in times.iter().enumerate() {
        while times[first] + width <= time {
            first += 1;
        }
        let requests = (last - first + 1) as u32;
        if requests > best.requests {
            best = Busiest { requests, start: Timestamp(times[first].into()) };
        }
    }
    best
}
