//! What one client takes of each group at most: what the groups are ranked by.

use std::io;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use crate::counts::{Clients, Event, GroupOfPart, GroupedEvents, sliding};
use crate::units::{Client, Window};

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
pub(super) fn rank(grouped: &GroupedEvents, window: Window) -> io::Result<Vec<(u32, Figures)>> {
    let none = std::iter::repeat_with(Figures::default);
    // Of all threads: a survey may have a million groups.
    let all: Mutex<Vec<Figures>> = Mutex::new(none.take(grouped.groups.len()).collect());
    grouped.fold(Scratch::default, |scratch, clients, part| {
        let of_group =
            |own: GroupOfPart<'_>| (own.group, figures(own.events, clients, window, scratch));
        let found: Vec<(u32, Figures)> = part.iter().map(of_group).collect();
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        for (group, of_part) in found {
            let own = &mut all[group as usize];
            *own = std::mem::take(own).and(of_part);
        }
    })?;
    let all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok((0..).zip(all).filter(|(_, figures)| figures.requests > 0).collect())
}

/// Buffers for one group after another.
#[derive(Default)]
struct Scratch {
    times: Vec<u32>,
    /// Places of the requests of IPv6 clients, by network.
    networks: Vec<(u64, Range<usize>)>,
}

/// The figures of requests by client, then by time.
fn figures(
    events: &[Event],
    clients: &Clients,
    window: Window,
    Scratch { times, networks }: &mut Scratch,
) -> Figures {
    let mut figures = Figures { requests: events.len() as u64, ..Figures::default() };
    networks.clear();
    let mut start = 0;
    for chunk in events.chunk_by(|one, two| one.client == two.client) {
        figures.clients += 1;
        let number = chunk[0].client;
        let place = start..start + chunk.len();
        start = place.end;
        if let Some(network) = clients.slash64(number) {
            networks.push((network, place));
        }
        if figures.peak as usize > chunk.len() {
            continue;
        }
        let peak = peak(times, chunk, window);
        if peak < figures.peak {
            continue;
        }
        let client = clients.client(number);
        if peak > figures.peak || figures.busiest.as_ref().is_none_or(|busiest| client < *busiest) {
            figures.peak = peak;
            figures.busiest = Some(client);
        }
    }
    figures.peak_slash64 = peak_by_slash64(networks, events, figures.peak, times, window);
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
    networks: &mut [(u64, Range<usize>)],
    events: &[Event],
    peak: u32,
    times: &mut Vec<u32>,
    window: Window,
) -> u32 {
    // Numbers go by address, so this finds them in order.
    networks.sort_by_key(|&(network, _)| network);
    let mut largest = peak;
    for addresses in networks.chunk_by(|(one, _), (two, _)| one == two) {
        let requests: usize = addresses.iter().map(|(_, place)| place.len()).sum();
        if addresses.len() < 2 || requests <= largest as usize {
            continue;
        }
        times.clear();
        let own = addresses.iter().flat_map(|(_, place)| &events[place.clone()]);
        times.extend(own.map(|event| event.time));
        times.sort_unstable();
        largest = largest.max(sliding(times, window.seconds()).peak);
    }
    largest
}
