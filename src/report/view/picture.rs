//! What the charts of a route show, in numbers: nothing here knows of pixels.

use super::client::ClientColumns;
use crate::profile::{ClientProfile, Label, RouteProfile};
use crate::proposal::Proposal;
use crate::replay::{Grid, ladder};
use crate::report::{RouteAnalysis, Subject, Words};
use crate::units::{Limit, Window, percent, share, thousands};

/// What a client seems to be; by shape as well as by colour in a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Like a visitor, or with one sign of a runaway at most.
    Visitor,
    /// With a habit, or many people behind one address.
    Regular,
    /// With two signs of a runaway or more, or called bad.
    Runaway,
    /// Called good: it has to pass.
    Good,
    /// A tester, whom the limit is not for.
    Exempt,
}

/// Clients whose peaks lie near each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bin {
    /// Smallest peak.
    pub from: u32,
    /// Largest peak.
    pub to: u32,
    /// How many clients.
    pub clients: u64,
}

/// A client by name.
#[derive(Clone, Debug, PartialEq)]
pub struct Dot {
    /// What it seems to be.
    pub kind: Kind,
    /// Everything known about it.
    pub columns: ClientColumns,
}

/// What a limit would do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Requests per window.
    pub limit: u32,
    /// Clients whose peak is above it, testers left out: those that `replay` limits.
    pub clients: u64,
    /// All requests of these clients on the route.
    pub requests: u64,
}

/// One UTC day of the heat map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Day {
    /// Days since 1970.
    pub day: i64,
    /// Requests of each hour; `None` where nothing at all was logged.
    pub hours: [Option<u64>; 24],
}

/// One route, ready to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// The evaluation window.
    pub window: Window,
    /// The limit in force: the pinned one, else the proposed one, else a ceiling.
    pub limit: Limit,
    /// `pinned`, `proposed` or `ceiling`.
    pub limit_is: &'static str,
    /// Largest peak below the gap and smallest above it.
    pub gap: Option<(u32, u32)>,
    /// Clients by peak, testers left out, ascending.
    pub bins: Vec<Bin>,
    /// The busiest clients and those around the limit, highest peak first.
    pub dots: Vec<Dot>,
    /// Clients without a dot.
    pub undrawn: u64,
    /// Round limits from the smallest that AWS WAF takes up to one that nobody is above, and the route's own.
    pub steps: Vec<Step>,
    /// Clients, testers left out.
    pub clients: u64,
    /// Their requests.
    pub requests: u64,
    /// The last days of the log, at most [`DAYS`].
    pub days: Vec<Day>,
    /// Days before these.
    pub earlier_days: u64,
    /// Limits by windows, those above the limit in force against others.
    pub grid: Grid,
}

/// Days of a heat map.
pub const DAYS: usize = 35;
/// Bins from one power of ten to the next.
const BINS: i32 = 10;

impl Picture {
    /// Of a route in a log with these hours; `dots`: about how many clients to name.
    pub(in crate::report) fn new(
        route: &RouteAnalysis,
        hours: &std::collections::BTreeMap<i64, u64>,
        dots: usize,
        words: &dyn Words,
    ) -> Self {
        let RouteAnalysis { profile, proposal, pinned } = route;
        let proposal = &proposal.proposal;
        let window = profile.window;
        let (limit, limit_is) = match (pinned, proposal.limit) {
            (Some(pinned), _) => (*pinned, "pinned"),
            (None, Some(limit)) => (limit, "proposed"),
            (None, None) => (proposal.ceiling, "ceiling"),
        };
        let counted = || {
            let all = profile.everybody().filter(|(client, _)| !client.is_labelled(Label::Exempt));
            all.map(|(client, number)| {
                let number = u64::from(number);
                (client.peak(window), number, number * u64::from(client.requests))
            })
        };
        let (clients, requests) = counted()
            .fold((0, 0), |sum, (_, clients, requests)| (sum.0 + clients, sum.1 + requests));
        let dots = dots_of(profile, proposal, limit, dots, words);
        let ladder: Vec<u32> = proposal.ladder.iter().map(|(limit, _)| limit.requests()).collect();
        let own = [Some(limit), proposal.limit, proposal.cautious_limit];
        let own = own.into_iter().flatten().map(Limit::requests).chain(ladder);
        let (days, earlier_days) = days(profile, hours);
        Self {
            window,
            limit,
            limit_is,
            gap: proposal.lower.zip(proposal.upper),
            bins: bins(counted().map(|(peak, clients, _)| (peak, clients))),
            undrawn: profile.number_of_clients().saturating_sub(dots.len() as u64),
            dots,
            steps: steps(counted().collect(), own.collect()),
            clients,
            requests,
            days,
            earlier_days,
            grid: grid(profile, limit),
        }
    }

    /// What a limit of [`Self::steps`] does.
    #[must_use]
    pub fn step(&self, limit: u32) -> Option<&Step> {
        self.steps.iter().find(|step| step.limit == limit)
    }

    /// Who is above the limit in force, in one sentence.
    #[must_use]
    pub fn hit_in_words(&self) -> String {
        let Some(step) = self.step(self.limit.requests()) else { return String::new() };
        format!(
            "{} of {} clients came above {} requests in {} s; they sent {} of the requests",
            thousands(step.clients),
            thousands(self.clients),
            thousands(step.limit.into()),
            self.window.seconds(),
            percent(share(step.requests, self.requests)),
        )
    }
}

/// The first of the list, and those above and below the limit.
fn dots_of(
    profile: &RouteProfile,
    proposal: &Proposal,
    limit: Limit,
    dots: usize,
    words: &dyn Words,
) -> Vec<Dot> {
    let clients = &profile.clients;
    let edge = clients.partition_point(|client| client.peak(profile.window) > limit.requests());
    let third = dots / 3;
    let first = 0..edge.min(third);
    let around = edge.saturating_sub(third).max(first.end)..(edge + third).min(clients.len());
    let places = first.chain(around);
    let subject = Subject { profile, clients, proposal };
    places
        .filter_map(|place| {
            let columns = ClientColumns::new(subject, place, words)?;
            Some(Dot { kind: kind(&clients[place], &columns), columns })
        })
        .collect()
}

fn kind(client: &ClientProfile, columns: &ClientColumns) -> Kind {
    match client.label.as_ref().map(|labelled| labelled.label) {
        Some(Label::Exempt) => Kind::Exempt,
        Some(Label::Good) => Kind::Good,
        Some(Label::Bad) => Kind::Runaway,
        None if columns.established || columns.shared => Kind::Regular,
        None if columns.signs >= 2 => Kind::Runaway,
        None => Kind::Visitor,
    }
}

/// Numbers of clients by peak, in bins of equal width on a log axis; empty ones are left out.
fn bins(peaks: impl Iterator<Item = (u32, u64)>) -> Vec<Bin> {
    let mut found = std::collections::BTreeMap::new();
    for (peak, clients) in peaks {
        *found.entry(bin_of(peak)).or_insert(0) += clients;
    }
    found.into_iter().map(|((from, to), clients)| Bin { from, to, clients }).collect()
}

/// The smallest and the largest peak of the bin that a peak is in.
fn bin_of(peak: u32) -> (u32, u32) {
    let edge = |place: i32| 10_f64.powf(f64::from(place) / f64::from(BINS)).round() as u64;
    let peak = u64::from(peak.max(1));
    let mut place = ((peak as f64).log10() * f64::from(BINS)).floor() as i32 + 2;
    while edge(place) > peak {
        place -= 1;
    }
    let mut next = place + 1;
    while edge(next) <= edge(place) {
        next += 1;
    }
    let narrow = |edge: u64| u32::try_from(edge).unwrap_or(u32::MAX);
    (narrow(edge(place)), narrow(edge(next) - 1))
}

/// What each limit does: numbers with two digits, and those of the route.
fn steps(mut clients: Vec<(u32, u64, u64)>, own: Vec<u32>) -> Vec<Step> {
    clients.sort_unstable();
    let largest = clients.last().map_or(0, |(peak, ..)| *peak);
    let mut limits = own;
    let end = limits.iter().copied().max().unwrap_or_default().max(largest);
    let mut power: u64 = 1;
    'all: loop {
        for digits in 10..100 {
            let Ok(limit) = u32::try_from(digits * power) else { break 'all };
            limits.push(limit);
            if limit >= end {
                break 'all;
            }
        }
        power *= 10;
    }
    limits.retain(|&limit| Limit::new(limit.into()).is_ok());
    limits.sort_unstable();
    limits.dedup();
    let mut above = clients.iter().rev().peekable();
    let (mut number, mut requests) = (0, 0);
    let mut steps: Vec<Step> = (limits.into_iter().rev())
        .map(|limit| {
            while let Some((_, more, sent)) = above.next_if(|(peak, ..)| *peak > limit) {
                number += more;
                requests += sent;
            }
            Step { limit, clients: number, requests }
        })
        .collect();
    steps.reverse();
    steps
}

fn days(profile: &RouteProfile, logged: &std::collections::BTreeMap<i64, u64>) -> (Vec<Day>, u64) {
    let day = |hour: &i64| hour.div_euclid(24);
    let both = || logged.keys().chain(profile.by_hour.keys());
    let (Some(first), Some(last)) = (both().min().map(day), both().max().map(day)) else {
        return (Vec::new(), 0);
    };
    let start = first.max(last - DAYS as i64 + 1);
    let days = (start..=last).map(|day| Day {
        day,
        hours: std::array::from_fn(|hour| {
            let hour = day * 24 + hour as i64;
            let requests = profile.by_hour.get(&hour).copied();
            requests.or_else(|| logged.contains_key(&hour).then_some(0))
        }),
    });
    (days.collect(), (start - first).unsigned_abs())
}

/// As a replay of the limit on this route alone fills it.
fn grid(profile: &RouteProfile, limit: Limit) -> Grid {
    let mut grid = Grid::new(ladder(limit));
    // The crowd has fewer requests than any limit.
    for client in profile.clients.iter().filter(|client| !client.is_labelled(Label::Exempt)) {
        grid.see(client.sliding, client.peak(profile.window) > limit.requests());
    }
    grid
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_touch_and_hold_their_peaks() {
        let mut next = 1;
        while next < 2_000_000 {
            let (from, to) = bin_of(next);
            assert_eq!(from, next, "no hole before {next}");
            assert!((from..=to).contains(&next));
            assert_eq!(bin_of(to), (from, to));
            next = to + 1;
        }
        assert!(bin_of(u32::MAX).1 == u32::MAX);
    }

    #[test]
    fn a_step_counts_who_is_above() {
        let clients = vec![(9, 100, 300), (180, 1, 500), (468, 2, 1_000), (7_383, 1, 9_000)];
        let steps = steps(clients.clone(), vec![300, 333]);
        assert_eq!(steps.first().map(|step| step.limit), Some(10));
        assert_eq!(steps.last().map(|step| (step.limit, step.clients)), Some((7_400, 0)));
        assert!(steps.iter().any(|step| step.limit == 333));
        for step in steps {
            let above = || clients.iter().filter(|(peak, ..)| *peak > step.limit);
            assert_eq!(step.clients, above().map(|(_, clients, _)| clients).sum::<u64>());
            assert_eq!(step.requests, above().map(|(_, _, requests)| requests).sum::<u64>());
        }
    }
}
