//! The method on bare columns.

use super::gap::{Findings, Gap, SMALL_LIST, search};
use super::observation::Observation;
use super::questions::questions;
use super::result::{Grade, Question, Reason};
use super::round::{ceiling, limit_in_gap};
use super::signs::{RUNAWAY, SignSet};
use super::standing::{FULL_LOG_DAYS, Norms, Ranked, Standing, by_peak};
use super::weakness::Weakness;
use crate::profile::Label;
use crate::units::{Limit, Window};

/// Evidence from which a proposal can be clear: one chance in about 2,000.
const CLEAR_EVIDENCE: f64 = 8.0;
/// Ratio of the edges from which a proposal can be clear: 1.41x of room on both sides.
const CLEAR_RATIO: f64 = 2.0;
/// Fewer clients than this tell nothing.
const FEWEST_CLIENTS: usize = 5;

/// What the method says about one list of clients.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The limit, unless the grade is none.
    pub limit: Option<Limit>,
    /// How sure.
    pub grade: Grade,
    /// Why it is weak, the weightiest first; empty where the grade is another.
    pub weaknesses: Vec<Weakness>,
    /// Why there is no limit.
    pub reason: Option<Reason>,
    /// Clients of the tail above the accepted cut.
    pub clients_above_cut: usize,
    /// Largest peak below the cut.
    pub lower: Option<u32>,
    /// Smallest peak above the cut.
    pub upper: Option<u32>,
    /// How unlikely the gap is by chance: natural logarithm of the odds.
    pub evidence: Option<f64>,
    /// What of the evidence (w of the method) comes from labels or looks instead of the gap: 10 for
    /// a label, else at most 3, below 0 where looks speak against it; 0 without evidence.
    pub weight: f64,
    /// Fewest signs of the known clients that the cut is about.
    pub fewest_signs: Option<u32>,
    /// A limit above everybody of these logs.
    pub ceiling: Limit,
    /// A more careful limit, if the clients between the two do not look like runaways.
    pub cautious_limit: Option<Limit>,
    /// Per client: has a habit.
    pub established: Vec<bool>,
    /// Per client: looks like many people behind one address.
    pub shared: Vec<bool>,
    /// Per client: which signs of a runaway it shows.
    pub signs: Vec<SignSet>,
    /// At most three.
    pub questions: Vec<Question>,
}

/// Proposes a limit for clients seen on one route through `window`, in a log of `days` UTC days
/// (0 if that is not known). The order of the clients does not matter.
///
/// Costs one sort and a few passes; questions cost two runs more without the sort.
#[must_use]
pub fn decide(observations: &[Observation], days: u32, window: Window) -> Decision {
    decide_together(observations, &vec![1; observations.len()], days, window)
}

/// The same where each observation is that of `numbers` clients: what is decided is what [`decide`] would
/// of a list that has it so many times. Whatever the decision has per client, it has once an observation.
///
/// # Panics
/// If there are fewer `numbers` than observations.
#[must_use]
pub fn decide_together(
    observations: &[Observation],
    numbers: &[u32],
    days: u32,
    window: Window,
) -> Decision {
    let order = by_peak(observations);
    let context = Context { clients: observations, numbers, order, days, window };
    let labels: Vec<Option<Label>> = observations.iter().map(|client| client.label).collect();
    let norms = Norms::of(observations, numbers, &labels, &context.order);
    let outcome = run(&context, &labels, &norms);
    let questions = questions(&context, &labels, &outcome);
    let Outcome { standing, findings, limit, grade, weaknesses, reason } = outcome;
    let Standing { established, shared, highest, .. } = standing;
    let cut = findings.cut;
    Decision {
        limit,
        grade,
        weaknesses,
        reason,
        clients_above_cut: cut.map_or(0, |cut| cut.above),
        lower: cut.map(|cut| cut.lower),
        upper: cut.map(|cut| cut.upper),
        evidence: cut.map(|cut| cut.evidence),
        weight: cut.map_or(0.0, |cut| cut.weight),
        fewest_signs: cut.and_then(|cut| cut.fewest_signs),
        ceiling: ceiling(highest, window),
        cautious_limit: findings.spared.map(|gap| limit_in_gap(gap.lower, gap.upper, window)),
        established,
        shared,
        signs: norms.signs,
        questions,
    }
}

/// What all runs over one list have in common.
pub(super) struct Context<'a> {
    pub clients: &'a [Observation],
    /// How many clients each stands for.
    pub numbers: &'a [u32],
    /// All of them, highest peak first.
    pub order: Vec<Ranked>,
    pub days: u32,
    pub window: Window,
}

/// One run.
pub(super) struct Outcome<'a> {
    pub standing: Standing<'a>,
    pub findings: Findings,
    pub limit: Option<Limit>,
    grade: Grade,
    weaknesses: Vec<Weakness>,
    reason: Option<Reason>,
}

/// Runs the method with `labels` instead of the clients' own, and the norms that belong to them. Asks
/// no questions.
pub(super) fn run<'a>(
    context: &Context<'_>,
    labels: &[Option<Label>],
    norms: &'a Norms,
) -> Outcome<'a> {
    let standing = Standing::of(context, labels, norms);
    if standing.tail.len() < FEWEST_CLIENTS {
        let reason = if norms.kept < FEWEST_CLIENTS {
            Reason::TooFewClients
        } else {
            Reason::NearlyEverybody
        };
        let (findings, grade) = (Findings::default(), Grade::None);
        let reason = Some(reason);
        let weaknesses = Vec::new();
        return Outcome { standing, findings, limit: None, grade, weaknesses, reason };
    }
    let findings = search(labels, &standing);
    let limit = findings.cut.map(|cut| limit_in_gap(cut.lower, cut.upper, context.window));
    let weaknesses = findings
        .cut
        .map_or_else(Vec::new, |cut| weaknesses(context, labels, &standing, &findings, cut));
    let grade = match (findings.cut, weaknesses.as_slice()) {
        (None, _) => Grade::None,
        (Some(_), []) => Grade::Clear,
        (Some(_), _) => Grade::Weak,
    };
    let reason = findings.cut.is_none().then(|| {
        if findings.in_the_way.is_some() {
            Reason::InTheWay
        } else if findings.two_classes.is_some() {
            Reason::TwoClasses
        } else if findings.rejected.is_empty() {
            Reason::NoGap
        } else {
            Reason::Undecided
        }
    });
    Outcome { standing, findings, limit, grade, weaknesses, reason }
}

/// What keeps an accepted cut from being clear, the weightiest first; nothing if it is.
fn weaknesses(
    context: &Context<'_>,
    labels: &[Option<Label>],
    standing: &Standing<'_>,
    findings: &Findings,
    cut: Gap,
) -> Vec<Weakness> {
    let mut found = Vec::new();
    let compared = standing.tail.len();
    if cut.evidence < CLEAR_EVIDENCE {
        found.push(Weakness::Chance { evidence: cut.evidence, enough: CLEAR_EVIDENCE });
    }
    if cut.ratio() < CLEAR_RATIO {
        found.push(Weakness::Narrow { ratio: cut.ratio(), enough: CLEAR_RATIO });
    }
    if compared < SMALL_LIST {
        found.push(Weakness::FewClients { clients: compared, enough: SMALL_LIST });
    }
    // One client may always be a job of yours that ran once.
    if cut.above < 2 {
        found.push(Weakness::OneAbove);
    }
    if findings.spared.is_some() {
        found.push(Weakness::Spared);
    }
    if findings.two_classes.is_some_and(|classes| classes.above >= cut.above) {
        found.push(Weakness::TwoClasses);
    }
    found.extend(by_behaviour(context, labels, standing, cut));
    found
}

/// Whether those above a cut look like runaways in a log long enough to tell. Without any behaviour
/// the gap alone has to do.
fn by_behaviour(
    context: &Context<'_>,
    labels: &[Option<Label>],
    standing: &Standing<'_>,
    cut: Gap,
) -> Vec<Weakness> {
    let known = |ranked: &Ranked| context.clients[ranked.at()].behaviour.is_some();
    if !standing.tail.iter().any(|(ranked, _)| known(&ranked)) {
        return Vec::new();
    }
    let runaways: usize = standing
        .tail
        .between(0, cut.above)
        .filter(|(ranked, _)| {
            let place = ranked.at();
            standing.norms.signs[place].len() >= RUNAWAY || labels[place] == Some(Label::Bad)
        })
        .map(|(_, number)| number)
        .sum();
    let looks =
        (2 * runaways < cut.above).then_some(Weakness::Looks { runaways, above: cut.above });
    let short = (context.days < FULL_LOG_DAYS).then_some(Weakness::ShortLog { days: context.days });
    looks.into_iter().chain(short).collect()
}
