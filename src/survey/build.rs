//! Groups of requests to a ranked list with proposals for the first ten.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::sync::Arc;

use super::advice::advice;
use super::{Advice, Group, Survey};
use crate::counts::{
    Clients, Coverage, Event, GroupKey, GroupedEvents, Groups, RouteCounts, RouteTraffic, sliding,
};
use crate::profile::{Labels, Names, RouteProfile, build};
use crate::proposal::propose_route;
use crate::rules::{Route, slug};
use crate::units::{Client, Window};

/// Groups that are analysed: what fits into ten rules, and what a person reads.
pub const ANALYSED: usize = 10;
/// Groups that are listed.
pub const LISTED: usize = 100;

/// What is known of a group before it is analysed.
struct Candidate {
    number: u32,
    title: String,
    requests: u64,
    clients: u64,
    peak: u32,
    peak_slash64: u32,
    busiest: Client,
    advice: Advice,
}

/// Ranks all groups by the largest peak of one client or /64, and proposes a limit for each of the first ten
/// that are worth a look.
///
/// # Errors
/// When the temporary file that a large survey keeps its requests in cannot be read.
pub fn survey(
    mut grouped: GroupedEvents,
    labels: &Labels,
    coverage: &Coverage,
    window: Window,
) -> io::Result<Survey> {
    let clients = &*Arc::clone(&grouped.clients);
    let mut candidates = Vec::new();
    for number in grouped.groups.in_order() {
        if grouped.groups.get(number).1.matched > 0 {
            let (events, _) = grouped.events(number)?;
            let (key, _) = grouped.groups.get(number);
            candidates.push(candidate(number, key, &events, clients, window));
        }
    }
    candidates.sort_by(|a, b| {
        // Who walks through a network takes as much as who stays at one address.
        b.peak_slash64.cmp(&a.peak_slash64).then_with(|| a.title.cmp(&b.title))
    });
    let mut survey = Survey::default();
    let mut names = BTreeMap::new();
    let mut analysed = 0;
    for (place, candidate) in candidates.into_iter().enumerate() {
        if place >= LISTED && analysed >= ANALYSED {
            survey.more_groups += 1;
            survey.more_requests += candidate.requests;
            continue;
        }
        let route = grouped.groups.get(candidate.number).0.route();
        let analyse = analysed < ANALYSED && candidate.advice == Advice::Look && route.is_some();
        if place >= LISTED && !analyse {
            survey.more_groups += 1;
            survey.more_requests += candidate.requests;
            continue;
        }
        let mut group = group_of(candidate, route.clone());
        if let (true, Some(mut route)) = (analyse, route) {
            analysed += 1;
            route.name = unique(&mut names, &route.name, &route.methods);
            let traffic = traffic(&grouped.groups, group.0);
            let (events, duplicates) = grouped.events(group.0)?;
            let traffic = RouteTraffic { duplicates, ..traffic };
            let agents = Arc::clone(&grouped.agents);
            let counts = RouteCounts { traffic, events, agents };
            let profile: RouteProfile =
                build(&route, window, counts, clients, labels, Names::OfLists);
            let proposal = propose_route(&profile, coverage);
            group.1.route = Some(route);
            group.1.analysis = Some((profile, proposal));
        }
        survey.groups.push(group.1);
    }
    Ok(survey)
}

fn candidate(
    number: u32,
    key: &GroupKey,
    events: &[Event],
    clients: &Clients,
    window: Window,
) -> Candidate {
    let mut times = Vec::new();
    let mut found: Option<(u32, Client)> = None;
    let mut distinct = 0;
    for chunk in events.chunk_by(|one, two| one.client == two.client) {
        distinct += 1;
        if found.as_ref().is_some_and(|(peak, _)| (*peak as usize) > chunk.len()) {
            continue;
        }
        times.clear();
        times.extend(chunk.iter().map(|event| event.time));
        let peak = sliding(&times, window.seconds()).peak;
        let client = clients.client(chunk[0].client);
        let better = found
            .as_ref()
            .is_none_or(|(best, who)| peak > *best || (peak == *best && client < *who));
        if better {
            found = Some((peak, client));
        }
    }
    let (peak, busiest) = found.unwrap_or((0, Client::Text("".into())));
    Candidate {
        number,
        title: format!("{} {}", key.method, key.path_title()),
        requests: events.len() as u64,
        clients: distinct,
        peak,
        peak_slash64: peak_by_slash64(events, clients, window, peak),
        busiest,
        advice: advice(key),
    }
}

/// The largest sliding peak of an IPv6 network of 64 bits, or `peak` if none has more.
fn peak_by_slash64(events: &[Event], clients: &Clients, window: Window, peak: u32) -> u32 {
    let mut networks: HashMap<u64, (usize, Vec<&[Event]>)> = HashMap::new();
    for chunk in events.chunk_by(|one, two| one.client == two.client) {
        if let Some(network) = clients.slash64(chunk[0].client) {
            let (requests, addresses) = networks.entry(network).or_default();
            *requests += chunk.len();
            addresses.push(chunk);
        }
    }
    let mut largest = peak;
    let mut times = Vec::new();
    // In no order: a maximum needs none.
    for (requests, addresses) in networks.into_values() {
        if addresses.len() < 2 || requests <= largest as usize {
            continue;
        }
        times.clear();
        times.extend(addresses.into_iter().flatten().map(|event| event.time));
        times.sort_unstable();
        largest = largest.max(sliding(&times, window.seconds()).peak);
    }
    largest
}

fn group_of(candidate: Candidate, route: Option<Route>) -> (u32, Group) {
    let group = Group {
        route,
        title: candidate.title,
        requests: candidate.requests,
        clients: candidate.clients,
        peak: candidate.peak,
        peak_slash64: candidate.peak_slash64,
        busiest: candidate.busiest,
        advice: candidate.advice,
        analysis: None,
    };
    (candidate.number, group)
}

/// The traffic around a group: its own spellings, and the same path by other methods.
fn traffic(groups: &Groups, number: u32) -> RouteTraffic {
    let (key, own) = groups.get(number);
    let mut traffic = own.clone();
    for (other, sibling, theirs) in groups.iter() {
        if other != number && theirs.matched > 0 && sibling.same_path(key) {
            *traffic.other_methods.entry(sibling.method.to_owned()).or_insert(0) += theirs.matched;
        }
    }
    traffic.settle_methods();
    traffic
}

/// A name that no earlier route of the survey has: with its method, then with a number.
fn unique(names: &mut BTreeMap<String, ()>, name: &str, methods: &[String]) -> String {
    let with_method = slug(&format!("{name}-{}", methods.join("-")));
    let mut candidates = [name.to_owned(), with_method.clone()]
        .into_iter()
        .chain((2..).map(|number| format!("{with_method}-{number}")));
    let free = candidates.find(|candidate| !names.contains_key(candidate)).unwrap_or(with_method);
    names.insert(free.clone(), ());
    free
}
