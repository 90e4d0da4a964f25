//! Who stands where: established and shared clients, who has to pass, who is part of the tail.
//!
//! Everything about single clients is found out in the order in which they are stored; what needs the
//! order of peaks touches a few bytes a client only. With millions of clients that is most of the time.

use super::decide::Context;
use super::observation::Observation;
use super::signs::{RUNAWAY, SignSet, Usual};
use super::statistics::median;
use super::tail::Tail;
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
/// Median focus from which focus tells nothing.
const FOCUSED_SITE: f64 = 0.9;

/// A client by its peak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ranked {
    pub peak: u32,
    /// Its place in the list of clients.
    pub place: u32,
}

impl Ranked {
    /// Its place as an index.
    pub(super) const fn at(self) -> usize {
        self.place as usize
    }
}

/// All clients, highest peak first. Packed into one number a client, which sorts fastest.
pub(super) fn by_peak(clients: &[Observation]) -> Vec<Ranked> {
    let mut keys: Vec<u64> = clients
        .iter()
        .zip(0u32..)
        .map(|(client, place)| u64::from(!client.peak) << 32 | u64::from(place))
        .collect();
    keys.sort_unstable();
    keys.into_iter().map(|key| Ranked { peak: !((key >> 32) as u32), place: key as u32 }).collect()
}

/// Shares are added up as whole parts of this: unlike a sum of fractions, theirs does not depend on the
/// order or on who is counted together.
const FIXED: f64 = (1_u64 << 60) as f64;

fn fixed(share: f64) -> u128 {
    (share * FIXED) as u128
}

/// What depends on nothing but who is exempt.
pub(super) struct Norms {
    /// Per client.
    pub signs: Vec<SignSet>,
    /// Clients that are not exempt.
    pub kept: usize,
    /// The 90 % quantile of their peaks (the value at rank ceil(0.9 n)), at least 3.
    typical_peak: f64,
    /// Median of their focus.
    focus: f64,
    /// Mean of their shares of 4xx.
    errors: f64,
}

impl Norms {
    pub(super) fn of(
        clients: &[Observation],
        numbers: &[u32],
        labels: &[Option<Label>],
        order: &[Ranked],
    ) -> Self {
        let mut usual = Usual::new();
        let mut focus = Vec::with_capacity(clients.len());
        let mut errors = 0_u128;
        let mut kept = 0;
        let all = clients.iter().zip(numbers).zip(labels);
        for ((client, &number), _) in all.filter(|(_, label)| !is_exempt(**label)) {
            usual.see(client, number as usize);
            focus.push((client.focus, number as usize));
            errors += u128::from(number) * fixed(client.share_4xx);
            kept += number as usize;
        }
        let telling = usual.telling();
        // Rank ceil(0.9 n) from below, counted from above.
        let place = kept - (9 * kept).div_ceil(10);
        let mut seen = 0;
        let quantile =
            order.iter().filter(|ranked| !is_exempt(labels[ranked.at()])).find(|ranked| {
                seen += numbers[ranked.at()] as usize;
                seen > place
            });
        Self {
            signs: clients.iter().map(|client| telling.signs(client)).collect(),
            kept,
            typical_peak: f64::from(quantile.map_or(0, |ranked| ranked.peak).max(3)),
            focus: median(&mut focus).unwrap_or(1.0),
            errors: if kept == 0 { 0.0 } else { errors as f64 / FIXED / kept as f64 },
        }
    }

    /// Whether a client looks like many people behind one address.
    fn is_shared(&self, client: &Observation, signs: SignSet) -> bool {
        if client.agents < SHARED_AGENTS {
            return false;
        }
        let known = client.behaviour.is_some();
        let errors = if known { SHARED_ERRORS + self.errors } else { SHARED_ERRORS };
        f64::from(client.peak) <= self.typical_peak * f64::from(client.agents)
            && client.share_4xx <= errors
            && (self.focus >= FOCUSED_SITE
                || client.focus <= self.focus + 0.6 * (1.0 - self.focus)
                || (known && signs.len() < RUNAWAY))
    }
}

/// The clients of one list, sorted out.
pub(super) struct Standing<'a> {
    /// What it was judged by.
    pub norms: &'a Norms,
    /// Per client: has a habit, so it is never blocked unasked.
    pub established: Vec<bool>,
    /// Per client: looks like many people.
    pub shared: Vec<bool>,
    /// Per client: bad, mostly errors, or looks like a runaway.
    pub flagged: Vec<bool>,
    /// Per client: the number of its signs, if they are known and it is not bad.
    pub counted_signs: Vec<Option<u8>>,
    /// The clients that the gap statistic is about, highest peak first.
    pub tail: Tail,
    /// Peaks of the clients that lift the lower edge of a gap, highest first.
    pub passing: Vec<u32>,
    /// Highest peak of a client that has to pass, 0 if there is none.
    pub must_pass: u32,
    /// Highest peak of a client that is not exempt, 0 if there is none.
    pub highest: u32,
}

impl<'a> Standing<'a> {
    /// Sorts the clients out. `labels` are used instead of the clients' own.
    pub(super) fn of(context: &Context<'_>, labels: &[Option<Label>], norms: &'a Norms) -> Self {
        let Context { clients, numbers, ref order, days, .. } = *context;
        let mut standing = Self {
            norms,
            established: Vec::with_capacity(clients.len()),
            shared: Vec::with_capacity(clients.len()),
            flagged: Vec::with_capacity(clients.len()),
            counted_signs: Vec::with_capacity(clients.len()),
            tail: Tail::default(),
            passing: Vec::new(),
            must_pass: 0,
            highest: 0,
        };
        for ((client, &label), &signs) in clients.iter().zip(labels).zip(&norms.signs) {
            let bad = label == Some(Label::Bad);
            let may_pass = !bad && !is_exempt(label);
            standing.established.push(may_pass && has_habit(client, days));
            standing.shared.push(may_pass && norms.is_shared(client, signs));
            standing.flagged.push(bad || client.mostly_errors() || signs.len() >= RUNAWAY);
            let counted = client.behaviour.is_some() && !bad;
            standing.counted_signs.push(counted.then_some(signs.len() as u8));
        }
        for &ranked in order {
            if !is_exempt(labels[ranked.at()]) {
                standing.sort_in(ranked, numbers[ranked.at()], labels);
            }
        }
        standing
    }

    /// Puts the next client, in falling order of peaks, where it belongs.
    fn sort_in(&mut self, ranked: Ranked, number: u32, labels: &[Option<Label>]) {
        let Ranked { peak, .. } = ranked;
        self.highest = self.highest.max(peak);
        let good = labels[ranked.at()] == Some(Label::Good);
        let (established, shared) = (self.established[ranked.at()], self.shared[ranked.at()]);
        if good || established {
            self.must_pass = self.must_pass.max(peak);
        }
        if good || established || shared {
            self.passing.push(peak);
        }
        // Below the typical peak established clients are a part of everybody; above it five offices
        // would look like a heavy tail and hide the runaway beyond them.
        let aside = good || shared || (established && f64::from(peak) > self.norms.typical_peak);
        if !aside {
            self.tail.push(ranked, number);
        }
    }
}

fn is_exempt(label: Option<Label>) -> bool {
    label == Some(Label::Exempt)
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
