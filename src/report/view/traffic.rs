//! What the statement covers of the requests for a path, and what goes past it.

use schemars::JsonSchema;
use serde::Serialize;

use super::number::share;
use crate::counts::RouteTraffic;
use crate::units::{count, percent};

/// A number of requests with its share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "share")]
pub struct Share {
    /// Requests.
    pub requests: u64,
    /// Their share (0 to 1, four decimals) of `seen`.
    pub share: f64,
}

/// Requests with another method.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "method")]
pub struct MethodShare {
    /// The method as logged.
    pub method: String,
    /// Requests.
    pub requests: u64,
    /// Their share (0 to 1, four decimals) of `seen`.
    pub share: f64,
}

/// Spellings of the path that differ from the route's; one request may stand in several.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "spellings")]
pub struct Spellings {
    /// Other case; covered by the statement.
    pub case: Share,
    /// A slash more or less at the end; covered by the statement.
    pub trailing_slash: Share,
    /// Percent-encoded characters; covered by the statement.
    pub escapes: Share,
    /// Double slashes or dot segments; covered by the statement.
    pub slashes: Share,
    /// Any spelling that the statement does not cover (`spelling: strict`): not limited.
    pub missed: Share,
}

/// The requests for the route's path: what the statement covers and what it misses. What it misses is
/// not limited.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "traffic")]
pub struct TrafficReport {
    /// Requests for the path in any spelling, with any method, on any host; the whole of every
    /// share. Copies are included.
    pub seen: u64,
    /// Requests that the statement matches.
    pub matched: Share,
    /// Of these, spelled exactly as the route.
    pub plain: Share,
    /// Other spellings of the path.
    pub spellings: Spellings,
    /// Requests for the path with methods that are not the route's, most frequent first: not
    /// limited.
    pub other_methods: Vec<MethodShare>,
    /// Requests for the path and method on other hosts, if the route names a host: not limited.
    pub other_hosts: Share,
    /// Copies of requests that were dropped.
    pub duplicates: u64,
    /// Requests answered with 429: some limit is already there.
    pub limited: u64,
    /// Requests whose `x-forwarded-for` names another address than the client's.
    pub forwarded: u64,
    /// Requests that a path under `never_limited` took out.
    pub exempted: u64,
}

impl TrafficReport {
    pub(super) fn new(traffic: &RouteTraffic) -> Self {
        let seen = traffic.matched
            + traffic.missed_spellings
            + traffic.other_hosts
            + traffic.other_methods.values().sum::<u64>();
        let part = |requests| Share { requests, share: share(requests, seen) };
        let mut other_methods: Vec<_> = (traffic.other_methods.iter())
            .map(|(method, &requests)| MethodShare {
                method: method.clone(),
                requests,
                share: share(requests, seen),
            })
            .collect();
        other_methods
            .sort_by(|a, b| b.requests.cmp(&a.requests).then_with(|| a.method.cmp(&b.method)));
        Self {
            seen,
            matched: part(traffic.matched),
            plain: part(traffic.plain),
            spellings: Spellings {
                case: part(traffic.other_case),
                trailing_slash: part(traffic.other_trailing_slash),
                escapes: part(traffic.other_escapes),
                slashes: part(traffic.other_slashes),
                missed: part(traffic.missed_spellings),
            },
            other_methods,
            other_hosts: part(traffic.other_hosts),
            duplicates: traffic.duplicates,
            limited: traffic.limited,
            forwarded: traffic.forwarded,
            exempted: traffic.exempted,
        }
    }

    /// What the statement covers and what it misses, in words. Methods stand in it as logged.
    #[must_use]
    pub fn in_words(&self) -> String {
        let spellings = &self.spellings;
        let mut text = match (self.matched.requests, self.seen) {
            (_, 0) => "nothing seen: no request for this path in what was read".to_owned(),
            (matched, seen) if matched == seen => "covers every request for this path".to_owned(),
            _ => format!(
                "covers {} of {} for this path",
                percent(self.matched.share),
                count(self.seen, "request", "requests")
            ),
        };
        let listed = |parts: &[(&str, f64)]| -> String {
            let parts: Vec<_> = (parts.iter().filter(|(_, share)| *share > 0.0))
                .map(|(name, share)| format!("{name} {}", percent(*share)))
                .collect();
            parts.join(", ")
        };
        let covered = listed(&[
            ("other case", spellings.case.share),
            ("slash at the end", spellings.trailing_slash.share),
            ("percent-encoded", spellings.escapes.share),
            ("double slashes", spellings.slashes.share),
        ]);
        if !covered.is_empty() {
            text.push_str("; among them ");
            text.push_str(&covered);
        }
        let mut missed = vec![("other spellings", spellings.missed.share)];
        missed.extend(
            self.other_methods.iter().map(|other| (other.method.as_str(), other.share)).take(5),
        );
        missed.push(("other hosts", self.other_hosts.share));
        let missed = listed(&missed);
        if !missed.is_empty() {
            text.push_str("; not limited: ");
            text.push_str(&missed);
        }
        if self.exempted > 0 {
            let exempted = count(self.exempted, "request", "requests");
            text.push_str(&format!("; {exempted} never limited"));
        }
        text
    }
}
