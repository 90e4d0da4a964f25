//! Faults, at the calls that they are meant for.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{Client, replacing, rule, settings, shop};
use crate::fake_aws::{Fault, On};

fn count() -> serde_json::Value {
    rule("acl-token", 10, 100, &json!({ "Count": {} }))
}

#[test]
fn before_nothing_has_happened_and_after_everything_has() {
    for (fault, rules) in
        [(Fault::Before, 0), (Fault::After, 1), (Fault::TimeOut, 0), (Fault::SilentAfter, 1)]
    {
        let (aws, mut client) = shop(&[]);
        let update = replacing(&mut client, settings(&[count()]));
        aws.fail(On::Next("UpdateWebACL"), fault);
        assert_eq!(client.waf("UpdateWebACL", &update).status, 0, "{fault:?}");
        assert_eq!(aws.rules("shop").len(), rules, "{fault:?}");
        let is_silent = matches!(fault, Fault::TimeOut | Fault::SilentAfter);
        assert_eq!(aws.wait_for_silence(Duration::from_millis(1)), is_silent);
    }
}

#[test]
fn refusals_do_nothing_and_pass() {
    for (fault, code) in [
        (Fault::Throttle, "ThrottlingException"),
        (Fault::InternalError, "WAFInternalErrorException"),
        (Fault::Unavailable, "WAFUnavailableEntityException"),
        (Fault::AccessDenied, "AccessDeniedException"),
        (Fault::StaleToken, "WAFOptimisticLockException"),
    ] {
        let (aws, mut client) = shop(&[]);
        let update = replacing(&mut client, settings(&[count()]));
        aws.forget();
        aws.fail(On::Call(0), fault);
        assert_eq!(client.waf("UpdateWebACL", &update).code(), code);
        assert!(aws.rules("shop").is_empty());
        let update = replacing(&mut client, settings(&[count()]));
        client.waf("UpdateWebACL", &update).ok();
    }
}

#[test]
fn a_lasting_fault_meets_retries_until_it_is_healed() {
    let (aws, mut client) = shop(&[]);
    aws.forget();
    aws.fail(On::CallAndRetries(1), Fault::InternalError);
    let list = json!({ "Scope": "CLOUDFRONT" });
    client.waf("ListIPSets", &list).ok();
    for _ in 0..3 {
        assert_eq!(client.waf("ListWebACLs", &list).status, 500);
        client.waf("ListIPSets", &list).ok();
    }
    aws.heal();
    client.waf("ListWebACLs", &list).ok();
}

#[test]
fn writes_can_be_paced_and_answers_late() {
    let (aws, mut client) = shop(&[]);
    aws.throttle_writes_within(Duration::from_millis(80));
    let update = replacing(&mut client, settings(&[]));
    client.waf("UpdateWebACL", &update).ok();
    let update = replacing(&mut client, settings(&[]));
    assert_eq!(client.waf("UpdateWebACL", &update).code(), "ThrottlingException");
    std::thread::sleep(Duration::from_millis(100));
    client.waf("UpdateWebACL", &update).ok();
    aws.fail(On::Every("ListWebACLs"), Fault::Delay(Duration::from_millis(60)));
    let before = Instant::now();
    client.waf("ListWebACLs", &json!({ "Scope": "CLOUDFRONT" })).ok();
    assert!(before.elapsed() >= Duration::from_millis(60));
}

#[test]
fn of_two_writers_with_one_token_one_wins() {
    let (aws, mut client) = shop(&[]);
    let update = replacing(&mut client, settings(&[count()]));
    let url = aws.url();
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| Client::new(&url).waf("UpdateWebACL", &update).status))
            .collect();
        writers.into_iter().map(|it| it.join().unwrap()).collect()
    });
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
}
