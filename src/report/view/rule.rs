//! What a rule of a web ACL did, beside what was to be expected of it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::counts::{LimitKey, RuleAction};
use crate::enforcement::{Expected, PeakOf, RuleRecord};
use crate::units::{count, plain, plural, ratio, thousands};

use super::proposal::Peak;

/// One rule of a web ACL, as WAF logs tell of it, and the rules of the policy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "rule")]
pub struct RuleReport {
    /// Its name.
    pub name: String,
    /// How it tells clients apart: `ip`, `forwarded-ip`, `custom-keys`, `constant` or `unknown`; empty if
    /// the logs do not show that it is rate-based.
    pub keys: Vec<&'static str>,
    /// Requests that it acted on, copies left out, by what it did: `count`, `block`, `captcha`,
    /// `challenge`, `allow` or `other`.
    pub requests: BTreeMap<&'static str, u64>,
    /// Arrival of the first request that it acted on, UTC, or null.
    pub first: Option<String>,
    /// Arrival of the last request that it acted on, UTC, or null.
    pub last: Option<String>,
    /// The clients that it acted on, most requests first.
    pub acted_on: Vec<ActedOnReport>,
    /// Whom the rule's limit by policy and lock is about, or null.
    pub expected: Option<ExpectedReport>,
    /// Why that is not known; empty if it is.
    pub not_compared: String,
}

/// One client that a rule acted on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "acted-on")]
pub struct ActedOnReport {
    /// The client in canonical spelling.
    pub client: String,
    /// Requests that the rule acted on, by what it did.
    pub requests: BTreeMap<&'static str, u64>,
    /// Arrival of the first of them, UTC.
    pub first: String,
    /// Arrival of the last of them, UTC.
    pub last: String,
}

/// What a rule's limit would do to the clients of the logs.
#[derive(Clone, Debug, PartialEq, Serialize, Eq, JsonSchema)]
#[schemars(rename = "expected")]
pub struct ExpectedReport {
    /// The route that the rule counts.
    pub route: String,
    /// The rule's limit, in requests per window.
    pub limit: u32,
    /// Its evaluation window in seconds.
    pub window: u32,
    /// Clients whose peak is above the limit.
    pub clients_over: usize,
    /// Of these, the ones that the rule did not act on, highest peak first.
    pub missed: Vec<Peak>,
    /// Clients that it acted on although their peak is not above the limit, highest peak first; 0 for one
    /// that did not call the route.
    pub surprising: Vec<Peak>,
}

/// Clients that a sentence names.
const NAMED: usize = 3;

impl RuleReport {
    pub(super) fn new(record: &RuleRecord) -> Self {
        let period = record.period();
        let acted_on = record.clients.iter().map(|acted| ActedOnReport {
            client: acted.client.to_string(),
            requests: by_action(acted.requests.map(u64::from)),
            first: acted.first.to_string(),
            last: acted.last.to_string(),
        });
        Self {
            name: record.name.clone(),
            keys: record.keys.iter().map(|key| key_name(*key)).collect(),
            requests: by_action(record.requests()),
            first: period.map(|(first, _)| first.to_string()),
            last: period.map(|(_, last)| last.to_string()),
            acted_on: acted_on.collect(),
            expected: record.expected.as_ref().ok().map(ExpectedReport::new),
            not_compared: record
                .expected
                .as_ref()
                .err()
                .map_or_else(String::new, |why| why.in_words()),
        }
    }

    /// `counted 1,204 requests of 12 clients, from 2026-09-08T00:21:52Z to 2026-09-14T23:00:00Z`.
    #[must_use]
    pub fn acted_in_words(&self) -> String {
        let (Some(first), Some(last)) = (&self.first, &self.last) else {
            return "did nothing in these logs".to_owned();
        };
        let done: Vec<String> =
            self.requests.iter().map(|(action, requests)| done(action, *requests)).collect();
        format!(
            "{} of {}, from {first} to {last}",
            done.join(", "),
            count(self.acted_on.len() as u64, "client", "clients")
        )
    }
}

impl ExpectedReport {
    fn new(expected: &Expected) -> Self {
        let peaks = |list: &[PeakOf]| {
            let peak = |one: &PeakOf| Peak { client: one.client.to_string(), peak: one.peak };
            list.iter().map(peak).collect()
        };
        Self {
            route: expected.route.clone(),
            limit: expected.limit.requests(),
            window: expected.window.seconds(),
            clients_over: expected.over,
            missed: peaks(&expected.missed),
            surprising: peaks(&expected.surprising),
        }
    }

    /// `12 clients are over its limit of 300 per 300 s on GET /oauth/token`, and how far that agrees.
    #[must_use]
    pub fn in_words(&self) -> String {
        let over = self.clients_over as u64;
        let met = self.clients_over - self.missed.len();
        let mut text = format!(
            "{} {} over its limit of {} per {} s on {}",
            count(over, "client", "clients"),
            plural(over, "is", "are"),
            thousands(self.limit.into()),
            self.window,
            plain(&self.route),
        );
        if over > 0 {
            text.push_str(&match met as u64 {
                0 => ": it acted on none of them".to_owned(),
                met if met == over && self.surprising.is_empty() => {
                    format!(": it acted on {}", plural(over, "that one alone", "exactly these"))
                }
                met if met == over => {
                    format!(": it acted on {}", plural(over, "it", "all of them"))
                }
                met => format!(": it acted on {} of them", thousands(met)),
            });
        }
        text
    }

    /// Whom it missed, with names; `None` if nobody.
    #[must_use]
    pub fn missed_in_words(&self) -> Option<String> {
        let over = |peak: u32| format!("{} over", ratio(f64::from(peak) / f64::from(self.limit)));
        named(&self.missed, over)
            .map(|names| format!("over the limit in the logs, and it did nothing: {names}"))
    }

    /// Whom it acted on against all expectation, with names; `None` if nobody.
    #[must_use]
    pub fn surprising_in_words(&self) -> Option<String> {
        let under = |peak: u32| match peak {
            0 => "not on the route".to_owned(),
            peak => ratio(f64::from(peak) / f64::from(self.limit)),
        };
        named(&self.surprising, under)
            .map(|names| format!("not over the limit in the logs, and it acted: {names}"))
    }
}

/// `192.0.2.7 (peak 320, 1.07x over), … and 3 more`.
fn named(list: &[Peak], figure: impl Fn(u32) -> String) -> Option<String> {
    let names: Vec<String> = (list.iter().take(NAMED))
        .map(|one| {
            let peak = thousands(one.peak.into());
            format!("{} (peak {peak}, {})", plain(&one.client), figure(one.peak))
        })
        .collect();
    let more = list.len() - names.len();
    let more =
        if more > 0 { format!(" and {} more", thousands(more as u64)) } else { String::new() };
    (!names.is_empty()).then(|| format!("{}{more}", names.join(", ")))
}

fn by_action(requests: [u64; RuleAction::ALL.len()]) -> BTreeMap<&'static str, u64> {
    let each = RuleAction::ALL.into_iter().zip(requests).filter(|(_, requests)| *requests > 0);
    each.map(|(action, requests)| (action.as_str(), requests)).collect()
}

/// `counted 1,204 requests`.
fn done(action: &str, requests: u64) -> String {
    let requests = count(requests, "request", "requests");
    match action {
        "count" => format!("counted {requests}"),
        "block" => format!("blocked {requests}"),
        "captcha" => format!("put a CAPTCHA before {requests}"),
        "challenge" => format!("challenged {requests}"),
        "allow" => format!("let {requests} pass"),
        _ => format!("did something new to {requests}"),
    }
}

const fn key_name(key: LimitKey) -> &'static str {
    match key {
        LimitKey::Ip => "ip",
        LimitKey::ForwardedIp => "forwarded-ip",
        LimitKey::CustomKeys => "custom-keys",
        LimitKey::Constant => "constant",
        LimitKey::Unknown => "unknown",
    }
}

/// `count 3, block 1`, for a table.
#[must_use]
pub(in crate::report) fn requests_in_words(requests: &BTreeMap<&'static str, u64>) -> String {
    let each = requests.iter().map(|(action, number)| format!("{action} {}", thousands(*number)));
    each.collect::<Vec<_>>().join(", ")
}
