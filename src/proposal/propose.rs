//! From the clients of a route to its proposal: the decision, the lists around it, and what to warn of.

use std::cmp::Reverse;

use super::caps::{Cap, bound, caps, untold};
use super::decide::{Decision, decide_together};
use super::observation::Observation;
use super::result::{Grade, Proposal, RouteProposal};
use super::round::{ladder, range_in_gap};
use super::warnings::warnings;
use crate::counts::Coverage;
use crate::profile::{ClientProfile, Crowd, Label, RouteProfile, at_rank, everybody, ranked};
use crate::units::{Limit, Window, share};

/// Clients listed below the limit.
const LISTED_BELOW: usize = 5;

/// Proposes a limit for clients in `window`, from a log of `days` UTC days (0 if that is not known).
/// The places in the answer are places in `clients`, whose order does not matter.
#[must_use]
pub fn propose(clients: &[ClientProfile], days: u32, window: Window) -> Proposal {
    propose_within(&[], &List { clients, crowd: &[] }, days, window)
}

fn propose_within(caps: &[Cap], list: &List<'_>, days: u32, window: Window) -> Proposal {
    let (decision, untold) = list.decide(days, window);
    let caps: Vec<Cap> = caps.iter().cloned().chain(untold).collect();
    let decision = bound(decision, &caps);
    Proposal { caps, ..with_lists(list, decision, days, window) }
}

/// Clients with and without a name.
struct List<'a> {
    clients: &'a [ClientProfile],
    crowd: &'a [Crowd],
}

impl List<'_> {
    /// What the method says, and what bounds it because the log does not tell enough.
    fn decide(&self, days: u32, window: Window) -> (Decision, Option<Cap>) {
        let (observations, numbers): (Vec<_>, Vec<_>) = everybody(self.clients, self.crowd)
            .map(|(client, number)| (Observation::of(&client, window), number))
            .unzip();
        let mut decision = decide_together(&observations, &numbers, days, window);
        let untold = {
            let tail =
                observations.iter().zip(&numbers).enumerate().filter(|(place, (client, _))| {
                    !matches!(client.label, Some(Label::Exempt | Label::Good))
                        && !decision.established[*place]
                        && !decision.shared[*place]
                });
            untold(&decision, tail.map(|(_, (client, &number))| (client, number)), days)
        };
        let named = self.clients.len();
        for question in &mut decision.questions {
            let nameless = question.clients.partition_point(|&place| place < named);
            let nameless = question.clients.drain(nameless..);
            question.more = nameless.map(|place| u64::from(numbers[place])).sum();
        }
        decision.established.truncate(named);
        decision.shared.truncate(named);
        decision.signs.truncate(named);
        (decision, untold)
    }
}

/// Everything the logs say about one route's limit: by address for its window, another window that
/// does better, by /64, and the warnings.
#[must_use]
pub fn propose_route(profile: &RouteProfile, coverage: &Coverage) -> RouteProposal {
    let days = coverage.days();
    let caps = caps(coverage);
    let list = List { clients: &profile.clients, crowd: &profile.crowd };
    let by_address = || {
        let proposal = propose_within(&caps, &list, days, profile.window);
        // Only a clear limit does better, and no window makes one of a capped log.
        let other_window = (proposal.grade != Grade::Clear && caps.is_empty())
            .then(|| better_window(&list, days, profile.window))
            .flatten();
        (proposal, other_window)
    };
    let by_network = || {
        (!profile.slash64.is_empty()).then(|| {
            let list = List { clients: &profile.slash64, crowd: &profile.slash64_crowd };
            propose_within(&caps, &list, days, profile.window)
        })
    };
    let ((proposal, other_window), slash64) = rayon::join(by_address, by_network);
    let warnings = warnings(profile, coverage, &proposal, slash64.as_ref());
    RouteProposal { proposal, other_window, slash64, warnings }
}

/// Of the other windows that give a clear limit, the one with the most evidence; the shorter if equal.
fn better_window(list: &List<'_>, days: u32, window: Window) -> Option<Proposal> {
    let evidence = |decision: &Decision| decision.evidence.unwrap_or_default();
    let mut best: Option<(Window, Decision)> = None;
    for other in Window::ALL.into_iter().filter(|&other| other != window) {
        let (decision, untold) = list.decide(days, other);
        if decision.grade == Grade::Clear
            && untold.is_none()
            && best.as_ref().is_none_or(|(_, held)| evidence(&decision) > evidence(held))
        {
            best = Some((other, decision));
        }
    }
    best.map(|(other, decision)| with_lists(list, decision, days, other))
}

/// Adds who is above, who is just below, and the figures that follow from the limit.
fn with_lists(list: &List<'_>, decision: Decision, days: u32, window: Window) -> Proposal {
    let List { clients, crowd } = *list;
    let lists = Lists { clients, crowd, decision: &decision, window };
    let above = lists.above();
    let below = lists.below();
    let ordinary_peak = lists.ordinary_peak();
    let busiest_below = lists.busiest_below();
    let weakest_above = lists.weakest_above();
    let rungs = decision.limit.map_or_else(Vec::new, |limit| lists.ladder(limit));
    let share_above = lists.share_of_requests(&above);
    let by_lower = |lower: u32| decision.limit.map(|limit| ratio(limit.requests(), lower));
    let by_limit = |upper: u32| decision.limit.map(|limit| ratio(upper, limit.requests()));
    let edges = decision.lower.zip(decision.upper);
    Proposal {
        window,
        grade: decision.grade,
        weaknesses: decision.weaknesses,
        limit: decision.limit,
        reason: decision.reason,
        ceiling: decision.ceiling,
        lower: decision.lower,
        upper: decision.upper,
        headroom: decision.lower.and_then(by_lower),
        margin: decision.upper.and_then(by_limit),
        range: edges.and_then(|(lower, upper)| range_in_gap(lower, upper)),
        clients_above_cut: decision.clients_above_cut,
        evidence: decision.evidence,
        weight: decision.weight,
        fewest_signs: decision.fewest_signs,
        cautious_limit: decision.cautious_limit,
        questions: decision.questions,
        days,
        signs: decision.signs.iter().map(|signs| signs.len()).collect(),
        sign_sets: decision.signs,
        established: decision.established,
        shared: decision.shared,
        ordinary_peak,
        busiest_below,
        weakest_above,
        above,
        below,
        ladder: rungs,
        share_above,
        caps: Vec::new(),
    }
}

fn ratio(over: u32, under: u32) -> f64 {
    f64::from(over) / f64::from(under)
}

/// Lists of clients, highest peak first, ties by canonical text. Clients of the crowd are on none: they
/// are not above any limit, and below it those with names come first.
struct Lists<'a> {
    clients: &'a [ClientProfile],
    crowd: &'a [Crowd],
    decision: &'a Decision,
    window: Window,
}

impl Lists<'_> {
    fn peak(&self, place: usize) -> u32 {
        self.clients[place].peak(self.window)
    }

    /// Everybody the main rule would count.
    fn counted(&self) -> impl Iterator<Item = usize> {
        (0..self.clients.len()).filter(|&place| !self.has_label(place, Label::Exempt))
    }

    /// The share of what the main rule would count.
    fn share_of_requests(&self, places: &[usize]) -> f64 {
        let requests = |place: usize| u64::from(self.clients[place].requests);
        let of_crowd = everybody(&[], self.crowd)
            .map(|(client, number)| u64::from(client.requests) * u64::from(number));
        let all = self.counted().map(requests).chain(of_crowd).sum();
        let part: u64 = places.iter().map(|&place| requests(place)).sum();
        share(part, all)
    }

    fn has_label(&self, place: usize, label: Label) -> bool {
        self.clients[place].is_labelled(label)
    }

    fn sort(&self, places: &mut [usize]) {
        places.sort_by_cached_key(|&place| {
            (Reverse(self.peak(place)), self.clients[place].client.to_string())
        });
    }

    /// Above the limit; nobody if there is none.
    fn above(&self) -> Vec<usize> {
        let Some(limit) = self.decision.limit else { return Vec::new() };
        let mut places: Vec<usize> =
            self.counted().filter(|&place| self.peak(place) > limit.requests()).collect();
        self.sort(&mut places);
        places
    }

    /// The five busiest that are not above the limit.
    fn below(&self) -> Vec<usize> {
        let limit = self.decision.limit.map_or(u32::MAX, Limit::requests);
        let under = || self.counted().filter(|&place| self.peak(place) <= limit);
        let mut peaks: Vec<u32> = under().map(|place| self.peak(place)).collect();
        if peaks.is_empty() {
            return Vec::new();
        }
        let fifth = (LISTED_BELOW - 1).min(peaks.len() - 1);
        let (_, &mut least, _) = peaks.select_nth_unstable_by_key(fifth, |&peak| Reverse(peak));
        let mut places: Vec<usize> = under().filter(|&place| self.peak(place) > least).collect();
        // Millions may share the fifth peak; keep the first few of them by text.
        let mut equal: Vec<(String, usize)> = Vec::with_capacity(LISTED_BELOW + 1);
        for place in under().filter(|&place| self.peak(place) == least) {
            let text = self.clients[place].client.to_string();
            if equal.len() == LISTED_BELOW && equal.last().is_some_and(|(last, _)| *last <= text) {
                continue;
            }
            let at = equal.partition_point(|(held, _)| *held <= text);
            equal.insert(at, (text, place));
            equal.truncate(LISTED_BELOW);
        }
        places.extend(equal.into_iter().map(|(_, place)| place));
        self.sort(&mut places);
        places.truncate(LISTED_BELOW);
        places
    }

    /// The peak at rank `ceil(0.9 * n)`; 0 without a client.
    fn ordinary_peak(&self) -> u32 {
        let of_crowd = everybody(&[], self.crowd)
            .map(|(client, number)| (client.peak(self.window), u64::from(number)));
        let (peaks, all) =
            ranked(self.counted().map(|place| (self.peak(place), 1)).chain(of_crowd));
        at_rank(&peaks, (9 * all).div_ceil(10))
    }

    fn first_with(&self, peak: Option<u32>, fits: impl Fn(usize) -> bool) -> Option<usize> {
        let peak = peak?;
        self.counted()
            .filter(|&place| self.peak(place) == peak && fits(place))
            .min_by_key(|&place| self.clients[place].client.to_string())
    }

    fn busiest_below(&self) -> Option<usize> {
        self.first_with(self.decision.lower, |_| true)
    }

    /// Of the tail above the cut, so nobody who has to pass and nobody shared.
    fn weakest_above(&self) -> Option<usize> {
        self.first_with(self.decision.upper, |place| {
            !self.has_label(place, Label::Good)
                && !self.decision.shared[place]
                && !self.decision.established[place]
        })
    }

    fn ladder(&self, limit: Limit) -> Vec<(Limit, usize)> {
        let rungs = ladder(limit, self.window);
        let mut above = vec![0usize; rungs.len()];
        for place in self.counted() {
            let peak = self.peak(place);
            let below = rungs.partition_point(|rung| rung.requests() < peak);
            if let Some(last) = below.checked_sub(1) {
                above[last] += 1;
            }
        }
        // A client above a rung is above all lower ones.
        for rung in (1..above.len()).rev() {
            above[rung - 1] += above[rung];
        }
        rungs.into_iter().zip(above).collect()
    }
}
