//! The search for a gap in the tail, from the top down.

use super::signs::RUNAWAY;
use super::standing::{Ranked, Standing};
use crate::profile::Label;

/// Evidence from which a gap is accepted: about one false proposal in 50 lists.
pub(super) const ENOUGH_EVIDENCE: f64 = 4.5;
/// Smallest ratio of a gap's edges: the service counts approximately and the next week differs.
const SMALLEST_RATIO: f64 = 1.8;
/// Neighbours closer than this are not looked at.
const STEP: f64 = 1.2;
/// Evidence that a label brings: somebody said so.
pub(super) const LABEL_WEIGHT: f64 = 10.0;
/// Evidence that flagged clients of unknown behaviour bring.
const HINT_WEIGHT: f64 = 3.0;
/// Evidence of one sign more, and of one less, than [`RUNAWAY`].
const SIGN_WEIGHT: f64 = 1.5;
/// Flagged clients in the rest up to this share leave the signs of the group meaningful.
const RARE: f64 = 0.05;
/// More clients than this (or [`GROUP_SHARE`] per cent of the tail) are a class of clients.
const GROUP: usize = 15;
const GROUP_SHARE: usize = 3;
/// Shorter tails need a gap of [`SMALL_LIST_RATIO`] and are believed at once if they have it.
pub(super) const SMALL_LIST: usize = 30;
pub(super) const SMALL_LIST_RATIO: f64 = 10.0;
/// A gap whose upper edge is not above the smallest limit cannot become a rule.
const FLOOR: u32 = crate::quotas::MINIMUM_LIMIT;

/// A gap between the `above` largest of the tail and the rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Gap {
    /// Clients of the tail above it (k).
    pub above: usize,
    /// Its lower edge: the largest peak below it that counts.
    pub lower: u32,
    /// Its upper edge: the smallest peak of the tail above it.
    pub upper: u32,
    /// E: natural logarithm of the odds against chance, the weight included.
    pub evidence: f64,
    /// w: the part of E that labels and looks add or take.
    pub weight: f64,
    /// Fewest signs of the known, not bad clients between this gap and the accepted one above it.
    pub fewest_signs: Option<u32>,
}

impl Gap {
    /// Upper edge by lower edge.
    pub(super) fn ratio(&self) -> f64 {
        f64::from(self.upper) / f64::from(self.lower)
    }
}

/// Everything the search came across.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// The accepted cut.
    pub cut: Option<Gap>,
    /// The cut before it, if those between the two do not look like runaways.
    pub spared: Option<Gap>,
    /// The first gap that somebody who has to pass fills or overtops.
    pub in_the_way: Option<Gap>,
    /// The first gap with so many clients above it that they are a class.
    pub two_classes: Option<Gap>,
    /// Gaps without enough evidence.
    pub rejected: Vec<Gap>,
}

/// The clients between the accepted cut and the place looked at, counted as the search goes down.
#[derive(Default)]
struct Group {
    size: usize,
    flagged: usize,
    bad: usize,
    fewest_signs: Option<u8>,
}

impl Group {
    fn add(&mut self, number: usize, flagged: bool, bad: bool, counted_signs: Option<u8>) {
        self.size += number;
        self.flagged += if flagged { number } else { 0 };
        self.bad += if bad { number } else { 0 };
        self.fewest_signs = match (self.fewest_signs, counted_signs) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
    }
}

/// Looks at every place of the upper half of the tail, from the top down. Between clients that are alike
/// there is no gap, so it does not matter how many of them stand together. One pass; neighbours more
/// than [`STEP`] apart, the only costly places, are few: peaks are 32-bit, so at most 122.
pub(super) fn search(labels: &[Option<Label>], standing: &Standing<'_>) -> Findings {
    let tail = &standing.tail;
    let n = tail.len();
    let is_bad = |ranked: Ranked| labels[ranked.at()] == Some(Label::Bad);
    let is_flagged = |ranked: Ranked| standing.flagged[ranked.at()];
    let count = |is: &dyn Fn(Ranked) -> bool| -> usize {
        tail.iter().filter(|(ranked, _)| is(*ranked)).map(|(_, number)| number).sum()
    };
    let class = GROUP.max(n * GROUP_SHARE / 100);
    let mut rest_flagged = count(&is_flagged);
    let mut rest_bad = count(&is_bad);
    let mut passing = standing.passing.iter().copied().peekable();

    let mut findings = Findings::default();
    let mut group = Group::default();
    let mut k = 0;
    for ((ranked, number), (below, _)) in tail.iter().zip(tail.iter().skip(1)) {
        k += number;
        if k > n / 2 {
            break;
        }
        let (flagged, bad) = (is_flagged(ranked), is_bad(ranked));
        rest_flagged -= if flagged { number } else { 0 };
        rest_bad -= if bad { number } else { 0 };
        group.add(number, flagged, bad, standing.counted_signs[ranked.at()]);

        // Whole numbers are intervals: 2 next to 3 is no gap.
        let (upper, next) = (ranked.peak, below.peak);
        let (above, below) = (f64::from(upper) - 0.5, f64::from(next) + 0.5);
        if above <= STEP * below {
            continue;
        }
        let size = tail_size(n).min(n - k - 1);
        if size < 2 {
            break;
        }
        let fewest_signs = group.fewest_signs.map(u32::from);
        let told = group.bad > 0 && rest_bad == 0;
        let rare = rest_flagged as f64 <= RARE * (n - k) as f64;
        let hint = told || (rare && 2 * group.flagged >= group.size);
        let mut weight = weight(fewest_signs, told, rare, hint);
        let mut evidence = by_chance(&tail.peaks(k, size + 1), above / below, group.size) + weight;
        if n < SMALL_LIST && above / below >= SMALL_LIST_RATIO && evidence < ENOUGH_EVIDENCE {
            // The width of the gap decided, whatever spoke for it besides.
            (evidence, weight) = (ENOUGH_EVIDENCE, weight.min(0.0));
        }

        while passing.next_if(|&peak| peak >= upper).is_some() {}
        let lower = passing.peek().map_or(next, |&peak| peak.max(next));
        let gap = Gap { above: k, lower, upper, evidence, weight, fewest_signs };
        let blocked = standing.must_pass >= upper;
        let wide = gap.ratio() >= SMALLEST_RATIO && !blocked;
        if !wide || evidence < ENOUGH_EVIDENCE {
            let apart = f64::from(upper) / f64::from(next) >= SMALLEST_RATIO;
            if evidence >= ENOUGH_EVIDENCE && apart {
                findings.in_the_way.get_or_insert(Gap { lower: next, ..gap });
            } else if wide {
                findings.rejected.push(gap);
            }
        } else if k > class && !hint {
            findings.two_classes.get_or_insert(gap);
        } else if upper > FLOOR {
            findings.spared = findings.cut.filter(|_| !hint);
            findings.cut = Some(gap);
            group = Group::default();
        }
    }
    findings
}

/// How many clients below a gap its evidence is measured on: more is safer and blinder.
fn tail_size(n: usize) -> usize {
    ((2.0 * (n as f64).sqrt() + 0.5).floor() as usize).clamp(10, 200)
}

/// The evidence of the peaks alone. If the upper end of the ordinary clients is a power law fitted to
/// `tail` (the last value closes it), this is how unlikely it is that `group` of them all lie a
/// factor `apart` higher than the highest, with the uncertainty of the exponent integrated out, less
/// a price for the number of places tried.
fn by_chance(tail: &[u32], apart: f64, group: usize) -> f64 {
    let size = tail.len() - 1;
    let m = size as f64;
    let closing = (f64::from(tail[size]) - 0.5).max(0.5);
    let spacings: f64 = tail[..size].iter().map(|&peak| (f64::from(peak) / closing).ln()).sum();
    // The exponent m/S within 0.5 and 5: ties fake an infinitely light tail.
    let spacings = spacings.clamp(m / 5.0, m / 0.5);
    let group = group as f64;
    m * (group * apart.ln() / spacings).ln_1p() - 2.0 * group.ln()
}

/// What labels and signs add to the evidence of the peaks.
fn weight(fewest_signs: Option<u32>, told: bool, rare: bool, hint: bool) -> f64 {
    if told {
        return LABEL_WEIGHT;
    }
    match fewest_signs {
        Some(signs) => {
            let weight = SIGN_WEIGHT * (f64::from(signs.min(4)) - f64::from(RUNAWAY));
            if rare { weight } else { weight.min(0.0) }
        }
        None if hint => HINT_WEIGHT,
        None => 0.0,
    }
}
