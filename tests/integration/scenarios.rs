//! The labelled weeks of `tests/fixtures/scenarios`, through the program: what was counted must be what is
//! true, with and without labels, and the verdict must be right.

use serde_json::Value;

use crate::harness::{Workspace, scenario};

/// Each week with the warnings that it has to bring, without labels.
const WEEKS: [(&str, &[&str]); 11] = [
    ("article-second-route", &["coverage"]),
    ("article-week", &["all-day"]),
    ("corporate-nat", &["short-log", "edge-bursts"]),
    ("edge-of-window", &["short-log", "edge-bursts"]),
    ("gaps-among-abusers", &["short-log"]),
    ("heavy-tail", &["short-log"]),
    ("ipv6-slash64", &["short-log", "slash64"]),
    ("login-small-scale", &["coverage", "short-log", "existing-limit"]),
    ("path-variants", &["short-log", "spellings"]),
    ("qa-runner-giant", &["short-log", "all-day"]),
    ("twelve-clients", &["coverage"]),
];

fn truth(name: &str) -> Value {
    let text = std::fs::read_to_string(format!("{}/truth.json", scenario(name))).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The `--exempt`, `--good` and `--bad` of the truth.
fn labels(truth: &Value) -> Vec<String> {
    let mut arguments = Vec::new();
    for kind in ["exempt", "good", "bad"] {
        for cidr in truth["labels"][kind].as_array().unwrap() {
            arguments.push(format!("--{kind}"));
            arguments.push(cidr.as_str().unwrap().to_owned());
        }
    }
    arguments
}

/// The JSON of a week: all of it, and its route.
fn analyze(name: &str, truth: &Value, labels: &[String]) -> Value {
    let route = format!(
        "{} {}",
        truth["route"]["method"].as_str().unwrap(),
        truth["route"]["path"].as_str().unwrap()
    );
    let folder = scenario(name);
    let mut arguments = vec!["analyze", folder.as_str(), "--route", &route, "--format", "json"];
    arguments.extend(["--no-write", "--quiet"]);
    arguments.extend(labels.iter().map(String::as_str));
    serde_json::from_str(&Workspace::new().ok(&arguments).stdout).unwrap()
}

fn assert_counts(name: &str, truth: &Value, found: &Value) {
    let route = &found["routes"][0];
    assert_eq!(found["version"], 1);
    assert_eq!(found["coverage"]["lines"], truth["lines"], "{name}");
    assert_eq!(route["clients"], truth["clients"], "{name}");
    assert_eq!(route["requests"], truth["requests"], "{name}");
    let sums = &truth["sum_of_peaks"];
    assert_eq!(route["sum_of_peaks"]["clock_60"], sums["aligned_60"], "{name}");
    assert_eq!(route["sum_of_peaks"]["clock_300"], sums["aligned_300"], "{name}");
    assert_eq!(route["sum_of_peaks"]["sliding_300"], sums["sliding_300_10s"], "{name}");
    let (top, wanted) = (route["top"].as_array().unwrap(), truth["top"].as_array().unwrap());
    assert_eq!(top.len(), wanted.len().min(20), "{name}");
    for (row, wanted) in top.iter().zip(wanted) {
        for (own, theirs) in [
            ("client", "ip"),
            ("requests", "requests"),
            ("clock_60", "aligned_60"),
            ("clock_300", "aligned_300"),
            ("sliding_300", "sliding_300_10s"),
            ("agents", "agents"),
            ("share_4xx", "share_4xx"),
        ] {
            assert_eq!(row[own], wanted[theirs], "{name}: {own} of {}", wanted["ip"]);
        }
    }
}

fn assert_verdict(name: &str, truth: &Value, found: &Value) {
    let proposal = &found["routes"][0]["proposal"];
    match truth["verdict"].as_str().unwrap() {
        "gap" => {
            let limit = proposal["limit"].as_u64().unwrap_or_else(|| panic!("{name}: {proposal}"));
            let bound = |key: &str| truth["acceptable"][key].as_u64().unwrap();
            assert!((bound("lo")..=bound("hi")).contains(&limit), "{name}: {limit}");
        }
        verdict => {
            assert_eq!(verdict, "none");
            assert_eq!(proposal["grade"], "none", "{name}");
            assert_eq!(proposal["limit"], Value::Null, "{name}");
            let ceiling = proposal["ceiling"].as_u64().unwrap();
            assert!(ceiling >= truth["ceiling_lo"].as_u64().unwrap(), "{name}: {ceiling}");
        }
    }
}

fn warnings(found: &Value) -> Vec<&str> {
    let warnings = found["routes"][0]["warnings"].as_array().unwrap();
    warnings.iter().map(|warning| warning["id"].as_str().unwrap()).collect()
}

#[test]
fn counts_verdicts_and_warnings_are_right() {
    for (name, expected) in WEEKS {
        let truth = truth(name);
        let found = analyze(name, &truth, &[]);
        assert_counts(name, &truth, &found);
        assert_verdict(name, &truth, &found);
        assert_eq!(warnings(&found), expected, "{name}");
    }
}

#[test]
fn labels_change_no_count_and_keep_the_verdict() {
    for (name, _) in WEEKS {
        let truth = truth(name);
        let found = analyze(name, &truth, &labels(&truth));
        assert_counts(name, &truth, &found);
        assert_verdict(name, &truth, &found);
    }
}

#[test]
fn the_article_week_is_told_as_it_was() {
    let truth = truth("article-week");
    let found = analyze("article-week", &truth, &labels(&truth));
    let route = &found["routes"][0];
    let proposal = &route["proposal"];
    assert_eq!((&proposal["grade"], &proposal["limit"]), (&"clear".into(), &300.into()));
    assert_eq!(route["clients"], 8_921);
    assert_eq!(
        proposal["busiest_below"],
        serde_json::json!({"client": "198.19.223.129", "peak": 187})
    );
    assert_eq!(
        proposal["weakest_above"],
        serde_json::json!({"client": "198.19.188.123", "peak": 468})
    );
    assert_eq!(route["top"][0]["sliding_300"], 7_383);
    let margin = proposal["margin"].as_f64().unwrap();
    assert!((margin - 1.56).abs() < 1e-9, "{margin}");
}

#[test]
fn an_unlabelled_test_runner_is_named_among_those_the_limit_would_block() {
    let truth = truth("qa-runner-giant");
    let found = analyze("qa-runner-giant", &truth, &[]);
    let above = found["routes"][0]["above"].as_array().unwrap();
    assert!(above.iter().any(|client| client["client"] == "198.51.100.20"), "{above:?}");
}

#[test]
fn the_network_behind_the_rotating_addresses_is_seen() {
    let truth = truth("ipv6-slash64");
    let found = analyze("ipv6-slash64", &truth, &[]);
    let slash64 = &found["routes"][0]["slash64"];
    let wanted = &truth["other_keys"]["ip64"];
    assert_eq!(slash64["clients"], wanted["clients"]);
    let limit = slash64["proposal"]["limit"].as_u64().unwrap();
    let bound = |key: &str| wanted["acceptable"][key].as_u64().unwrap();
    assert!((bound("lo")..=bound("hi")).contains(&limit), "{limit}");
}

#[test]
fn the_filled_example_of_the_documentation_is_the_article_week() {
    let folder = scenario("article-week");
    let arguments = [
        "analyze",
        &folder,
        "--route",
        "GET /api/v1/token",
        "--format",
        "json",
        "--no-write",
        "--quiet",
    ];
    crate::golden::check("docs/article-week.json", &Workspace::new().ok(&arguments).stdout);
}
