//! The scorecard: makes weeks, decides, judges.

mod people;
mod random;
mod runaways;
mod trace;
mod week;
mod weeks;

use std::fmt::Write as _;

use ratewaf::profile::Label;
use ratewaf::proposal::{Decision, Grade, Observation, decide};
use ratewaf::units::Window;

use random::Random;
use week::{Truth, Week};
use weeks::Kind;
pub use weeks::kinds;

/// A limit is right if it keeps this distance to both sides: AWS WAF counts approximately.
const DISTANCE: f64 = 1.1;

/// How the method did on the weeks of one kind.
#[derive(Default)]
pub struct Score {
    pub name: &'static str,
    /// Whether only people, not logs, know who has to pass.
    pub untold: bool,
    pub weeks: u32,
    /// A limit with room to both sides, or none where there is no such limit.
    pub right: u32,
    /// A limit that blocks nobody who has to pass, but is not right: unwanted clients stay below it,
    /// or it is needless.
    pub harmless: u32,
    /// None although a right limit exists.
    pub withheld: u32,
    /// Of those, weeks in which the limit of a question is right.
    pub asked: u32,
    /// A client that has to pass is above the limit.
    pub false_blocks: u32,
    pub clear: u32,
    pub weak: u32,
    pub none: u32,
    /// False blocks that were called clear.
    pub clear_false_blocks: u32,
}

/// So many weeks of each of some kinds, made from one seed.
pub fn run(kinds: impl IntoIterator<Item = Kind>, seed: u64, weeks: u32) -> Vec<Score> {
    kinds
        .into_iter()
        .map(|kind| {
            let mut score = Score { name: kind.name, untold: kind.untold, ..Score::default() };
            for number in 0..weeks {
                let mut week = Week::new(Random::new(seed, kind.name, number.into()));
                (kind.make)(&mut week);
                score.judge(&week);
            }
            score
        })
        .collect()
}

impl Score {
    fn judge(&mut self, week: &Week) {
        let observations: Vec<Observation> =
            week.clients.iter().map(|(client, _)| *client).collect();
        let decision = decide(&observations, week.days, Window::FIVE_MINUTES);
        self.weeks += 1;
        match decision.grade {
            Grade::Clear => self.clear += 1,
            Grade::Weak => self.weak += 1,
            Grade::None => self.none += 1,
        }
        let acceptable = acceptable(week);
        let is_right = |limit: u32| {
            acceptable.is_some_and(|(low, high)| (low..=high).contains(&f64::from(limit)))
        };
        match decision.limit.map(|limit| limit.requests()) {
            Some(limit) if f64::from(limit) < week.busiest() => {
                self.false_blocks += 1;
                self.clear_false_blocks += u32::from(decision.grade == Grade::Clear);
            }
            Some(limit) if is_right(limit) => self.right += 1,
            Some(_) => self.harmless += 1,
            None if acceptable.is_none() => self.right += 1,
            None => {
                self.withheld += 1;
                self.asked += u32::from(asks(&decision, is_right));
            }
        }
    }

    fn add(&mut self, other: &Self) {
        self.weeks += other.weeks;
        self.right += other.right;
        self.harmless += other.harmless;
        self.withheld += other.withheld;
        self.asked += other.asked;
        self.false_blocks += other.false_blocks;
        self.clear += other.clear;
        self.weak += other.weak;
        self.none += other.none;
        self.clear_false_blocks += other.clear_false_blocks;
    }
}

/// Smallest and largest right limit; `None` if there is nobody to stop or no room.
fn acceptable(week: &Week) -> Option<(f64, f64)> {
    let unwanted = week
        .clients
        .iter()
        .filter(|(client, truth)| *truth == Truth::Unwanted && client.label != Some(Label::Exempt));
    let weakest = unwanted.map(|(client, _)| client.peak).min()?;
    let (low, high) = (week.busiest() * DISTANCE, f64::from(weakest) / DISTANCE);
    (low <= high).then_some((low, high))
}

fn asks(decision: &Decision, is_right: impl Fn(u32) -> bool) -> bool {
    decision.questions.iter().any(|question| is_right(question.limit.requests()))
}

/// All kinds that a log can tell, or all of the others.
pub fn total(scores: &[Score], untold: bool) -> Score {
    let name = if untold { "what no log tells, together" } else { "what a log can tell, together" };
    let mut total = Score { name, untold, ..Score::default() };
    for score in scores.iter().filter(|score| score.untold == untold) {
        total.add(score);
    }
    total
}

/// The card as a Markdown table.
pub fn table(scores: &[Score]) -> String {
    let mut out = format!(
        "| {:<47} | weeks | right | harmless | withheld (asked) | false blocks (clear) | clear, weak, none |\n|{:-<49}|------:|------:|---------:|-----------------:|---------------------:|------------------:|\n",
        "kind of week", ""
    );
    for score in scores.iter().chain([&total(scores, false), &total(scores, true)]) {
        let withheld = pair(score.withheld, score.asked);
        let blocks = pair(score.false_blocks, score.clear_false_blocks);
        let grades = format!("{}, {}, {}", score.clear, score.weak, score.none);
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "| {:<47} | {:>5} | {:>5} | {:>8} | {withheld:>16} | {blocks:>20} | {grades:>17} |",
            score.name, score.weeks, score.right, score.harmless,
        );
    }
    out
}

/// `3 (2)`, or `0` if there are none.
fn pair(all: u32, of_these: u32) -> String {
    if all == 0 { "0".to_owned() } else { format!("{all} ({of_these})") }
}
