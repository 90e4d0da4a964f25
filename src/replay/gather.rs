//! All clients through all rules, part by part.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::io;

use super::grid::{Grid, ladder};
use super::one_client;
use super::outcome::{Near, Outcome, Replayed};
use super::rule::Rule;
use crate::counts::{Event, Part, Parts, sliding};
use crate::limiters::Algorithm;
use crate::units::{Client, Window};

/// How to replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// As which limiter.
    pub algorithm: Algorithm,
    /// Seconds until AWS WAF knows of a request; a multiple of 10.
    pub lag: u32,
}

/// From this share of the limit on a client is near it.
const NEAR: f64 = 0.7;

/// Runs the requests of everybody through the rules, lowest priority first: what one stops, the next ones
/// do not see.
///
/// # Errors
/// When a part is in a temporary file that cannot be read.
pub fn replay(rules: Vec<Rule>, parts: Parts, settings: &Settings) -> io::Result<Vec<Replayed>> {
    let mut found = replay_each(vec![rules], parts, settings)?;
    Ok(found.pop().unwrap_or_default())
}

/// The same with several sets of rules that know nothing of each other.
///
/// # Errors
/// When a part is in a temporary file that cannot be read.
pub fn replay_each(
    mut sets: Vec<Vec<Rule>>,
    parts: Parts,
    settings: &Settings,
) -> io::Result<Vec<Vec<Replayed>>> {
    sets.iter_mut().for_each(|rules| rules.sort_by_key(|rule| rule.priority));
    let of_set = |rules: &Vec<Rule>| -> Vec<Gathered> {
        rules.iter().map(|rule| Gathered::new(rule, settings)).collect()
    };
    let gathered = || sets.iter().map(of_set).collect::<Vec<_>>();
    let found = parts.map(|part| {
        let Part { clients, events, .. } = part;
        let mut own = gathered();
        each_client(&events, |number, lists| {
            let client = clients.client(number);
            for (rules, own) in sets.iter().zip(&mut own) {
                one(rules, own, &client, lists, settings);
            }
        });
        own
    })?;
    let mut all = gathered();
    for own in found {
        for (sums, own) in all.iter_mut().zip(own) {
            sums.iter_mut().zip(own).for_each(|(sum, own)| sum.absorb(own));
        }
    }
    let finished = sets.into_iter().zip(all).map(|(rules, all)| {
        let outcomes = rules.into_iter().zip(all.into_iter().map(Gathered::finish));
        outcomes.map(|(rule, outcome)| Replayed { rule, outcome }).collect()
    });
    Ok(finished.collect())
}

/// Runs the requests of one client through the rules; `events` by route, each by time.
#[must_use]
pub fn replay_client(
    mut rules: Vec<Rule>,
    client: &Client,
    events: &[Vec<Event>],
    settings: &Settings,
) -> Vec<Replayed> {
    rules.sort_by_key(|rule| rule.priority);
    let mut found: Vec<Gathered> = rules.iter().map(|rule| Gathered::new(rule, settings)).collect();
    let lists: Vec<&[Event]> = events.iter().map(Vec::as_slice).collect();
    one(&rules, &mut found, client, &lists, settings);
    let outcomes = found.into_iter().map(Gathered::finish);
    rules.into_iter().zip(outcomes).map(|(rule, outcome)| Replayed { rule, outcome }).collect()
}

/// Hands over each client with its requests by route. The lists stand by client number.
fn each_client(lists: &[Vec<Event>], mut each: impl FnMut(u32, &[&[Event]])) {
    let mut rest: Vec<&[Event]> = lists.iter().map(Vec::as_slice).collect();
    let mut own: Vec<&[Event]> = Vec::with_capacity(lists.len());
    while let Some(client) = rest.iter().filter_map(|list| list.first()).map(|e| e.client).min() {
        own.clear();
        for list in &mut rest {
            let end = list.iter().take_while(|event| event.client == client).count();
            let (of_client, others) = list.split_at(end);
            own.push(of_client);
            *list = others;
        }
        each(client, &own);
    }
}

/// One client through all rules.
fn one(
    rules: &[Rule],
    found: &mut [Gathered],
    client: &Client,
    lists: &[&[Event]],
    settings: &Settings,
) {
    let mut stopped = Stopped::new(lists);
    for (rule, found) in rules.iter().zip(found) {
        let seen = lists_of(rule, lists);
        if seen == 0 || !rule.counts(client) {
            continue;
        }
        // Most clients send fewer requests than a limit: nothing can come of them.
        let quiet = seen < found.near.min(found.least_of_grid());
        if quiet && stopped.none {
            found.outcome.clients += 1;
            found.outcome.requests += seen as u64;
            continue;
        }
        let requests = stopped.left(rule, lists);
        if requests.is_empty() {
            continue;
        }
        found.outcome.clients += 1;
        found.outcome.requests += requests.len() as u64;
        let times: Vec<u32> = requests.iter().map(|request| request.event.time).collect();
        let peaks = Window::ALL.map(|window| sliding(&times, window.seconds()).peak);
        let peak = peaks[rule.window.index()];
        let is_over = settings.algorithm != Algorithm::Waf || peak > rule.limit.requests();
        let limited = is_over
            .then(|| one_client::run(rule, &times, settings.algorithm, settings.lag))
            .and_then(|acted| Some((acted.told(client, peak)?, acted)));
        found.outcome.grid.see(peaks, limited.is_some());
        match limited {
            Some((limited, acted)) => {
                found.outcome.limited.push(limited);
                found.spells.extend(acted.spells);
                if rule.terminates() {
                    let acted_on = requests.iter().zip(acted.on).filter(|(_, on)| *on);
                    acted_on.for_each(|(request, _)| stopped.stop(request));
                }
            }
            None if peak as usize >= found.near => {
                let requests = times.len() as u64;
                found.outcome.near.push(Near { client: client.clone(), peak, requests });
            }
            None => {}
        }
    }
}

fn lists_of(rule: &Rule, lists: &[&[Event]]) -> usize {
    rule.routes.iter().map(|&route| lists[route].len()).sum()
}

/// One request, with its place.
struct Request<'a> {
    event: &'a Event,
    route: usize,
    place: usize,
}

/// Which requests of a client no rule sees any more.
struct Stopped {
    none: bool,
    /// By route, then by place; empty while there is none.
    places: Vec<Vec<bool>>,
    /// A request that several routes match is one request.
    fingerprints: HashSet<u64>,
}

impl Stopped {
    fn new(lists: &[&[Event]]) -> Self {
        Self {
            none: true,
            places: lists.iter().map(|_| Vec::new()).collect(),
            fingerprints: HashSet::new(),
        }
    }

    /// What is left for a rule, in the order of time.
    fn left<'a>(&self, rule: &Rule, lists: &[&'a [Event]]) -> Vec<Request<'a>> {
        let mut left = Vec::with_capacity(lists_of(rule, lists));
        let mut seen = HashSet::new();
        let several = rule.routes.len() > 1;
        for &route in &rule.routes {
            for (place, event) in lists[route].iter().enumerate() {
                let known = event.fingerprint != 0;
                let is_stopped = self.places[route].get(place).is_some_and(|stopped| *stopped)
                    || (known && self.fingerprints.contains(&event.fingerprint));
                if is_stopped || (several && known && !seen.insert(event.fingerprint)) {
                    continue;
                }
                left.push(Request { event, route, place });
            }
        }
        if several {
            left.sort_by_key(|request| request.event.time);
        }
        left
    }

    fn stop(&mut self, request: &Request<'_>) {
        self.none = false;
        let places = &mut self.places[request.route];
        if places.len() <= request.place {
            places.resize(request.place + 1, false);
        }
        places[request.place] = true;
        if request.event.fingerprint != 0 {
            self.fingerprints.insert(request.event.fingerprint);
        }
    }
}

/// What one rule did to the clients so far.
struct Gathered {
    outcome: Outcome,
    /// Requests in a window from which on a client is near.
    near: usize,
    /// When it acted on anybody.
    spells: Vec<(i64, i64)>,
}

impl Gathered {
    fn new(rule: &Rule, settings: &Settings) -> Self {
        let limits = match settings.algorithm {
            Algorithm::Waf => ladder(rule.limit),
            _ => Vec::new(),
        };
        Self {
            outcome: Outcome { grid: Grid::new(limits), ..Outcome::default() },
            near: (f64::from(rule.limit.requests()) * NEAR).ceil() as usize,
            spells: Vec::new(),
        }
    }

    /// Nobody with fewer requests is in any cell of the grid.
    fn least_of_grid(&self) -> usize {
        let least = self.outcome.grid.limits.first();
        least.map_or(usize::MAX, |limit| limit.requests() as usize + 1)
    }

    fn absorb(&mut self, other: Self) {
        let Self { outcome, spells, .. } = other;
        self.outcome.clients += outcome.clients;
        self.outcome.requests += outcome.requests;
        self.outcome.limited.extend(outcome.limited);
        self.outcome.near.extend(outcome.near);
        self.outcome.grid.absorb(&outcome.grid);
        self.spells.extend(spells);
    }

    fn finish(self) -> Outcome {
        let Self { mut outcome, spells, .. } = self;
        outcome.limited.sort_by_cached_key(|one| (Reverse(one.peak), one.client.to_string()));
        outcome.near.sort_by_cached_key(|one| (Reverse(one.peak), one.client.to_string()));
        outcome.most_at_once = most_at_once(&spells);
        outcome
    }
}

/// How many of these overlap at the busiest moment; an end is not part of its spell.
fn most_at_once(spells: &[(i64, i64)]) -> usize {
    let mut edges: Vec<(i64, i32)> =
        spells.iter().flat_map(|&(start, end)| [(start, 1), (end, -1)]).collect();
    edges.sort_unstable();
    let (mut now, mut most) = (0, 0);
    for (_, step) in edges {
        now += step;
        most = most.max(now);
    }
    usize::try_from(most).unwrap_or_default()
}
