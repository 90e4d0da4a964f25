//! Groups of requests to a ranked list with proposals for the first ten.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use rayon::prelude::*;

use super::advice::advice;
use super::rank::{Figures, rank};
use super::{Advice, Group, Survey};
use crate::counts::{Coverage, GroupKey, GroupedEvents, Groups, RouteTraffic};
use crate::profile::{Labels, Names, RouteProfile, build_groups};
use crate::proposal::{RouteProposal, propose_route};
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
    grouped: GroupedEvents,
    labels: &Labels,
    coverage: &Coverage,
    window: Window,
) -> io::Result<Survey> {
    let mut candidates = Vec::new();
    for (number, figures) in rank(&grouped, window)? {
        let (key, _) = grouped.groups.get(number);
        candidates.push(candidate(number, key, figures));
    }
    candidates.sort_by(|a, b| {
        // Who walks through a network takes as much as who stays at one address.
        b.peak_slash64.cmp(&a.peak_slash64).then_with(|| a.title.cmp(&b.title))
    });
    let mut survey = Survey::default();
    let mut names = BTreeMap::new();
    let mut analysed = 0;
    let mut chosen = Vec::new();
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
            group.1.route = Some(route.clone());
            chosen.push((survey.groups.len(), group.0, route));
        }
        survey.groups.push(group.1);
    }
    let profiles = profiles(&grouped, &chosen, labels, window)?;
    drop(grouped);
    let analysed: Vec<(usize, RouteProfile, RouteProposal)> = profiles
        .into_par_iter()
        .map(|(place, profile)| {
            let proposal = propose_route(&profile, coverage);
            (place, profile, proposal)
        })
        .collect();
    for (place, profile, proposal) in analysed {
        survey.groups[place].analysis = Some((profile, proposal));
    }
    Ok(survey)
}

/// The profiles of groups, each with its place in the survey.
fn profiles(
    grouped: &GroupedEvents,
    chosen: &[(usize, u32, Route)],
    labels: &Labels,
    window: Window,
) -> io::Result<Vec<(usize, RouteProfile)>> {
    let groups: Vec<u32> = chosen.iter().map(|(_, group, _)| *group).collect();
    let routes: Vec<_> = chosen.iter().map(|(_, _, route)| (route.clone(), window)).collect();
    let profiles = build_groups(&routes, grouped, &groups, labels, Names::OfLists)?;
    let with_traffic = |(&(place, group, _), mut profile): (&_, RouteProfile)| {
        let duplicates = profile.traffic.duplicates;
        profile.traffic = RouteTraffic { duplicates, ..traffic(&grouped.groups, group) };
        profile.agents = Arc::clone(&grouped.agents);
        (place, profile)
    };
    Ok(chosen.iter().zip(profiles).map(with_traffic).collect())
}

fn candidate(number: u32, key: &GroupKey, figures: Figures) -> Candidate {
    let Figures { requests, clients, peak, peak_slash64, busiest } = figures;
    Candidate {
        number,
        title: format!("{} {}", key.method, key.path_title()),
        requests,
        clients,
        peak,
        peak_slash64,
        busiest: busiest.unwrap_or(Client::Text("".into())),
        advice: advice(key),
    }
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
