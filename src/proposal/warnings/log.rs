//! Whether the log shows the whole week.

use super::{Facts, joined};
use crate::counts::Coverage;
use crate::proposal::standing::FULL_LOG_DAYS;
use crate::units::{count, percent, plural, share, thousands};

/// Lines in half of the hours from which an hour without any is hardly a quiet one.
const BUSY_HOUR: u64 = 100;
/// Share of skipped lines from which a log counts as partial.
const SKIPPED: f64 = 0.05;

/// `coverage`: any hour without a line between the first and the last request, any dropped copy of a
/// request, any skipped line.
pub(super) fn coverage(facts: &Facts<'_>) -> Option<String> {
    let coverage = facts.coverage;
    let mut sentences = Vec::new();
    let missing = coverage.missing_hours();
    if missing > 0 {
        let seen = coverage.hours.len() as u64;
        let usual = lines_in_an_hour(coverage);
        let why = if usual >= BUSY_HOUR {
            "log files are probably missing, and with them the peaks of these hours"
        } else {
            "quiet hours or missing log files"
        };
        sentences.push(format!(
            "{} of {} {} no line, where half of the others have {} or fewer: {why}.",
            thousands(missing),
            count(missing + seen, "hour", "hours"),
            plural(missing, "has", "have"),
            count(usual, "line", "lines"),
        ));
    }
    let copies = facts.profile.traffic.duplicates;
    if copies > 0 {
        sentences.push(format!(
            "{} of requests (same request id) {} dropped.",
            count(copies, "copy", "copies"),
            plural(copies, "was", "were"),
        ));
    }
    let skipped = coverage.skipped_lines();
    if skipped > 0 {
        sentences.push(format!(
            "{} ({}) could not be read and {} skipped.",
            count(skipped, "line", "lines"),
            percent(share(skipped, skipped + coverage.lines)),
            plural(skipped, "was", "were"),
        ));
    }
    joined(sentences)
}

/// Median of the lines of the hours that have any, the lower one of two: a runaway's hour would lift
/// the mean and make a quiet night look like a hole.
fn lines_in_an_hour(coverage: &Coverage) -> u64 {
    let mut lines: Vec<u64> = coverage.hours.values().copied().collect();
    lines.sort_unstable();
    lines.get(lines.len().saturating_sub(1) / 2).copied().unwrap_or_default()
}

/// `short-log`: lines of one to four UTC days.
pub(super) fn short_log(facts: &Facts<'_>) -> Option<String> {
    let days = facts.coverage.days();
    (1..FULL_LOG_DAYS).contains(&days).then(|| {
        let known = facts.profile.everybody().any(|(client, _)| client.known);
        let grade = if known { " Until then no limit is graded clear." } else { "" };
        format!(
            "This log covers {}; habits show in a week.{grade}",
            count(days.into(), "day", "days")
        )
    })
}

/// `partial-log`: a damaged file of which only a part was read, more than 5 % of the lines skipped,
/// masked clients, or clients of the route whose referer, user agent or status was not logged.
pub(super) fn partial_log(facts: &Facts<'_>) -> Option<String> {
    let coverage = facts.coverage;
    let mut sentences = Vec::new();
    if !coverage.partial_files.is_empty() {
        sentences.push(
            "A part of the log is damaged and was not read: peaks may be higher than shown."
                .to_owned(),
        );
    }
    let skipped = share(coverage.skipped_lines(), coverage.skipped_lines() + coverage.lines);
    if skipped > SKIPPED {
        sentences.push(format!(
            "{} of the lines were skipped: peaks may be higher than shown.",
            percent(skipped)
        ));
    }
    if coverage.masked_clients > 0 {
        sentences.push(format!(
            "{} {} masked in the log: one mask may stand for many addresses, which AWS WAF counts one by one.",
            count(coverage.masked_clients, "client", "clients"),
            plural(coverage.masked_clients, "is", "are"),
        ));
    }
    let clients = facts.profile.number_of_clients();
    let unknown = facts.profile.sum(|client| (!client.known).into());
    if unknown > 0 {
        sentences.push(format!(
            "For {} of {} the log lacks referer, user agent or status: habits and signs of runaways are unknown there and only the peaks speak.",
            thousands(unknown),
            count(clients, "client", "clients"),
        ));
    }
    joined(sentences)
}
