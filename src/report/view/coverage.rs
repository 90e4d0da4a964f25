//! What was read, without a trace of how it was split into files.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::report::Analysis;
use crate::units::Timestamp;

/// What was read. Nothing here depends on the names, the number or the order of files.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "coverage")]
pub struct CoverageReport {
    /// Only requests from this instant on were counted (`--from`, UTC); null if the logs decided.
    pub from: Option<String>,
    /// Only requests before this instant were counted (`--to`, UTC); null if the logs decided.
    pub to: Option<String>,
    /// Request lines understood, whatever route they are for.
    pub lines: u64,
    /// Lines skipped, by reason in words.
    pub skipped: BTreeMap<String, u64>,
    /// Copies of requests that were dropped, summed over the routes (one request id counts once).
    pub duplicates: u64,
    /// UTC hours with any request.
    pub hours: u64,
    /// Hours between the first and the last request without any request.
    pub missing_hours: u64,
    /// Distinct UTC days with any request.
    pub days: u32,
    /// Arrival of the earliest request, UTC, as `2026-09-08T00:21:52Z`; null if nothing was read.
    pub first: Option<String>,
    /// Arrival of the latest request, UTC; null if nothing was read.
    pub last: Option<String>,
    /// Distinct clients whose address is masked, so that it is no address.
    pub masked_clients: u64,
    /// `8 to 14 Sep 2026`.
    #[serde(skip)]
    pub period: Option<String>,
    /// `only from 2026-09-08T00:00:00Z to before 2026-09-15T00:00:00Z`.
    #[serde(skip)]
    pub asked: Option<String>,
}

impl CoverageReport {
    pub(super) fn new(analysis: &Analysis) -> Self {
        let coverage = &analysis.coverage;
        let surveyed = analysis.survey.iter().flat_map(|survey| &survey.groups);
        let profiles = (analysis.routes.iter().map(|route| &route.profile)).chain(
            surveyed.filter_map(|group| group.analysis.as_ref().map(|(profile, _)| profile)),
        );
        Self {
            from: coverage.period.from.map(|time| time.to_string()),
            to: coverage.period.to.map(|time| time.to_string()),
            lines: coverage.lines,
            skipped: (coverage.skipped.iter())
                .map(|(reason, skipped)| ((*reason).to_owned(), skipped.lines))
                .collect(),
            duplicates: profiles.map(|profile| profile.traffic.duplicates).sum(),
            hours: coverage.hours.len() as u64,
            missing_hours: coverage.missing_hours(),
            days: coverage.days(),
            first: coverage.first.map(|time| time.to_string()),
            last: coverage.last.map(|time| time.to_string()),
            masked_clients: coverage.masked_clients,
            period: coverage.first.zip(coverage.last).map(|(first, last)| period(first, last)),
            asked: asked(coverage.period.from, coverage.period.to),
        }
    }
}

/// What `--from` and `--to` left; nothing if neither was given.
fn asked(from: Option<Timestamp>, to: Option<Timestamp>) -> Option<String> {
    match (from, to) {
        (None, None) => None,
        (Some(from), None) => Some(format!("only from {from} on")),
        (None, Some(to)) => Some(format!("only before {to}")),
        (Some(from), Some(to)) => Some(format!("only from {from} to before {to}")),
    }
}

/// `8 Sep 2026`, `8 to 14 Sep 2026`, `28 Aug to 3 Sep 2026`, `30 Dec 2026 to 5 Jan 2027`.
fn period(first: Timestamp, last: Timestamp) -> String {
    let ((year, month, day), (last_year, last_month, last_day)) = (first.date(), last.date());
    let end = last.date_in_words();
    let start = first.date_in_words();
    if (year, month, day) == (last_year, last_month, last_day) {
        return end;
    }
    let start = if year != last_year {
        start
    } else if month != last_month {
        start.trim_end_matches(&format!(" {year}")).to_owned()
    } else {
        day.to_string()
    };
    format!("{start} to {end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_says_nothing_twice() {
        let day = |year, month, day| Timestamp::from_date(year, month, day).unwrap();
        for (first, last, words) in [
            (day(2026, 9, 8), day(2026, 9, 8), "8 Sep 2026"),
            (day(2026, 9, 8), day(2026, 9, 14), "8 to 14 Sep 2026"),
            (day(2026, 8, 28), day(2026, 9, 3), "28 Aug to 3 Sep 2026"),
            (day(2026, 12, 30), day(2027, 1, 5), "30 Dec 2026 to 5 Jan 2027"),
        ] {
            assert_eq!(period(first, last), words);
        }
    }
}
