//! One client's time in the logs, and what kind of client it looks like. Pure: no I/O, no clock.

mod kind;
mod rhythm;
mod tally;

use std::net::IpAddr;

use crate::counts::Study;
use crate::replay::Replayed;
use crate::rules::Network;
use crate::units::{Client, Timestamp, Window};

pub use kind::{Guess, Kind, names_a_machine};
pub use rhythm::{Busiest, Rhythm};
pub use tally::{Share, Tally};

/// Everything there is to say of one client.
#[derive(Clone, Debug)]
pub struct Explained {
    /// Who.
    pub client: Client,
    /// The networks with a name that it belongs to.
    pub networks: Vec<Network>,
    /// Where it is and whose, by databases that know addresses.
    pub located: Vec<String>,
    /// Requests, copies left out.
    pub requests: u64,
    /// Copies.
    pub duplicates: u64,
    /// Arrival of the first request.
    pub first: Timestamp,
    /// Arrival of the last one.
    pub last: Timestamp,
    /// Clock hours with a request of the client.
    pub hours: usize,
    /// Clock hours with a request of anybody.
    pub hours_of_log: usize,
    /// When, and how regularly.
    pub rhythm: Rhythm,
    /// Methods with paths.
    pub paths: Tally,
    /// Statuses.
    pub statuses: Tally,
    /// User agents.
    pub agents: Tally,
    /// Protocols; empty if the log does not tell.
    pub protocols: Tally,
    /// Countries; empty if the log does not tell.
    pub countries: Tally,
    /// Network operators; empty if the log does not tell.
    pub operators: Tally,
    /// Share of the requests with a browser's user agent.
    pub browsers: f64,
    /// Share of the requests with a referer.
    pub referers: f64,
    /// Addresses in the network around it that sent anything, its own among them.
    pub neighbours: usize,
    /// Whether there are more.
    pub more_neighbours: bool,
    /// The busiest of the others, with their lines.
    pub busiest_neighbours: Vec<(IpAddr, u64)>,
    /// Lines of all of them but the client.
    pub lines_of_neighbours: u64,
    /// What it looks like.
    pub guess: Guess,
    /// What the rules would have done to it.
    pub rules: Vec<Replayed>,
}

/// Neighbours that are named.
const NAMED: usize = 5;

/// Looks at what was read of a client; `None` if that is nothing.
#[must_use]
pub fn explain(
    client: Client,
    study: &Study,
    networks: &[Network],
    rules: Vec<Replayed>,
) -> Option<Explained> {
    let (first, last) = (study.requests.first()?, study.requests.last()?);
    let requests = study.requests.len() as u64;
    let times: Vec<u32> = study.requests.iter().map(|seen| seen.time).collect();
    let rhythm = Rhythm::of(&times);
    let share = |number: usize| number as f64 / requests as f64;
    let text = |text: Option<&str>| text.unwrap_or("(one of too many to be kept)").to_owned();
    let by = |key: fn(&crate::counts::Seen) -> u32, texts: &crate::counts::AgentTexts| {
        Tally::of(study.requests.iter().map(key), |hash| match hash {
            0 => "(none)".to_owned(),
            hash => text(texts.text(hash)),
        })
    };
    let origin = |place: usize| {
        Tally::by_text(study.requests.iter().map(|seen| seen.origin), |hash| {
            let all = study.origins.text(hash).unwrap_or_default();
            all.split('\t').nth(place).unwrap_or_default().to_owned()
        })
    };
    let own = client.address();
    let mut others: Vec<(IpAddr, u64)> = (study.neighbours.iter())
        .filter(|(address, _)| Some(**address) != own)
        .map(|(address, lines)| (*address, *lines))
        .collect();
    others.sort_by_key(|(address, lines)| (std::cmp::Reverse(*lines), *address));
    let lines_of_neighbours = others.iter().map(|(_, lines)| lines).sum();
    others.truncate(NAMED);
    let hours: std::collections::BTreeSet<u32> = times.iter().map(|time| time / 3600).collect();
    let mut found = Explained {
        networks: networks
            .iter()
            .filter(|network| own.is_some_and(|own| network.contains(own)))
            .cloned()
            .collect(),
        located: Vec::new(),
        client,
        requests,
        duplicates: study.duplicates,
        first: Timestamp(first.time.into()),
        last: Timestamp(last.time.into()),
        hours: hours.len(),
        hours_of_log: study.coverage.hours.len(),
        rhythm,
        paths: by(|seen| seen.path, &study.paths),
        statuses: Tally::of(study.requests.iter().map(|seen| u32::from(seen.status)), |status| {
            if status == 0 { "(none)".to_owned() } else { status.to_string() }
        }),
        agents: by(|seen| seen.agent, &study.agents),
        protocols: origin(0),
        countries: origin(1),
        operators: origin(2),
        browsers: share(study.requests.iter().filter(|seen| seen.browser).count()),
        referers: share(study.requests.iter().filter(|seen| seen.referer).count()),
        neighbours: study.neighbours.len(),
        more_neighbours: study.more_neighbours,
        busiest_neighbours: others,
        lines_of_neighbours,
        guess: Guess::default(),
        rules,
    };
    found.guess = Guess::of(&found);
    Some(found)
}

impl Explained {
    /// Most requests in any window of this length, to the second.
    #[must_use]
    pub fn busiest(&self, window: Window) -> Busiest {
        self.rhythm.busiest[window.index()]
    }
}

#[cfg(test)]
mod tests;
