//! What one client takes of each group at most: what the groups are ranked by.

use std::io;

use rayon::prelude::*;

use crate::counts::{Clients, Event, GroupEvents, GroupedEvents, sliding};
use crate::units::{Client, Window};

/// Requests that are looked at together, while the next ones are read: 12 MB.
const AT_ONCE: usize = if cfg!(test) { 1 << 5 } else { 1 << 19 };
/// Groups that are looked at together: most have a few requests.
const GROUPS_AT_ONCE: usize = 1 << 14;

/// What the requests of a group show.
#[derive(Debug, Default)]
pub(super) struct Figures {
    pub(super) requests: u64,
    /// Distinct clients.
    pub(super) clients: u64,
    /// The largest sliding peak of a client.
    pub(super) peak: u32,
    /// The same of an IPv6 network of 64 bits, if that is more; else equal to `peak`.
    pub(super) peak_slash64: u32,
    /// Whose `peak` is; of several the first.
    pub(super) busiest: Option<Client>,
}

impl Figures {
    /// The figures of both, which have no client and no /64 in common.
    fn and(self, other: Self) -> Self {
        let first = |one: &Self, two: &Self| one.peak == two.peak && one.busiest < two.busiest;
        let own = other.busiest.is_none()
            || self.busiest.is_some() && (self.peak > other.peak || first(&self, &other));
        Self {
            requests: self.requests + other.requests,
            clients: self.clients + other.clients,
            peak: self.peak.max(other.peak),
            peak_slash64: self.peak_slash64.max(other.peak_slash64),
            busiest: if own { self.busiest } else { other.busiest },
        }
    }
}

/// The figures of every group that has requests, by its number.
///
/// # Errors
/// When the temporary file that a large survey keeps its requests in cannot be read.
pub(super) fn rank(
    grouped: &mut GroupedEvents,
    clients: &Clients,
    window: Window,
) -> io::Result<Vec<(u32, Figures)>> {
    let mut numbers = grouped.groups.in_order();
    numbers.retain(|&number| grouped.groups.get(number).1.matched > 0);
    let mut left = numbers.into_iter();
    let mut found = Vec::with_capacity(left.len());
    let mut some = next(grouped, &mut left)?;
    while !some.is_empty() {
        let look =
            |(number, events): (u32, GroupEvents)| (number, figures(events, clients, window));
        let (more, looked) = rayon::join(
            || next(grouped, &mut left),
            || some.into_par_iter().map(look).collect::<Vec<_>>(),
        );
        found.extend(looked);
        some = more?;
    }
    Ok(found)
}

/// The requests of the next few groups; of none when all are done.
fn next(
    grouped: &mut GroupedEvents,
    left: &mut std::vec::IntoIter<u32>,
) -> io::Result<Vec<(u32, GroupEvents)>> {
    let mut some = Vec::new();
    let mut requests = 0;
    while requests < AT_ONCE && some.len() < GROUPS_AT_ONCE {
        let Some(number) = left.next() else { break };
        let events = grouped.events(number)?;
        requests += events.len();
        some.push((number, events));
    }
    Ok(some)
}

fn figures(events: GroupEvents, clients: &Clients, window: Window) -> Figures {
    let pieces = events.map(|events| figures_of_piece(events, clients, window));
    pieces.into_iter().map(|(figures, _)| figures).fold(Figures::default(), Figures::and)
}

fn figures_of_piece(events: &[Event], clients: &Clients, window: Window) -> Figures {
    let mut times = Vec::new();
    let mut networks: Vec<(u64, &[Event])> = Vec::new();
    let mut figures = Figures { requests: events.len() as u64, ..Figures::default() };
    for chunk in events.chunk_by(|one, two| one.client == two.client) {
        figures.clients += 1;
        let number = chunk[0].client;
        if let Some(network) = clients.slash64(number) {
            networks.push((network, chunk));
        }
        if figures.peak as usize > chunk.len() {
            continue;
        }
        let peak = peak(&mut times, chunk, window);
        if peak < figures.peak {
            continue;
        }
        let client = clients.client(number);
        if peak > figures.peak || figures.busiest.as_ref().is_none_or(|busiest| client < *busiest) {
            figures.peak = peak;
            figures.busiest = Some(client);
        }
    }
    figures.peak_slash64 = peak_by_slash64(&mut networks, figures.peak, &mut times, window);
    figures
}

fn peak(times: &mut Vec<u32>, events: &[Event], window: Window) -> u32 {
    if events.len() == 1 {
        return 1;
    }
    times.clear();
    times.extend(events.iter().map(|event| event.time));
    sliding(times, window.seconds()).peak
}

/// The largest sliding peak of a network of several addresses, or `peak` if none has more.
fn peak_by_slash64(
    networks: &mut [(u64, &[Event])],
    peak: u32,
    times: &mut Vec<u32>,
    window: Window,
) -> u32 {
    networks.sort_unstable_by_key(|&(network, _)| network);
    let mut largest = peak;
    for addresses in networks.chunk_by(|(one, _), (two, _)| one == two) {
        let requests: usize = addresses.iter().map(|(_, events)| events.len()).sum();
        if addresses.len() < 2 || requests <= largest as usize {
            continue;
        }
        times.clear();
        times.extend(addresses.iter().flat_map(|(_, events)| *events).map(|event| event.time));
        times.sort_unstable();
        largest = largest.max(sliding(times, window.seconds()).peak);
    }
    largest
}
