//! The labelled weeks of `tests/fixtures/scenarios`: what was counted must be what is true.

use std::path::PathBuf;

use ratewaf::counts::{Counts, Selection, Settings, run};
use ratewaf::logs::{Options, discover};
use ratewaf::profile::{ClientProfile, Labels, RouteProfile, build};
use ratewaf::proposal::{Grade, RouteProposal, propose_route};
use ratewaf::rules::{Network, NetworkKind, Route, canonical_cidr};
use ratewaf::units::Window;
use serde_json::Value;

pub const NAMES: [&str; 11] = [
    "article-second-route",
    "article-week",
    "corporate-nat",
    "edge-of-window",
    "gaps-among-abusers",
    "heavy-tail",
    "ipv6-slash64",
    "login-small-scale",
    "path-variants",
    "qa-runner-giant",
    "twelve-clients",
];

pub fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/scenarios").join(name)
}

pub fn truth(name: &str) -> Value {
    let text = std::fs::read_to_string(folder(name).join("truth.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

pub fn route(truth: &Value) -> Route {
    let text = format!(
        "{} {}",
        truth["route"]["method"].as_str().unwrap(),
        truth["route"]["path"].as_str().unwrap()
    );
    text.parse().unwrap()
}

fn count(paths: &[String], selection: &Selection, dedupe: bool, threads: usize) -> Counts {
    let found = discover(paths, !dedupe).unwrap();
    let logs = Options { needs: selection.needs(), ..Options::default() };
    run(&found.inputs, selection, &Settings { logs, dedupe, threads }, &|_| {}).unwrap()
}

/// The labels of the truth, as networks.
fn labels(truth: &Value) -> Labels {
    let kinds = [
        ("exempt", NetworkKind::Tester),
        ("good", NetworkKind::KnownGood),
        ("bad", NetworkKind::KnownBad),
    ];
    let networks = kinds.into_iter().flat_map(|(key, kind)| {
        truth["labels"][key].as_array().unwrap().iter().map(move |cidr| Network {
            name: cidr.to_string(),
            cidrs: vec![canonical_cidr(cidr.as_str().unwrap()).unwrap()],
            kind,
            until: None,
        })
    });
    Labels::new(networks.collect())
}

fn profile(name: &str, truth: &Value, labels: &Labels) -> (RouteProfile, RouteProposal) {
    let route = route(truth);
    let selection = Selection::routes(std::slice::from_ref(&route), &[]).unwrap();
    let mut counts = count(&[folder(name).display().to_string()], &selection, true, 2);
    assert_eq!(counts.coverage.lines, truth["lines"].as_u64().unwrap(), "{name}");
    assert_eq!(counts.coverage.skipped_lines(), 0, "{name}");
    let window = Window::FIVE_MINUTES;
    let profile = build(&route, window, counts.routes.remove(0), &counts.clients, labels);
    let proposal = propose_route(&profile, &counts.coverage);
    (profile, proposal)
}

fn assert_row(name: &str, row: &Value, profile: &ClientProfile) {
    let number = |key: &str| row[key].as_u64().unwrap();
    let five = Window::FIVE_MINUTES.index();
    let who = row["ip"].as_str().unwrap();
    assert_eq!(profile.client.to_string(), who, "{name}");
    assert_eq!(u64::from(profile.requests), number("requests"), "{name} {who}");
    assert_eq!(u64::from(profile.clock[0]), number("aligned_60"), "{name} {who}");
    assert_eq!(u64::from(profile.clock[five]), number("aligned_300"), "{name} {who}");
    assert_eq!(u64::from(profile.sliding[five]), number("sliding_300_10s"), "{name} {who}");
    assert_eq!(u64::from(profile.agents), number("agents").min(64), "{name} {who}");
    let share = row["share_4xx"].as_f64().unwrap();
    assert!((profile.share_4xx() - share).abs() < 6e-5, "{name} {who}: {share}");
}

#[test]
fn peaks_sums_and_clients_are_those_of_the_truth() {
    for name in NAMES {
        let truth = truth(name);
        let (profile, _) = profile(name, &truth, &Labels::default());
        assert_eq!(profile.clients.len() as u64, truth["clients"].as_u64().unwrap(), "{name}");
        assert_eq!(profile.requests, truth["requests"].as_u64().unwrap(), "{name}");
        let sum = |column: fn(&ClientProfile) -> u32| {
            profile.clients.iter().map(|client| u64::from(column(client))).sum::<u64>()
        };
        let sums = &truth["sum_of_peaks"];
        assert_eq!(sum(|client| client.clock[0]), sums["aligned_60"], "{name}");
        assert_eq!(sum(|client| client.clock[2]), sums["aligned_300"], "{name}");
        assert_eq!(sum(|client| client.sliding[2]), sums["sliding_300_10s"], "{name}");
        for (row, client) in truth["top"].as_array().unwrap().iter().zip(&profile.clients) {
            assert_row(name, row, client);
        }
    }
}

#[test]
fn verdicts_are_right_with_and_without_labels() {
    for name in NAMES {
        let truth = truth(name);
        for labels in [Labels::default(), labels(&truth)] {
            let (_, found) = profile(name, &truth, &labels);
            let proposal = found.proposal;
            eprintln!(
                "{name} {:?} {:?} {:?} {:?}",
                proposal.grade,
                proposal.limit,
                proposal.evidence,
                found.warnings.iter().map(|w| w.id).collect::<Vec<_>>()
            );
            match truth["verdict"].as_str().unwrap() {
                "gap" => {
                    let limit = u64::from(proposal.limit.unwrap().requests());
                    let within = |key: &str| truth["acceptable"][key].as_u64().unwrap();
                    assert!(within("lo") <= limit && limit <= within("hi"), "{name}: {limit}");
                }
                _ => assert_eq!(proposal.grade, Grade::None, "{name}"),
            }
        }
    }
}
