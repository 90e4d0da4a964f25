//! A client through a rule against the same said naively: second by second.

use proptest::prelude::*;

use super::one_client;
use super::rule::Rule;
use crate::limiters::Algorithm;
use crate::rules::{Action, AggregationKey, RateRule, Role};
use crate::units::{Client, Limit, Window};

/// 2026-09-08T00:00:00Z.
const START: u32 = 1_788_825_600;

fn rule(limit: u64, window: Window) -> Rule {
    let rule = RateRule {
        name: "acl-token".to_owned(),
        priority: 10,
        role: Role::Main,
        route: "GET /token".parse().unwrap(),
        limit: Limit::new(limit).unwrap(),
        window,
        key: AggregationKey::Ip,
        action: Action::Block,
        except_networks: Vec::new(),
        evidence: Vec::new(),
    };
    Rule::new(&rule, &[], std::slice::from_ref(&rule.route)).unwrap()
}

/// Seconds in which the rule acts: each check asks how many requests its window holds.
fn acting(times: &[u32], limit: u64, window: u32, lag: u32) -> Vec<bool> {
    let end = times.last().map_or(0, |last| last - START) + window + lag + 40;
    let acts = |second: u32| {
        let until = i64::from(START + second - second % 10) - i64::from(lag);
        let inside = |&&time: &&u32| (until - i64::from(window)..until).contains(&i64::from(time));
        times.iter().filter(inside).count() as u64 > limit
    };
    (0..end).map(acts).collect()
}

proptest! {
    #[test]
    fn a_client_through_waf_is_as_said_naively(
        gaps in prop::collection::vec(prop_oneof![8 => 0u32..3, 2 => 0u32..40, 1 => 0u32..1_500], 1..300),
        limit in 10u64..60,
        window in prop::sample::select(Window::ALL.to_vec()),
        lag in prop::sample::select(vec![0u32, 10, 30, 120]),
    ) {
        let mut now = START;
        let times: Vec<u32> = gaps.iter().map(|gap| { now += gap; now }).collect();
        let acting = acting(&times, limit, window.seconds(), lag);
        let acted = one_client::run(&rule(limit, window), &times, Algorithm::Waf, lag);
        let on: Vec<bool> = times.iter().map(|time| acting[(time - START) as usize]).collect();
        prop_assert_eq!(&acted.on, &on);
        let told = acted.told(&Client::from_text("x"), 0);
        let seconds = acting.iter().filter(|acts| **acts).count() as u64;
        prop_assert_eq!(told.as_ref().map_or(0, |told| told.seconds), seconds);
        let Some(told) = told else { return Ok(()) };
        let first = acting.iter().position(|acts| *acts).unwrap() as i64;
        let last = acting.iter().rposition(|acts| *acts).unwrap() as i64;
        prop_assert_eq!(told.first.0, i64::from(START) + first);
        prop_assert_eq!(told.last.0, i64::from(START) + last + 1);
        let begins = acting.iter().enumerate();
        let begins = begins.filter(|&(at, acts)| *acts && (at == 0 || !acting[at - 1])).count();
        prop_assert_eq!(told.times, begins as u64);
        prop_assert!(told.before >= limit, "over the limit before it was known");
        prop_assert!(told.before + told.acted_on <= told.requests);
    }

    /// No other limiter refuses who stays below the limit, and each lets through at most what it says.
    #[test]
    fn others_keep_their_word(
        gaps in prop::collection::vec(prop_oneof![6 => 0u32..2, 1 => 0u32..90], 1..300),
        limit in 10u64..60,
    ) {
        let mut now = START;
        let times: Vec<u32> = gaps.iter().map(|gap| { now += gap; now }).collect();
        let passed_in = |on: &[bool], from: u32, to: u32| {
            let each = times.iter().zip(on);
            each.filter(|&(&time, on)| !on && (from..to).contains(&time)).count() as u64
        };
        for (algorithm, most) in [
            (Algorithm::FixedWindow, 2 * limit),
            (Algorithm::SlidingLog, limit),
            (Algorithm::SlidingWindow, 2 * limit - 1),
            (Algorithm::TokenBucket, 2 * limit),
        ] {
            let rule = rule(limit, Window::ONE_MINUTE);
            let acted = one_client::run(&rule, &times, algorithm, 0);
            for &time in &times {
                prop_assert!(passed_in(&acted.on, time, time + 60) <= most, "{algorithm:?}");
            }
            if times.len() as u64 <= limit {
                prop_assert!(acted.spells.is_empty(), "{algorithm:?}");
            }
        }
    }
}
