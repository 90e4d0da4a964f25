//! Who stands where: established and shared clients, who has to pass, who is part of the tail.

use super::observation::Observation;
use super::signs::{RUNAWAY, SignSet, signs};
use super::statistics::median;
use crate::profile::Label;

/// Days near the peak that make a habit; two can be one evening across midnight.
const HABIT_DAYS: u32 = 3;
/// Different hours that make a habit; nobody stays that long by accident.
const HABIT_HOURS: u32 = 24;
/// Under so many days a log shows less of a habit, so less of it is asked for.
pub(super) const FULL_LOG_DAYS: u32 = 5;
/// User agents from which an address may be many people.
const SHARED_AGENTS: u32 = 8;
/// Share of 4xx answers up to which an address may be many people.
const SHARED_ERRORS: f64 = 0.2;

/// The clients of one list, sorted out.
pub(super) struct Standing {
    /// Per client.
    pub signs: Vec<SignSet>,
    /// Per client: has a habit, so it is never blocked unasked.
    pub established: Vec<bool>,
    /// Per client: looks like many people.
    pub shared: Vec<bool>,
    /// Places of the clients that the gap statistic is about, highest peak first.
    pub tail: Vec<u32>,
    /// Peaks of the clients that lift the lower edge of a gap, highest first.
    pub passing: Vec<u32>,
    /// Highest peak of a client that has to pass, 0 if there is none.
    pub must_pass: u32,
    /// Clients that are not exempt.
    pub kept: usize,
    /// Highest peak of those, 0 if there are none.
    pub highest: u32,
}

impl Standing {
    /// Sorts the clients out. `order` holds every place, highest peak first; `labels` are used
    /// instead of the clients' own.
    pub(super) fn of(
        clients: &[Observation],
        labels: &[Option<Label>],
        order: &[u32],
        days: u32,
    ) -> Self {
        let signs = signs(clients, labels);
        let keep: Vec<u32> = order
            .iter()
            .copied()
            .filter(|&place| labels[place as usize] != Some(Label::Exempt))
            .collect();
        let typical = typical_peak(clients, &keep);
        let mut established = vec![false; clients.len()];
        for &place in &keep {
            let place = place as usize;
            established[place] =
                labels[place] != Some(Label::Bad) && has_habit(&clients[place], days);
        }
        let shared = shared(clients, labels, &keep, &signs, typical);

        let mut standing = Self {
            signs,
            established,
            shared,
            tail: Vec::with_capacity(keep.len()),
            passing: Vec::new(),
            must_pass: 0,
            kept: keep.len(),
            highest: keep.first().map_or(0, |&place| clients[place as usize].peak),
        };
        for place in keep {
            standing.sort_in(place, clients[place as usize].peak, labels, typical);
        }
        standing
    }

    /// Puts the next client, in falling order of peaks, where it belongs.
    fn sort_in(&mut self, place: u32, peak: u32, labels: &[Option<Label>], typical: f64) {
        let at = place as usize;
        let good = labels[at] == Some(Label::Good);
        let must = good || self.established[at];
        if must {
            self.must_pass = self.must_pass.max(peak);
        }
        if must || self.shared[at] {
            self.passing.push(peak);
        }
        // Below the typical peak established clients are a part of everybody; above it five offices
        // would look like a heavy tail and hide the runaway beyond them.
        let aside = good || self.shared[at] || (self.established[at] && f64::from(peak) > typical);
        if !aside {
            self.tail.push(place);
        }
    }
}

/// The 90 % quantile of the peaks (the value at rank ceil(0.9 n)), at least 3.
fn typical_peak(clients: &[Observation], keep: &[u32]) -> f64 {
    let rank = (9 * keep.len()).div_ceil(10);
    let quantile = keep.get(keep.len() - rank).map_or(0, |&place| clients[place as usize].peak);
    f64::from(quantile.max(3))
}

/// Whether a client keeps coming: near its peak on several days, or there in many different hours.
fn has_habit(client: &Observation, days: u32) -> bool {
    let Some(behaviour) = client.behaviour else { return false };
    if client.mostly_errors() {
        return false;
    }
    let (near_days, hours) = if (1..FULL_LOG_DAYS).contains(&days) {
        (2, (HABIT_HOURS * days).div_ceil(7))
    } else {
        (HABIT_DAYS, HABIT_HOURS)
    };
    behaviour.near_days >= near_days || behaviour.hours >= hours
}

/// Which clients look like many people behind one address.
fn shared(
    clients: &[Observation],
    labels: &[Option<Label>],
    keep: &[u32],
    signs: &[SignSet],
    typical: f64,
) -> Vec<bool> {
    let mut shared = vec![false; clients.len()];
    if keep.is_empty() {
        return shared;
    }
    let kept = || keep.iter().map(|&place| &clients[place as usize]);
    let site = median(&mut kept().map(|client| client.focus).collect::<Vec<_>>()).unwrap_or(1.0);
    let mean_errors = kept().map(|client| client.share_4xx).sum::<f64>() / keep.len() as f64;
    for &place in keep {
        let place = place as usize;
        let client = &clients[place];
        let known = client.behaviour.is_some();
        let errors = if known { SHARED_ERRORS + mean_errors } else { SHARED_ERRORS };
        shared[place] = labels[place] != Some(Label::Bad)
            && client.agents >= SHARED_AGENTS
            && f64::from(client.peak) <= typical * f64::from(client.agents)
            && client.share_4xx <= errors
            && (site >= 0.9
                || client.focus <= 0.6f64.mul_add(1.0 - site, site)
                || (known && signs[place].len() < RUNAWAY));
    }
    shared
}
