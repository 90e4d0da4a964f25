//! Random traffic, and the simplest simulator: each second of each client, each rule in order.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use proptest::prelude::*;
use serde_json::Value;

use crate::harness::{HEADER, Workspace, line};

const LAG: i64 = 30;

/// A rule as the simulator knows it.
struct Rule {
    name: &'static str,
    limit: usize,
    window: i64,
    counts: fn(&Request) -> bool,
    stops: bool,
}

#[derive(Clone, Debug)]
struct Request {
    client: String,
    path: &'static str,
    second: i64,
}

const RUNNER: &str = "192.0.2.3";

fn rules(token: usize, all: usize, action: &str) -> [Rule; 3] {
    [
        Rule {
            name: "acl-token",
            limit: token,
            window: 60,
            counts: |request| request.path == "/token" && request.client != RUNNER,
            stops: action == "block",
        },
        Rule {
            name: "acl-token-runner",
            limit: 2 * token,
            window: 60,
            counts: |request| request.path == "/token" && request.client == RUNNER,
            stops: action == "block",
        },
        Rule {
            name: "acl-site-wide",
            limit: all,
            window: 120,
            counts: |request| request.client != RUNNER,
            stops: true,
        },
    ]
}

fn policy(token: usize, all: usize, action: &str) -> String {
    format!(
        "version: 1
name: acl
web_acl: {{ create: prod }}
networks:
  runner: {{ cidrs: [{RUNNER}/32], kind: tester }}
routes:
  - {{ name: token, methods: [GET], path: {{ exactly: /token }}, limit: {token}, window: 60, action: {action}, twins: [{{ network: runner, limit: {} }}] }}
site_wide: {{ limit: {all}, window: 120 }}
",
        2 * token
    )
}

/// Per rule: requests seen, and per client the ones acted on and the seconds of acting.
type Found = BTreeMap<String, (u64, BTreeMap<String, (u64, u64)>)>;

fn simulate(requests: &[Request], rules: &[Rule]) -> Found {
    let clients: BTreeSet<&str> = requests.iter().map(|request| &*request.client).collect();
    let end = requests.iter().map(|request| request.second).max().unwrap_or_default() + 300;
    let mut found = Found::new();
    for client in clients {
        let mut left: Vec<&Request> =
            requests.iter().filter(|request| request.client == client).collect();
        for rule in rules {
            let seen: Vec<i64> = (left.iter().filter(|request| (rule.counts)(request)))
                .map(|request| request.second)
                .collect();
            let acts = |second: i64| {
                let until = second - second % 10 - LAG;
                let inside = |time: &&i64| (until - rule.window..until).contains(*time);
                seen.iter().filter(inside).count() > rule.limit
            };
            let entry = found.entry(rule.name.to_owned()).or_default();
            entry.0 += seen.len() as u64;
            let seconds = (0..end).filter(|&second| acts(second)).count() as u64;
            let acted_on = seen.iter().filter(|&&second| acts(second)).count() as u64;
            if seconds > 0 {
                entry.1.insert(client.to_owned(), (acted_on, seconds));
            }
            if rule.stops {
                left.retain(|request| !((rule.counts)(request) && acts(request.second)));
            }
        }
    }
    found
}

fn told(json: &str) -> Found {
    let value: Value = serde_json::from_str(json).unwrap();
    let rules = value["rules"].as_array().unwrap().iter().map(|rule| {
        let limited = rule["limited"].as_array().unwrap().iter().map(|one| {
            let number = |key: &str| one[key].as_u64().unwrap();
            (one["client"].as_str().unwrap().to_owned(), (number("acted_on"), number("seconds")))
        });
        let name = rule["name"].as_str().unwrap().to_owned();
        (name, (rule["requests"].as_u64().unwrap(), limited.collect()))
    });
    rules.collect()
}

fn requests() -> impl Strategy<Value = Vec<Request>> {
    let burst = (1u8..6, prop::bool::weighted(0.7), 0i64..900, 1i64..4, 1usize..60);
    prop::collection::vec(burst, 1..25).prop_map(|bursts| {
        let each = bursts.into_iter().flat_map(|(client, is_token, start, step, requests)| {
            (0..requests as i64).map(move |number| Request {
                client: format!("192.0.2.{client}"),
                path: if is_token { "/token" } else { "/other" },
                second: start + number / step,
            })
        });
        each.collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn random_traffic_is_replayed_as_said_naively(
        requests in requests(),
        token in 10usize..60,
        all in 10usize..90,
        action in prop::sample::select(vec!["block", "count"]),
    ) {
        let mut log = HEADER.to_owned();
        for (number, request) in requests.iter().enumerate() {
            let text = line(request.second as u32, &request.client, request.path);
            let (front, back) = text.split_once("\tid-").unwrap();
            let back = back.split_once('\t').unwrap().1;
            let _ = writeln!(log, "{front}\tid-{number}\t{}", back.trim_end_matches('\n'));
        }
        let workspace = Workspace::new();
        workspace.write("week.log", log);
        workspace.write("ratewaf.yaml", policy(token, all, action));
        let arguments = ["replay", "week.log", "--format", "json", "--quiet", "--lag", "30"];
        let outcome = workspace.run(&arguments);
        let expected = simulate(&requests, &rules(token, all, action));
        // The runner's requests on other paths are no rule's, and logs with no others are the wrong ones.
        if expected.values().all(|(seen, _)| *seen == 0) {
            prop_assert_eq!(outcome.status, 2);
            prop_assert!(outcome.stderr.contains("is for any of the rules"), "{}", outcome.stderr);
            return Ok(());
        }
        prop_assert_eq!(outcome.status, 0, "{}", outcome.stderr);
        prop_assert_eq!(told(&outcome.stdout), expected);
    }
}
