//! What was read: the ground every figure stands on.

use std::collections::{BTreeMap, BTreeSet};

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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Request lines understood.
    pub lines: u64,
    /// Lines skipped, by reason in words (`too few columns`, `no client address` …).
    pub skipped: BTreeMap<&'static str, Skipped>,
    /// Files read (not counting the ones in `repeated_files`).
    pub files: u64,
    /// Bytes of these files as stored.
    pub bytes: u64,
    /// Each log format seen, in words, with the number of files that had it.
    pub formats: BTreeMap<String, u64>,
    /// UTC hours (seconds / 3600) with any request.
    pub hours: BTreeSet<i64>,
    /// Arrival of the earliest request.
    pub first: Option<Timestamp>,
    /// Arrival of the latest request.
    pub last: Option<Timestamp>,
    /// A fingerprint of the requests read, independent of their order. Not cryptographic.
    pub digest: u128,
    /// Files whose content is that of another file, by name, with that other's name.
    pub repeated_files: Vec<(String, String)>,
    /// Damaged files of which only a part was read (`--keep-going`), with what was wrong.
    pub partial_files: Vec<(String, String)>,
    /// Clients that are no address (masked): how many distinct ones.
    pub masked_clients: u64,
}

impl Coverage {
    /// Distinct UTC days with any request; 0 means unknown.
    #[must_use]
    pub fn days(&self) -> u32 {
        let days: BTreeSet<i64> = self.hours.iter().map(|hour| hour.div_euclid(24)).collect();
        u32::try_from(days.len()).unwrap_or(u32::MAX)
    }

    /// Hours between the first and the last request that have none of any kind.
    #[must_use]
    pub fn missing_hours(&self) -> u64 {
        match (self.hours.first(), self.hours.last()) {
            (Some(first), Some(last)) => (last - first + 1) as u64 - self.hours.len() as u64,
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
    /// Requests to the same path with other methods, by method (made harmless, at most 20 of them).
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
