//! What a reader must know before trusting a limit: one file a family of warnings, each warning by a
//! rule of its own. No text depends on how the lines were split into files.

mod clients;
mod keys;
mod log;

use super::result::{Proposal, Warning};
use crate::counts::Coverage;
use crate::profile::RouteProfile;

/// Clients that a warning names; the rest is counted.
const NAMED: usize = 3;

/// What the rules look at.
struct Facts<'a> {
    profile: &'a RouteProfile,
    coverage: &'a Coverage,
    proposal: &'a Proposal,
    slash64: Option<&'a Proposal>,
}

/// All warnings of a route, in the order of the list in [`Warning::id`], one an id at most.
pub(super) fn warnings(
    profile: &RouteProfile,
    coverage: &Coverage,
    proposal: &Proposal,
    slash64: Option<&Proposal>,
) -> Vec<Warning> {
    let facts = Facts { profile, coverage, proposal, slash64 };
    let rules: [(&'static str, Option<String>); 10] = [
        ("coverage", log::coverage(&facts)),
        ("short-log", log::short_log(&facts)),
        ("edge-bursts", clients::edge_bursts(&facts)),
        ("slash64", keys::slash64(&facts)),
        ("forwarded", keys::forwarded(&facts)),
        ("spellings", keys::spellings(&facts)),
        ("together", clients::together(&facts)),
        ("all-day", clients::all_day(&facts)),
        ("existing-limit", clients::existing_limit(&facts)),
        ("partial-log", log::partial_log(&facts)),
    ];
    rules.into_iter().filter_map(|(id, text)| Some(Warning { id, text: text? })).collect()
}

/// Several findings of one rule as one text; `None` if there are none.
fn joined(sentences: Vec<String>) -> Option<String> {
    (!sentences.is_empty()).then(|| sentences.join(" "))
}
