//! Findings that people have looked at and do not want to see: by a comment, or in a file of their own. Each has
//! a reason and a last day.

mod comment;
mod file;

use super::check::{About, Confidence, Severity};
use super::finding::{Finding, Place};
use super::locate::{Locator, Source, Spot};
use super::model::{Change, Item, Tool};
use crate::units::Timestamp;

pub use file::{FILE, read as read_file};

/// What suppressions themselves are found wrong with: faulty, expired, or of no use.
pub const ABOUT: About = About {
    id: "suppression",
    title: "A suppression that suppresses nothing",
    severity: Severity::Warning,
    confidence: Confidence::High,
    page: include_str!("../../docs/checks/suppression.md"),
};

/// Something not to be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suppression {
    /// Ids of checks.
    pub checks: Vec<String>,
    /// Why.
    pub reason: String,
    /// The last day on which it holds.
    pub until: Timestamp,
    /// Where it is written.
    pub spot: Spot,
    scope: Scope,
}

/// What a suppression is about.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Scope {
    /// Lines of a source, first and last.
    Lines(usize, usize),
    /// Resources by address, and rules by name; `*` stands for any text.
    Named { address: Option<String>, rule: Option<String> },
}

/// A finding with its place in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// The finding.
    pub finding: Finding,
    /// Where it stands, if a source has it.
    pub spot: Option<Spot>,
    /// The same for the other places that belong to it.
    pub related: Vec<Option<Spot>>,
}

/// What is told and what is not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sorted {
    /// What is told.
    pub told: Vec<Located>,
    /// What is not, each with its reason.
    pub suppressed: Vec<(Located, Suppression)>,
}

/// Ids of checks.
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    /// All that there are.
    pub all: &'a [&'a str],
    /// Those that ran: of the others nobody knows whether a suppression is of use.
    pub run: &'a [&'a str],
}

/// Sorts findings. Suppressions that are faulty, expired or unused become findings of their own.
#[must_use]
pub fn sort(
    findings: Vec<Finding>,
    locator: &Locator<'_>,
    sources: &[Source],
    in_file: &[Suppression],
    known: &Known<'_>,
    today: Timestamp,
) -> Sorted {
    let (mut suppressions, mut own) = (in_file.to_vec(), Vec::new());
    for (place, source) in sources.iter().enumerate() {
        let (found, faults) = comment::read(place, source, locator, known.all);
        suppressions.extend(found);
        own.extend(faults.into_iter().map(|(spot, fault)| finding(spot, fault, None)));
    }
    for one in in_file {
        for check in one.checks.iter().filter(|check| !known.all.contains(&check.as_str())) {
            let message = format!("no check is called `{check}`");
            own.push(finding(
                one.spot.clone(),
                message,
                Some("`ratewaf explain-check` lists them"),
            ));
        }
    }
    let mut used = vec![false; suppressions.len()];
    let mut sorted = Sorted::default();
    for finding in findings {
        let spot = locator.spot(&finding.place).cloned();
        let related =
            finding.related.iter().map(|(place, _)| locator.spot(place).cloned()).collect();
        let located = Located { finding, spot, related };
        let by = suppressions.iter().position(|one| one.is_about(&located));
        match by {
            Some(by) => {
                used[by] = true;
                if suppressions[by].until.day() >= today.day() {
                    sorted.suppressed.push((located, suppressions[by].clone()));
                } else {
                    sorted.told.push(located);
                }
            }
            None => sorted.told.push(located),
        }
    }
    for (one, used) in suppressions.iter().zip(used) {
        let names = one.checks.join(", ");
        if one.until.day() < today.day() {
            let message =
                format!("the suppression of {names} has expired on {}", one.until.date_text());
            own.push(finding(
                one.spot.clone(),
                message,
                Some("mend what it hid, or give it a new last day"),
            ));
        } else if !used && known.have_run(&one.checks) {
            let message = format!("the suppression of {names} is not needed");
            own.push(finding(
                one.spot.clone(),
                message,
                Some("remove it: it would hide the next such finding"),
            ));
        }
    }
    sorted.told.append(&mut own);
    sorted
}

impl Known<'_> {
    /// Whether at least one of these is a check, and all that are ran.
    fn have_run(&self, checks: &[String]) -> bool {
        let mut real = checks.iter().filter(|id| self.all.contains(&id.as_str())).peekable();
        real.peek().is_some() && real.all(|id| self.run.contains(&id.as_str()))
    }
}

impl Suppression {
    fn is_about(&self, located: &Located) -> bool {
        let Located { finding, spot, .. } = located;
        self.checks.iter().any(|check| check == finding.check)
            && match &self.scope {
                Scope::Lines(first, last) => spot.as_ref().is_some_and(|spot| {
                    spot.source == self.spot.source && (*first..=*last).contains(&spot.line)
                }),
                Scope::Named { address, rule } => {
                    let fits = |pattern: &Option<String>, text: Option<&str>| match pattern {
                        None => true,
                        Some(pattern) => text.is_some_and(|text| is_like(pattern, text)),
                    };
                    fits(address, Some(&finding.place.item.address))
                        && fits(rule, finding.place.rule.as_deref())
                }
            }
    }
}

fn finding(spot: Spot, message: String, help: Option<&str>) -> Located {
    let item = Item {
        input: spot.file.clone(),
        environment: None,
        file: Some(spot.file.clone()),
        address: format!("{}:{}", spot.file, spot.line),
        tool: Tool::Terraform,
        change: Change::NotTold,
        region: None,
    };
    let finding = Finding {
        check: ABOUT.id,
        severity: ABOUT.severity,
        confidence: ABOUT.confidence,
        place: Place::of(&item),
        message,
        help: help.map(str::to_owned),
        related: Vec::new(),
    };
    Located { finding, spot: Some(spot), related: Vec::new() }
}

/// `2027-01-01`.
fn date(text: &str) -> Option<Timestamp> {
    let mut parts = text.split('-').map(|part| part.parse::<u32>().ok());
    let mut next = || parts.next().flatten();
    let (year, month, day) = (next()?, next()?, next()?);
    (text.len() == 10).then(|| Timestamp::from_date(year.into(), month, day)).flatten()
}

/// Whether a text is like a pattern, in which `*` stands for any text.
fn is_like(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(rest) = text.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let middle: Vec<&str> = parts.collect();
    let Some((end, middle)) = middle.split_last() else { return rest.is_empty() };
    let mut rest = rest;
    for part in middle {
        let Some(place) = rest.find(part) else { return false };
        rest = &rest[place + part.len()..];
    }
    rest.ends_with(end)
}

#[cfg(test)]
mod tests;
