//! What was read: the ground every figure stands on.

use std::collections::{BTreeMap, BTreeSet};

use super::methods::{OTHER_METHOD, counted_method};
use super::told_twice::ToldTwice;
use crate::logs::{Completeness, Period};
use crate::rules::Variant;
use crate::units::Timestamp;

/// How many lines were skipped for one reason, and one of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Skipped {
    /// Lines.
    pub lines: u64,
    /// File and line number of one of them: the first by file name, then by line.
    pub example: Option<(String, u64)>,
}

/// All that was read, whatever route it was for. `lines`, `skipped` counts, `hours`, `first`, `last`
/// and `digest` do not depend on file order, line order or how lines are split into files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Coverage {
    /// The period that was asked for, by the time the log gives.
    pub period: Period,
    /// Request lines understood, those outside the period left out.
    pub lines: u64,
    /// Request lines outside the period. How many there are depends on which files were read.
    pub outside: u64,
    /// Lines skipped, by reason in words (`too few columns`, `no client address` …).
    pub skipped: BTreeMap<&'static str, Skipped>,
    /// Files read (not counting the ones in `repeated_files`).
    pub files: u64,
    /// Bytes of these files as stored.
    pub bytes: u64,
    /// Each log format seen, in words, with the number of files that had it.
    pub formats: BTreeMap<String, u64>,
    /// UTC hours (seconds / 3600) with any request, by the time the log gives, with their lines.
    pub hours: BTreeMap<i64, u64>,
    /// The earliest time the log gives.
    pub first: Option<Timestamp>,
    /// The latest time the log gives.
    pub last: Option<Timestamp>,
    /// A fingerprint of the requests read, independent of their order. Not cryptographic.
    pub digest: u128,
    /// Files whose content is that of another file, by name, with that other's name.
    pub repeated_files: Vec<(String, String)>,
    /// Damaged files of which only a part was read (`--keep-going`), with what was wrong.
    pub partial_files: Vec<(String, String)>,
    /// Files of which more than 5 % of the lines were skipped, with the lines skipped and all lines.
    pub doubtful_files: Vec<(String, u64, u64)>,
    /// Clients that are no address (masked): how many distinct ones.
    pub masked_clients: u64,
    /// Which sources tell of the same requests.
    pub told_twice: Vec<ToldTwice>,
    /// Whether the log holds every request and names every client.
    pub completeness: Completeness,
}

impl Coverage {
    /// Distinct UTC days with any request; 0 means unknown.
    #[must_use]
    pub fn days(&self) -> u32 {
        u32::try_from(self.utc_days().len()).unwrap_or(u32::MAX)
    }

    /// The UTC days with any request, by their number since 1970.
    #[must_use]
    pub fn utc_days(&self) -> BTreeSet<i64> {
        self.hours.keys().map(|hour| hour.div_euclid(24)).collect()
    }

    /// Hours between the first and the last request that have none of any kind.
    #[must_use]
    pub fn missing_hours(&self) -> u64 {
        match (self.hours.first_key_value(), self.hours.last_key_value()) {
            (Some((first, _)), Some((last, _))) => {
                (last - first + 1) as u64 - self.hours.len() as u64
            }
            _ => 0,
        }
    }

    /// Lines skipped for any reason.
    #[must_use]
    pub fn skipped_lines(&self) -> u64 {
        self.skipped.values().map(|skipped| skipped.lines).sum()
    }
}

/// The traffic around one route: what the statement covers and what goes past it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RouteTraffic {
    /// Requests that the statement matches, duplicates included.
    pub matched: u64,
    /// Of these, spelled exactly as in the pattern.
    pub plain: u64,
    /// Of these, by what their spelling differs in; one request may stand in several.
    pub other_case: u64,
    /// See `other_case`.
    pub other_trailing_slash: u64,
    /// See `other_case`.
    pub other_escapes: u64,
    /// See `other_case`.
    pub other_slashes: u64,
    /// Requests with a spelling of the path that the statement does not match (`spelling: strict`).
    pub missed_spellings: u64,
    /// Requests to the same path with other methods, by method (the ten most frequent; `(other)` for the rest).
    pub other_methods: BTreeMap<String, u64>,
    /// Requests for the same path and method on other hosts, if the route names a host.
    pub other_hosts: u64,
    /// Copies of requests that were dropped (same request id).
    pub duplicates: u64,
    /// Requests answered with 429: some limit is already there.
    pub limited: u64,
    /// Requests whose `x-forwarded-for` names another address than the client's.
    pub forwarded: u64,
    /// Requests that a `never_limited` path took out.
    pub exempted: u64,
}

impl RouteTraffic {
    /// Notes how a matched request was spelled.
    pub(super) fn note_spelling(&mut self, variant: Variant) {
        self.matched += 1;
        self.plain += u64::from(variant.is_plain());
        self.other_case += u64::from(variant.case);
        self.other_trailing_slash += u64::from(variant.trailing_slash);
        self.other_escapes += u64::from(variant.escapes);
        self.other_slashes += u64::from(variant.slashes);
    }

    /// Notes a request by another method.
    pub(super) fn note_method(&mut self, method: &[u8]) {
        let name = counted_method(method);
        match self.other_methods.get_mut(name) {
            Some(count) => *count += 1,
            None => {
                self.other_methods.insert(name.to_owned(), 1);
            }
        }
    }

    /// Adds what another worker saw.
    pub(super) fn add(&mut self, other: &Self) {
        self.matched += other.matched;
        self.plain += other.plain;
        self.other_case += other.other_case;
        self.other_trailing_slash += other.other_trailing_slash;
        self.other_escapes += other.other_escapes;
        self.other_slashes += other.other_slashes;
        self.missed_spellings += other.missed_spellings;
        for (method, count) in &other.other_methods {
            *self.other_methods.entry(method.clone()).or_insert(0) += count;
        }
        self.other_hosts += other.other_hosts;
        self.duplicates += other.duplicates;
        self.limited += other.limited;
        self.forwarded += other.forwarded;
        self.exempted += other.exempted;
    }

    /// Keeps the most frequent other methods apart and adds up the rest.
    pub fn settle_methods(&mut self) {
        let mut methods: Vec<(String, u64)> =
            std::mem::take(&mut self.other_methods).into_iter().collect();
        methods.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        for (place, (method, count)) in methods.into_iter().enumerate() {
            let name = if place < LISTED_METHODS { method } else { OTHER_METHOD.to_owned() };
            *self.other_methods.entry(name).or_insert(0) += count;
        }
    }
}

const LISTED_METHODS: usize = 9;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invented_methods_are_counted_as_one_whatever_their_order() {
        let mut traffic = RouteTraffic::default();
        for number in 0..20_000_u32 {
            let letters =
                number.to_string().bytes().map(|digit| digit - b'0' + b'A').collect::<Vec<_>>();
            traffic.note_method(&[b"X", letters.as_slice()].concat());
        }
        for _ in 0..2 {
            traffic.note_method(b"OPTIONS");
        }
        let expected = BTreeMap::from([("(other)".to_owned(), 20_000), ("OPTIONS".to_owned(), 2)]);
        assert_eq!(traffic.other_methods, expected);
        traffic.settle_methods();
        assert_eq!(traffic.other_methods, expected);
    }
}
