//! `ratewaf.lock.json`: what the logs said about each route, so that `emit` needs no logs. The program's to write, and committed beside the policy.
//!
//! Same inputs, same bytes: members stand in a fixed order, routes by name, fractions with four decimals,
//! and nothing in it depends on how log lines are spread over files. Addresses are personal data and
//! stay out unless asked for.
//!
//! Members that this version does not know are ignored when reading, so that a lock with more of them can
//! be read by an older program; a lock of a newer *version* is refused. A checksum over all of it tells
//! whether somebody else wrote into it.

mod checksum;
mod error;
mod format;
mod network;
mod route;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use error::LockError;
pub use network::{LockNetwork, lock_networks};
pub use route::{
    Grade, LockCap, LockQuestion, LockRoute, LockWarning, NearMisses, Peak, Peaks, Quantiles,
};

use crate::rules::{PathPattern, Route};
use crate::units::{Timestamp, plain};

/// The version of the format.
pub const LOCK_VERSION: u64 = 1;

/// What the logs said.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lock {
    /// [`LOCK_VERSION`].
    version: u64,
    /// The method that made the proposals, such as `tail-gap+behaviour/2`.
    pub method: String,
    /// What was read.
    pub inputs: Inputs,
    /// By name.
    pub routes: Vec<LockRoute>,
}

/// What was read, whatever route it was for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inputs {
    /// A fingerprint of the requests, in hexadecimal; it does not depend on their order. Not
    /// cryptographic.
    pub digest: String,
    /// Only requests from here on were counted; absent if the logs decided.
    #[serde(default, with = "format::timestamp", skip_serializing_if = "Option::is_none")]
    pub from: Option<Timestamp>,
    /// Only requests before it were counted; absent if the logs decided.
    #[serde(default, with = "format::timestamp", skip_serializing_if = "Option::is_none")]
    pub to: Option<Timestamp>,
    /// Request lines understood.
    pub lines: u64,
    /// Arrival of the earliest request.
    #[serde(with = "format::timestamp")]
    pub first: Option<Timestamp>,
    /// Arrival of the latest request.
    #[serde(with = "format::timestamp")]
    pub last: Option<Timestamp>,
    /// Distinct UTC days with any request.
    pub days: u32,
    /// UTC hours with any request.
    pub hours: u64,
    /// Hours between the first and the last request that have none.
    pub missing_hours: u64,
    /// Lines that were not understood, by reason.
    pub skipped: BTreeMap<String, u64>,
    /// The networks that clients were labelled by, by name; absent in locks of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub networks: Option<BTreeMap<String, LockNetwork>>,
}

impl Lock {
    /// A lock of this version, its lists in the order of the file.
    #[must_use]
    pub fn new(method: impl Into<String>, inputs: Inputs, routes: Vec<LockRoute>) -> Self {
        let mut lock = Self { version: LOCK_VERSION, method: method.into(), inputs, routes };
        lock.sort();
        lock
    }

    /// What the logs said about a route of the policy.
    #[must_use]
    pub fn route(&self, name: &str) -> Option<&LockRoute> {
        self.routes.iter().find(|route| route.name == name)
    }

    /// Reads a lock. `file_name` is for messages only.
    ///
    /// # Errors
    /// When the text is no lock of this version, with line and column.
    pub fn parse(text: &str, file_name: &str) -> Result<Self, LockError> {
        #[derive(Deserialize)]
        struct Head {
            version: u64,
        }
        if let Some(line) = checksum::merge_mark(text) {
            return Err(LockError::Unmerged { file: file_name.to_owned(), line });
        }
        // The version first: a newer one may look different everywhere else.
        let head: Head =
            serde_json::from_str(text).map_err(|error| LockError::json(&error, file_name))?;
        if head.version != LOCK_VERSION {
            return Err(LockError::Version { file: file_name.to_owned(), found: head.version });
        }
        let lock: Self =
            serde_json::from_str(text).map_err(|error| LockError::json(&error, file_name))?;
        let meaning = |what| LockError::Meaning { file: file_name.to_owned(), what };
        lock.check().map_err(meaning)?;
        match checksum::compare(text) {
            checksum::Seal::Fits => Ok(lock),
            checksum::Seal::Absent => {
                // Written by a version before there was one: what can be compared is compared.
                lock.routes.iter().try_for_each(LockRoute::check_sentence).map_err(meaning)?;
                Ok(lock)
            }
            checksum::Seal::Broken => Err(LockError::Changed { file: file_name.to_owned() }),
        }
    }

    /// The bytes of the file. Without `keep_addresses` the clients of the near misses are left out.
    #[must_use]
    pub fn to_json(&self, keep_addresses: bool) -> String {
        let mut lock = self.clone();
        if !keep_addresses {
            lock.routes.iter_mut().for_each(|route| route.near_misses.forget_clients());
        }
        lock.sort();
        format::to_text(&lock)
    }

    fn sort(&mut self) {
        self.routes.sort_by(|a, b| a.name.cmp(&b.name));
        self.routes.iter_mut().for_each(|route| route.near_misses.sort());
    }

    fn check(&self) -> Result<(), String> {
        if self.inputs.first > self.inputs.last {
            return Err("its logs end before they begin".to_owned());
        }
        for (place, route) in self.routes.iter().enumerate() {
            if self.routes[..place].iter().any(|other| other.name == route.name) {
                return Err(format!("two routes have the name `{}`", route.name));
            }
            route.check()?;
            if route.limit.is_some() == (route.grade == Grade::None) {
                return Err(format!(
                    "the route `{}` has the grade `{}` and {} limit",
                    route.name,
                    route.grade.as_str(),
                    if route.limit.is_some() { "a" } else { "no" }
                ));
            }
        }
        Ok(())
    }
}

/// A route as it stands in a lock, to tell whether the policy still means the same.
#[must_use]
pub fn route_text(route: &Route) -> String {
    let written = route.to_string();
    let text = plain(&written).into_owned();
    // A path with a star of its own, say, would mean other requests if it were read again.
    let is_other = written.parse::<Route>().is_ok_and(|read| read.path != route.path);
    let kind = match &route.path {
        _ if !is_other => return text,
        PathPattern::Exactly(_) => "exactly",
        PathPattern::StartsWith(_) => "starts_with",
        PathPattern::EndsWith(_) => "ends_with",
        PathPattern::Contains(_) => "contains",
        PathPattern::Regex(_) => "regex",
    };
    format!("{text} ({kind})")
}

#[cfg(test)]
mod tests {
    use super::route_text;
    use crate::rules::{PathPattern, Route};

    #[test]
    fn a_lock_for_a_beginning_is_none_for_a_path_with_a_star() {
        let mut route: Route = "GET /api/v1/token*".parse().unwrap();
        assert_eq!(route.path, PathPattern::StartsWith("/api/v1/token".to_owned()));
        assert_eq!(route_text(&route), "GET /api/v1/token*");
        route.path = PathPattern::Exactly("/api/v1/token*".to_owned());
        assert_eq!(route_text(&route), "GET /api/v1/token* (exactly)");
        for text in
            ["/login", "GET,HEAD /api/*", "*a*", "*.php", "POST ~^/v[0-9]+/login$", "a.example/x"]
        {
            let route: Route = text.parse().unwrap();
            assert_eq!(route_text(&route), route.to_string());
        }
    }
}
