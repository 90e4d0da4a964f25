//! Everything one client sent, request by request.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::atomic::Ordering;

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use xxhash_rust::xxh3::xxh3_64;

use super::agents::{AgentTexts, Agents};
use super::coverage::Coverage;
use super::event::Event;
use super::run::{Error, Settings, Shared, Watch, note_files, read_files};
use super::selection::{Relation, Selection, SentPath};
use super::threads;
use crate::logs::{Field, FileReport, Input, Request};
use crate::units::{Client, Timestamp};

/// Whose requests are looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whom {
    /// Those of one address.
    Address(IpAddr),
    /// Those of all addresses of a network together.
    Network(IpNet),
    /// Those of a client that the log calls so, such as `client-0001`.
    Text(String),
}

impl Whom {
    /// As a person writes it: an address, a CIDR, else text.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        match (text.parse::<IpAddr>(), text.parse::<IpNet>()) {
            (Ok(address), _) => Self::Address(address.to_canonical()),
            (_, Ok(network)) => Self::Network(network.trunc()),
            _ => Self::Text(text.to_owned()),
        }
    }

    /// Whose numbers are told beside: the network itself, or the /24 or /64 around the address.
    #[must_use]
    pub fn around(&self) -> Option<IpNet> {
        match self {
            Self::Address(IpAddr::V4(address)) => {
                Ipv4Net::new(*address, 24).ok().map(|net| IpNet::V4(net.trunc()))
            }
            Self::Address(IpAddr::V6(address)) => {
                Ipv6Net::new(*address, 64).ok().map(|net| IpNet::V6(net.trunc()))
            }
            Self::Network(network) => Some(*network),
            Self::Text(_) => None,
        }
    }
}

/// One request of the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seen {
    /// Arrival in seconds since 1970.
    pub time: u32,
    /// Hash of its id; 0 if it has none.
    fingerprint: u64,
    /// Hash of method and path, of which [`Study::paths`] has the text.
    pub path: u32,
    /// Hash of the user agent; 0 without one.
    pub agent: u32,
    /// Hash of protocol, country and network operator, of which [`Study::origins`] has the text.
    pub origin: u32,
    /// The status; 0 if the log does not tell.
    pub status: u16,
    /// Whether it had a browser's user agent.
    pub browser: bool,
    /// Whether it had a referer.
    pub referer: bool,
    /// Which routes of the selection count it: bit by place, for the first [`Study::MOST_ROUTES`].
    pub routes: u64,
}

/// What a log says of one client.
#[derive(Clone, Debug)]
pub struct Study {
    /// What was read.
    pub coverage: Coverage,
    /// By time.
    pub requests: Vec<Seen>,
    /// Copies of requests that were left out.
    pub duplicates: u64,
    /// Texts of [`Seen::path`]: method, a blank, the path as logged.
    pub paths: AgentTexts,
    /// Texts of [`Seen::agent`].
    pub agents: AgentTexts,
    /// Texts of [`Seen::origin`]: protocol, country and network operator, with tabs between.
    pub origins: AgentTexts,
    /// Addresses around it with their lines, the client's own among them; the first 65,536 in order.
    pub neighbours: BTreeMap<IpAddr, u64>,
    /// Whether there are more of them.
    pub more_neighbours: bool,
}

impl Study {
    /// As many routes of a selection are told apart.
    pub const MOST_ROUTES: usize = u64::BITS as usize;

    /// For each route of the selection the client's requests, by time.
    #[must_use]
    pub fn events(&self, routes: usize) -> Vec<Vec<Event>> {
        let of_route = |route: usize| {
            let counted = self.requests.iter().filter(|seen| seen.routes >> route & 1 == 1);
            counted
                .map(|seen| Event {
                    time: seen.time,
                    fingerprint: seen.fingerprint,
                    agent: seen.agent,
                    ..Event::default()
                })
                .collect()
        };
        (0..routes.min(Self::MOST_ROUTES)).map(of_route).collect()
    }
}

/// Neighbours that are told apart.
const MOST_NEIGHBOURS: usize = 1 << 16;

/// Reads all inputs and keeps the requests of one client.
///
/// # Errors
/// When a file cannot be used (unless `keep_going`), and when the client sent more than fits into memory.
pub fn study(
    inputs: &[Input],
    whom: &Whom,
    selection: &Selection,
    settings: &Settings,
    watch: &dyn Watch,
) -> Result<Study, Error> {
    let shared = Shared::new(inputs, watch);
    let settings = settings.for_files(inputs.len());
    let most = usize::try_from(settings.memory / 2).unwrap_or(usize::MAX) / size_of::<Seen>();
    let most = most / settings.threads;
    let found = threads::together(settings.threads, || {
        let mut reader = Reader::new(whom, selection, &settings, most);
        let reports = read_files(&shared, &settings, |request| {
            if reader.take(request).is_none() {
                shared.failed.store(true, Ordering::Relaxed);
            }
        });
        (reader, reports)
    });
    if found.iter().any(|(reader, _)| reader.requests.len() >= most) {
        return Err(Error::TooManyOfOne(most as u64));
    }
    shared.verdict(|| {
        let lines = found.iter().map(|(reader, _)| reader.lines).sum();
        (lines, found.iter().map(|(_, reports)| reports.len() as u64).sum())
    })?;
    Ok(merge(inputs, selection, found))
}

fn merge(
    inputs: &[Input],
    selection: &Selection,
    found: Vec<(Reader<'_>, Vec<(usize, FileReport)>)>,
) -> Study {
    let mut coverage = Coverage { period: selection.period, ..Coverage::default() };
    let mut study = Study {
        coverage: Coverage::default(),
        requests: Vec::new(),
        duplicates: 0,
        paths: AgentTexts::default(),
        agents: AgentTexts::default(),
        origins: AgentTexts::default(),
        neighbours: BTreeMap::new(),
        more_neighbours: false,
    };
    let mut reports = Vec::new();
    for (reader, own_reports) in found {
        reports.extend(own_reports);
        coverage.lines += reader.lines;
        coverage.outside += reader.outside;
        coverage.first = coverage.first.into_iter().chain(reader.first).min();
        coverage.last = coverage.last.into_iter().chain(reader.last).max();
        for hour in reader.hours {
            *coverage.hours.entry(hour).or_insert(0) += 1;
        }
        study.requests.extend(reader.requests);
        study.paths.absorb(&reader.paths);
        study.origins.absorb(&reader.origins);
        study.agents.absorb(&reader.agents.texts);
        study.more_neighbours |= reader.neighbours.more;
        for (address, lines) in reader.neighbours.lines {
            *study.neighbours.entry(address).or_insert(0) += lines;
        }
    }
    while study.neighbours.len() > MOST_NEIGHBOURS {
        study.neighbours.pop_last();
        study.more_neighbours = true;
    }
    note_files(inputs, reports, &mut coverage);
    let before = study.requests.len();
    let requests = &mut study.requests;
    // Of copies the earliest stays, as where clients are counted.
    requests.sort_unstable_by_key(|seen| (seen.fingerprint, *seen));
    requests.dedup_by(|one, two| one.fingerprint != 0 && one.fingerprint == two.fingerprint);
    requests.sort_unstable();
    study.duplicates = (before - study.requests.len()) as u64;
    study.coverage = coverage;
    study
}

/// What one thread reads.
struct Reader<'a> {
    whom: &'a Whom,
    around: Option<IpNet>,
    /// The client as most logs spell it.
    spelled: String,
    selection: &'a Selection,
    dedupe: bool,
    wants_host: bool,
    most: usize,
    lines: u64,
    outside: u64,
    first: Option<Timestamp>,
    last: Option<Timestamp>,
    hours: std::collections::BTreeSet<i64>,
    last_hour: i64,
    requests: Vec<Seen>,
    agents: Agents,
    paths: AgentTexts,
    origins: AgentTexts,
    neighbours: Neighbours,
}

/// Addresses around the client, the smallest if there are too many.
#[derive(Default)]
struct Neighbours {
    lines: BTreeMap<IpAddr, u64>,
    more: bool,
}

impl Neighbours {
    fn note(&mut self, address: IpAddr) {
        *self.lines.entry(address).or_insert(0) += 1;
        if self.lines.len() > MOST_NEIGHBOURS {
            self.lines.pop_last();
            self.more = true;
        }
    }
}

impl<'a> Reader<'a> {
    fn new(whom: &'a Whom, selection: &'a Selection, settings: &Settings, most: usize) -> Self {
        let spelled = match whom {
            Whom::Address(address) => address.to_string(),
            Whom::Network(network) => network.to_string(),
            Whom::Text(text) => text.clone(),
        };
        Self {
            whom,
            around: whom.around(),
            spelled,
            selection,
            dedupe: settings.dedupe,
            wants_host: selection.needs().host,
            most,
            lines: 0,
            outside: 0,
            first: None,
            last: None,
            hours: std::collections::BTreeSet::new(),
            last_hour: i64::MIN,
            requests: Vec::new(),
            agents: Agents::default(),
            paths: AgentTexts::default(),
            origins: AgentTexts::default(),
            neighbours: Neighbours::default(),
        }
    }

    /// Looks at one request; `None` when there is no more room.
    fn take(&mut self, request: &mut Request<'_>) -> Option<()> {
        if !self.selection.is_of_time(request.ended) {
            self.outside += 1;
            return Some(());
        }
        self.lines += 1;
        let time = Timestamp(request.ended);
        if time.hour() != self.last_hour {
            self.last_hour = time.hour();
            self.hours.insert(self.last_hour);
        }
        self.first = Some(self.first.map_or(time, |first| first.min(time)));
        self.last = Some(self.last.map_or(time, |last| last.max(time)));
        if !self.is_wanted(request.client) {
            return Some(());
        }
        if self.requests.len() >= self.most {
            return None;
        }
        let seen = self.seen(request);
        self.requests.push(seen);
        Some(())
    }

    /// Whether it is the client; notes whoever is near.
    fn is_wanted(&mut self, logged: &[u8]) -> bool {
        if let Whom::Text(text) = self.whom {
            return logged == text.as_bytes();
        }
        let Some(around) = self.around else { return false };
        let address = if logged == self.spelled.as_bytes() {
            match self.whom {
                Whom::Address(address) => Some(*address),
                _ => None,
            }
        } else {
            nearby(logged, around)
        };
        let Some(address) = address else { return false };
        self.neighbours.note(address);
        match self.whom {
            Whom::Address(own) => *own == address,
            Whom::Network(_) | Whom::Text(_) => true,
        }
    }

    fn seen(&mut self, request: &mut Request<'_>) -> Seen {
        let protocol = request.field(Field::Protocol).unwrap_or_default();
        let country = request.field(Field::Country).unwrap_or_default();
        let asn = request.field(Field::Asn).unwrap_or_default();
        let origin = [protocol, country, asn].join(&b'\t');
        let line = [request.method, request.path].join(&b' ');
        let (path, origin_hash) = (short(&line), short(&origin));
        self.paths.note(path, &line);
        self.origins.note(origin_hash, &origin);
        let agent = request.field(Field::UserAgent).map(|text| self.agents.look(text));
        let id = request.field(Field::RequestId).filter(|_| self.dedupe);
        let sent = SentPath::new(request.path);
        let host = if self.wants_host { request.field(Field::Host) } else { None };
        let mut routes = 0;
        self.selection.relate(&sent, request.method, host, |number, relation| {
            if number < Study::MOST_ROUTES && matches!(relation, Relation::Counted(_)) {
                routes |= 1 << number;
            }
        });
        Seen {
            time: request.arrival() as u32,
            fingerprint: id.map_or(0, |id| xxh3_64(id).max(1)),
            path,
            agent: agent.as_ref().map_or(0, |agent| agent.hash),
            origin: origin_hash,
            status: request.status().unwrap_or(0),
            browser: agent.is_some_and(|agent| agent.browser),
            referer: request.field(Field::Referer).is_some(),
            routes,
        }
    }
}

/// The address, if it lies in the network. Most do not, and are not even read.
fn nearby(logged: &[u8], around: IpNet) -> Option<IpAddr> {
    let could_be = match around {
        IpNet::V4(_) => true,
        IpNet::V6(_) => logged.contains(&b':'),
    };
    let text = std::str::from_utf8(logged).ok().filter(|_| could_be)?;
    match Client::from_text(text) {
        Client::Address(address) => around.contains(&address).then_some(address),
        Client::Slash64(_) | Client::Text(_) => None,
    }
}

/// Part of a hash that is never 0.
fn short(text: &[u8]) -> u32 {
    (xxh3_64(text) as u32).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logs::{Options, discover};

    #[test]
    fn more_requests_than_fit_are_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let mut log = "#Fields: date time c-ip cs-method cs-uri-stem\n".to_owned();
        for second in 10..60 {
            log.push_str(&format!("2026-09-08\t00:00:{second}\t192.0.2.1\tGET\t/a\n"));
        }
        let path = folder.path().join("one.log");
        std::fs::write(&path, log).unwrap();
        let inputs = discover(&[path.to_string_lossy().into_owned()], false).unwrap().inputs;
        let whom = Whom::from_text("192.0.2.1");
        let selection = Selection::routes(&[], &[]).unwrap();
        let with = |requests: u64| {
            let memory = 2 * requests * size_of::<Seen>() as u64;
            let logs = Options::default();
            let settings =
                Settings { logs, dedupe: true, threads: 1, memory, scale_sampled: false };
            study(&inputs, &whom, &selection, &settings, &())
        };
        assert_eq!(with(51).unwrap().requests.len(), 50);
        assert!(matches!(with(40), Err(Error::TooManyOfOne(40))));
    }
}
