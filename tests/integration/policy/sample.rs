//! A policy and a lock that belong together.

use std::collections::BTreeMap;

use ratewaf::policy::{
    Grade, Inputs, Lock, LockQuestion, LockRoute, LockWarning, NearMisses, Peak, Peaks, Policy,
    Quantiles, lock_networks,
};
use ratewaf::rules::Spelling;
use ratewaf::units::{Limit, Timestamp, Window};

/// Reads a policy that has to be good.
pub fn policy(text: &str) -> Policy {
    Policy::parse(text, "ratewaf.yaml").unwrap_or_else(|problems| panic!("{problems}"))
}

/// The plan's own example.
pub fn example() -> Policy {
    policy(include_str!("../../fixtures/policies/good/full.yaml"))
}

pub fn limit(requests: u64) -> Limit {
    Limit::new(requests).unwrap()
}

fn peak(client: &str, peak: u32) -> Peak {
    Peak { client: Some(client.to_owned()), peak }
}

/// What the logs said about the example's route.
pub fn token() -> LockRoute {
    let peaks = Peaks {
        sliding: Quantiles { p50: 2, p90: 6, p99: 23, max: 7_383 },
        clock: Quantiles { p50: 2, p90: 5, p99: 21, max: 7_310 },
    };
    LockRoute {
        name: "token".to_owned(),
        route: "GET /oauth/token".to_owned(),
        spelling: Spelling::Loose,
        window: Window::FIVE_MINUTES,
        clients: 8_921,
        requests: 112_345,
        distribution: Window::ALL.into_iter().map(|window| (window.seconds(), peaks)).collect(),
        grade: Grade::Clear,
        limit: Some(limit(300)),
        reason: String::new(),
        ceiling: limit(10_000),
        lower: Some(187),
        upper: Some(468),
        headroom: Some(300.0 / 187.0),
        margin: Some(468.0 / 300.0),
        evidence: Some(12.345_678_9),
        range: Some((240, 400)),
        clients_above_cut: 5,
        share_above: 0.361_234_5,
        sentence: "300 requests per 300 s (1 per second): 1.60x above the busiest normal client."
            .to_owned(),
        near_misses: NearMisses {
            below: vec![peak("192.0.2.5", 120), peak("192.0.2.4", 187)],
            above: vec![peak("198.51.100.9", 7_383), peak("2001:db8::9", 468)],
        },
        exempt_peaks: BTreeMap::from([("qa-runner".to_owned(), 113)]),
        twin_floors: BTreeMap::from([("qa-runner".to_owned(), limit(300))]),
        good_peaks: BTreeMap::from([("eu-dashboard-nat".to_owned(), 187)]),
        questions: Vec::new(),
        warnings: vec![LockWarning {
            id: "short-log".to_owned(),
            text: "The logs cover 4 days.".to_owned(),
        }],
        caps: Vec::new(),
    }
}

/// The same without a limit.
pub fn no_limit() -> LockRoute {
    LockRoute {
        grade: Grade::None,
        limit: None,
        reason: "two classes of clients".to_owned(),
        lower: None,
        upper: None,
        headroom: None,
        margin: None,
        range: None,
        questions: vec![LockQuestion { kind: "regular".to_owned(), clients: 3, limit: limit(500) }],
        ..token()
    }
}

pub fn lock(routes: Vec<LockRoute>) -> Lock {
    let inputs = Inputs {
        digest: "00c0ffee".to_owned(),
        from: None,
        to: None,
        lines: 1_234_567,
        first: Some(Timestamp(1_788_220_800)),
        last: Some(Timestamp(1_788_826_912)),
        days: 7,
        hours: 168,
        missing_hours: 1,
        skipped: BTreeMap::from([("too few columns".to_owned(), 3)]),
        networks: Some(lock_networks(&example().networks)),
    };
    Lock::new("tail-gap+behaviour/2", inputs, routes)
}
