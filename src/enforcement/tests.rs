//! Rules against clients, small enough to be seen through.

use std::net::Ipv4Addr;
use std::sync::Arc;

use super::{Expecting, NotExpected, PeakOf, RuleRecord, compare};
use crate::counts::{ClientHits, LimitKey, RouteTraffic, RuleHits};
use crate::profile::{ClientProfile, Habit, Label, Labelled, RouteProfile};
use crate::rules::{
    Action, AggregationKey, RateRule, Response, Role, RuleSet, Scope, Surroundings, WebAclTarget,
};
use crate::units::{Client, Limit, Timestamp, Window};

fn address(number: u8) -> Client {
    Client::from_address(Ipv4Addr::new(192, 0, 2, number).into())
}

fn client(number: u8, peak: u32, label: Option<Label>) -> ClientProfile {
    ClientProfile {
        client: address(number),
        label: label.map(|label| Labelled { label, network: "qa".to_owned() }),
        requests: peak,
        lines: peak,
        sliding: [peak; 4],
        clock: [peak; 4],
        plain_sliding: [peak; 4],
        busiest: [Timestamp(0); 4],
        habits: [Habit::default(); 4],
        hours: 1,
        agents: 1,
        top_agent: 0,
        errors: 0,
        limited: 0,
        referers: 0,
        browsers: 0,
        forwarded: 0,
        known: true,
        first: Timestamp(0),
        last: Timestamp(0),
    }
}

fn profile(clients: Vec<ClientProfile>) -> RouteProfile {
    RouteProfile {
        route: "GET /token".parse().unwrap(),
        window: Window::FIVE_MINUTES,
        requests: 0,
        clients,
        crowd: Vec::new(),
        slash64: Vec::new(),
        slash64_crowd: Vec::new(),
        by_hour: Default::default(),
        traffic: RouteTraffic::default(),
        agents: Arc::default(),
    }
}

fn rule(name: &str, role: Role, limit: u64) -> RateRule {
    let except_networks = if role == Role::Main { vec!["qa".to_owned()] } else { Vec::new() };
    RateRule {
        name: name.to_owned(),
        priority: 10,
        role,
        route: "GET /token".parse().unwrap(),
        limit: Limit::new(limit).unwrap(),
        window: Window::FIVE_MINUTES,
        key: AggregationKey::Ip,
        action: Action::Count,
        except_networks,
        evidence: Vec::new(),
    }
}

fn rule_set(rules: Vec<RateRule>) -> RuleSet {
    RuleSet {
        name: "acl".to_owned(),
        scope: Scope::CloudFront,
        web_acl: WebAclTarget::Create("prod".to_owned()),
        rules,
        networks: Vec::new(),
        exemptions: Vec::new(),
        response: Response::plain_block(),
        alarms: None,
        around: Surroundings::default(),
        flat_rate_plan: None,
        notes: Vec::new(),
        reminders: Vec::new(),
    }
}

/// Hits of a rule on clients of a table, by the last number of their addresses, with so many requests.
fn hits(name: &str, key: LimitKey, on: &[(u8, u32)]) -> RuleHits {
    let clients = on.iter().map(|&(number, requests)| ClientHits {
        client: address(number),
        requests: [requests, 0, 0, 0, 0, 0],
        first: Timestamp(i64::from(number)),
        last: Timestamp(100 + i64::from(number)),
    });
    RuleHits { name: name.to_owned(), keys: [key].into(), clients: clients.collect() }
}

fn numbers(list: &[PeakOf]) -> Vec<(String, u32)> {
    list.iter().map(|one| (one.client.to_string(), one.peak)).collect()
}

#[test]
fn whom_a_rule_missed_and_whom_it_should_not_have_met() {
    let found = hits("acl-token", LimitKey::Ip, &[(1, 5), (3, 90), (9, 1)]);
    let profiles = [profile(vec![
        client(1, 900, None),
        client(2, 301, None),
        client(3, 300, None),
        client(4, 5_000, Some(Label::Exempt)),
        client(5, 20, None),
    ])];
    let rules = rule_set(vec![
        rule("acl-token", Role::Main, 300),
        rule("acl-token-qa", Role::Twin { network: "qa".to_owned() }, 3_000),
    ]);
    let expecting = Expecting { rules: Ok(&rules), profiles: &profiles, selected: &[] };
    let records = compare(vec![found], &expecting);
    let main = &records[0];
    assert_eq!(main.period(), Some((Timestamp(1), Timestamp(109))));
    assert_eq!(main.requests()[0], 96);
    assert_eq!(main.clients[0].client, address(3));
    let expected = main.expected.as_ref().unwrap();
    assert_eq!(
        (expected.over, expected.limit.requests(), &*expected.route),
        (2, 300, "GET /token")
    );
    assert_eq!(numbers(&expected.missed), [("192.0.2.2".to_owned(), 301)]);
    let surprising = numbers(&expected.surprising);
    assert_eq!(surprising, [("192.0.2.3".to_owned(), 300), ("192.0.2.9".to_owned(), 0)]);
    // The twin is not in the logs at all, and the tester is over its limit.
    let twin = records[1].expected.as_ref().unwrap();
    assert!(records[1].clients.is_empty());
    assert_eq!(numbers(&twin.missed), [("192.0.2.4".to_owned(), 5_000)]);
}

fn reason(record: &RuleRecord) -> NotExpected {
    record.expected.clone().unwrap_err()
}

#[test]
fn what_cannot_be_compared_says_why() {
    let found = vec![
        hits("forwarded", LimitKey::ForwardedIp, &[(1, 1)]),
        hits("known", LimitKey::Ip, &[(1, 1)]),
        hits("other", LimitKey::Ip, &[(1, 1)]),
    ];
    let rules = rule_set(vec![rule("forwarded", Role::Main, 10), rule("known", Role::Main, 10)]);
    let with = |rules, selected: &[String]| {
        compare(found.clone(), &Expecting { rules, profiles: &[], selected })
    };
    let reasons: Vec<_> = with(Ok(&rules), &[]).iter().map(reason).collect();
    assert_eq!(
        reasons,
        [NotExpected::OtherKey, NotExpected::RouteNotRead, NotExpected::UnknownRule]
    );
    let none = with(Err("there is no policy".to_owned()), &["other".to_owned(), "typo".to_owned()]);
    let names: Vec<_> = none.iter().map(|record| (&*record.name, record.clients.len())).collect();
    assert_eq!(names, [("other", 1), ("typo", 0)]);
    assert_eq!(reason(&none[0]).in_words(), "there is no policy");
}

#[test]
fn without_addresses_a_client_has_the_name_of_its_profile() {
    let found = hits("acl-token", LimitKey::Ip, &[(1, 5), (9, 1)]);
    let mut profiles = [profile(vec![client(2, 900, None), client(1, 20, None)])];
    let rules = rule_set(vec![rule("acl-token", Role::Main, 300)]);
    let expecting = Expecting { rules: Ok(&rules), profiles: &profiles, selected: &[] };
    let mut record = compare(vec![found], &expecting).remove(0);
    let before: Vec<Client> = profiles[0].clients.iter().map(|one| one.client.clone()).collect();
    crate::profile::anonymise(&mut profiles[0]);
    record.anonymise(Some((&before, &profiles[0])));
    let named: Vec<_> = record.clients.iter().map(|acted| acted.client.to_string()).collect();
    assert_eq!(named, ["client-0002", "other-0001"]);
    let expected = record.expected.unwrap();
    assert_eq!(numbers(&expected.missed), [("client-0001".to_owned(), 900)]);
    assert_eq!(expected.surprising[1].client.to_string(), "other-0001");
}
