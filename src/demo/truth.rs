//! What is true of the logs, counted from what was put into them and as plainly as possible: a check
//! of the product has to share nothing with it.

use serde::Serialize;

use super::cast::Cast;
use super::role::{Role, Treatment};
use super::site;
use crate::units::Timestamp;

/// What is true of the generated logs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Truth {
    /// Of this description.
    pub version: u32,
    /// That made these logs.
    pub seed: u64,
    /// From and to (exclusive), in UTC.
    pub span: Span,
    /// Files, without this one.
    pub files: u64,
    /// Lines, without the heads of the files.
    pub lines: u64,
    /// Addresses in all lines.
    pub addresses: u64,
    /// Lines that another line holds already, with the same request id.
    pub copies: u64,
    /// The route that everything below is about.
    pub route: Route,
    /// Clients of the route.
    pub clients: u64,
    /// Requests on the route, in every spelling, copies left out.
    pub requests: u64,
    /// Those of them that are spelled in another way.
    pub other_spellings: u64,
    /// `OPTIONS` on the path, which are no requests on the route.
    pub preflights: u64,
    /// Every client's largest counts, summed.
    pub sum_of_peaks: Peaks,
    /// Limits for 300 s that are right when the labels are given; none if somebody who has to pass is
    /// too close to the abusers.
    pub acceptable: Option<Interval>,
    /// The busiest of those whom no limit may touch.
    pub busiest_to_pass: Option<Figures>,
    /// The weakest of those whom it has to stop.
    pub weakest_abusive: Option<Figures>,
    /// What an owner knows about addresses.
    pub labels: Labels,
    /// The 20 with the largest sliding peak, ties by address as text.
    pub top: Vec<Figures>,
    /// Everybody who is no ordinary visitor.
    pub cast: Vec<Figures>,
    /// Ordinary visitors.
    pub visitors: u64,
    /// Addresses that an attacker uses once each.
    pub rotating_addresses: u64,
}

/// From and to (exclusive).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Span {
    /// First second.
    pub from: String,
    /// First second after it.
    pub to_exclusive: String,
}

/// The route that the truth is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Route {
    /// Its method.
    pub method: &'static str,
    /// Its path, exactly.
    pub path: &'static str,
}

/// Largest counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Peaks {
    /// In a minute of the clock.
    pub clock_60: u64,
    /// In five minutes of the clock.
    pub clock_300: u64,
    /// In any 300 s that begin at a full ten seconds.
    pub sliding_300: u64,
}

/// A limit, from and to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Interval {
    /// 1.1 times the busiest client that has to pass.
    pub lo: u64,
    /// The weakest abusive client, divided by 1.1.
    pub hi: u64,
}

/// Networks to label.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Labels {
    /// Testers.
    pub exempt: Vec<String>,
    /// Known to be good.
    pub good: Vec<String>,
    /// Known to be bad.
    pub bad: Vec<String>,
}

/// A client on the route.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Figures {
    /// Its address, in canonical spelling.
    pub client: String,
    /// What it is.
    pub role: Role,
    /// What has to become of it.
    pub treatment: Treatment,
    /// Its requests on the route.
    pub requests: u64,
    /// Its largest counts.
    #[serde(flatten)]
    pub peaks: Peaks,
}

/// One request on the route: who and when.
pub(super) const fn hit(client: u32, arrival: u32) -> u64 {
    (client as u64) << 32 | arrival as u64
}

/// What is counted while the hours are made.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    /// As [`hit`] makes them.
    pub(super) hits: Vec<u64>,
    pub(super) other_spellings: u64,
    pub(super) preflights: u64,
    pub(super) copies: u64,
    /// A bit for each actor that has a line.
    pub(super) seen: u128,
}

impl Tally {
    pub(super) fn add(mut self, mut other: Self) -> Self {
        self.hits.append(&mut other.hits);
        self.other_spellings += other.other_spellings;
        self.preflights += other.preflights;
        self.copies += other.copies;
        self.seen |= other.seen;
        self
    }
}

/// How many are at the top.
const TOP: usize = 20;

/// Tells the truth; the hits have to be sorted.
pub(super) fn tell(
    cast: &Cast,
    tally: &Tally,
    (from, to): (u32, u32),
    (files, lines): (u64, u64),
) -> Truth {
    let text = |second: u32| Timestamp(i64::from(second)).to_string();
    let mut truth = Truth {
        version: 1,
        seed: cast.seed,
        span: Span { from: text(from), to_exclusive: text(to) },
        files,
        lines,
        addresses: u64::from(cast.visitors + cast.rotating + tally.seen.count_ones()),
        copies: tally.copies,
        route: Route { method: "GET", path: site::TOKEN },
        clients: 0,
        requests: tally.hits.len() as u64,
        other_spellings: tally.other_spellings,
        preflights: tally.preflights,
        sum_of_peaks: Peaks::default(),
        acceptable: None,
        busiest_to_pass: None,
        weakest_abusive: None,
        labels: labels(cast),
        top: Vec::new(),
        cast: cast
            .actors
            .iter()
            .map(|actor| nothing(actor.address.to_string(), actor.role))
            .collect(),
        visitors: u64::from(cast.visitors),
        rotating_addresses: u64::from(cast.rotating),
    };
    let mut top = Top::default();
    let mut busiest: Option<(u32, u64, Peaks)> = None;
    for hits in tally.hits.chunk_by(|a, b| a >> 32 == b >> 32) {
        let client = (hits[0] >> 32) as u32;
        let peaks = peaks(hits);
        let found = (client, hits.len() as u64, peaks);
        truth.clients += 1;
        truth.sum_of_peaks.clock_60 += peaks.clock_60;
        truth.sum_of_peaks.clock_300 += peaks.clock_300;
        truth.sum_of_peaks.sliding_300 += peaks.sliding_300;
        top.offer(found);
        if let Some(row) = truth.cast.get_mut(client as usize) {
            (row.requests, row.peaks) = (found.1, peaks);
        }
        let passes = role(cast, client).treatment() == Treatment::Pass;
        if passes && busiest.is_none_or(|(_, _, other)| peaks.sliding_300 > other.sliding_300) {
            busiest = Some(found);
        }
    }
    truth.top = top.sorted(cast);
    truth.busiest_to_pass = busiest.map(|found| figures(cast, found));
    truth.weakest_abusive = truth
        .cast
        .iter()
        .filter(|row| row.treatment == Treatment::Stop && row.requests > 0)
        .min_by_key(|row| row.peaks.sliding_300)
        .cloned();
    truth.acceptable = interval(&truth);
    truth
}

fn interval(truth: &Truth) -> Option<Interval> {
    let busiest = truth.busiest_to_pass.as_ref()?.peaks.sliding_300;
    let weakest = truth.weakest_abusive.as_ref()?.peaks.sliding_300;
    let interval = Interval { lo: (busiest * 11).div_ceil(10), hi: weakest * 10 / 11 };
    (interval.lo <= interval.hi).then_some(interval)
}

fn labels(cast: &Cast) -> Labels {
    let of = |wanted: Role| {
        let whole = |address: std::net::IpAddr| if address.is_ipv4() { 32 } else { 128 };
        let actors = cast.actors.iter().filter(move |actor| actor.role == wanted);
        actors.map(|actor| format!("{}/{}", actor.address, whole(actor.address))).collect()
    };
    Labels { exempt: of(Role::QaRunner), good: of(Role::Renderer), bad: Vec::new() }
}

fn role(cast: &Cast, client: u32) -> Role {
    match cast.actor(client) {
        Some(actor) => actor.role,
        None if cast.is_rotated(client) => Role::RotatingAddress,
        None => Role::Visitor,
    }
}

fn nothing(client: String, role: Role) -> Figures {
    Figures { client, role, treatment: role.treatment(), requests: 0, peaks: Peaks::default() }
}

fn figures(cast: &Cast, (client, requests, peaks): (u32, u64, Peaks)) -> Figures {
    let address = cast.address(client).to_string();
    Figures { requests, peaks, ..nothing(address, role(cast, client)) }
}

/// The clients with the largest peaks, without a list of all.
#[derive(Default)]
struct Top {
    found: Vec<(u32, u64, Peaks)>,
    /// Less than this is not among them.
    least: u64,
}

impl Top {
    fn offer(&mut self, found: (u32, u64, Peaks)) {
        if found.2.sliding_300 < self.least {
            return;
        }
        self.found.push(found);
        if self.found.len().is_power_of_two() && self.found.len() > TOP {
            let mut peaks: Vec<u64> =
                self.found.iter().map(|(_, _, peaks)| peaks.sliding_300).collect();
            peaks.sort_unstable_by(|a, b| b.cmp(a));
            self.least = peaks[TOP - 1];
            self.found.retain(|(_, _, peaks)| peaks.sliding_300 >= self.least);
        }
    }

    fn sorted(mut self, cast: &Cast) -> Vec<Figures> {
        self.found.sort_by_key(|(_, _, peaks)| std::cmp::Reverse(peaks.sliding_300));
        let least = self.found.get(TOP - 1).map_or(0, |(_, _, peaks)| peaks.sliding_300);
        self.found.retain(|(_, _, peaks)| peaks.sliding_300 >= least);
        let mut rows: Vec<Figures> =
            self.found.into_iter().map(|found| figures(cast, found)).collect();
        rows.sort_by(|a, b| {
            b.peaks.sliding_300.cmp(&a.peaks.sliding_300).then_with(|| a.client.cmp(&b.client))
        });
        rows.truncate(TOP);
        rows
    }
}

/// The largest counts of one client, whose hits are in order.
fn peaks(hits: &[u64]) -> Peaks {
    let times: Vec<u64> = hits.iter().map(|hit| hit & 0xFFFF_FFFF).collect();
    let clock = |seconds: u64| {
        times
            .chunk_by(|a, b| a / seconds == b / seconds)
            .map(|window| window.len() as u64)
            .max()
            .unwrap_or_default()
    };
    let mut sliding_300 = 0;
    for (place, time) in times.iter().enumerate() {
        let begin = time / 10 * 10;
        // A window that begins later within the same ten seconds is the same window.
        if place > 0 && times[place - 1] >= begin {
            continue;
        }
        let inside = times[place..].iter().take_while(|&&other| other < begin + 300).count();
        sliding_300 = sliding_300.max(inside as u64);
    }
    Peaks { clock_60: clock(60), clock_300: clock(300), sliding_300 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_counted_as_they_are_defined() {
        let of = |times: &[u32]| {
            let hits: Vec<u64> = times.iter().map(|&time| hit(5, time)).collect();
            let Peaks { clock_60, clock_300, sliding_300 } = peaks(&hits);
            (clock_60, clock_300, sliding_300)
        };
        assert_eq!(of(&[7]), (1, 1, 1));
        // Across a boundary of the clock: 299 and 300 are neighbours of a sliding window only.
        assert_eq!(of(&[298, 299, 300, 301]), (2, 2, 4));
        // 0 to 299 is one window; 300 is in the next ten seconds.
        assert_eq!(of(&[0, 299]), (1, 2, 2));
        assert_eq!(of(&[9, 300]), (1, 1, 1));
        assert_eq!(of(&[10, 309, 310]), (2, 2, 2));
    }
}
