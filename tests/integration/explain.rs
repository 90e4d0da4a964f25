//! `ratewaf explain`: one client's week against the truth of labelled logs.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::golden;
use crate::harness::{HEADER, Workspace, line, scenario};

fn explain(workspace: &Workspace, client: &str, more: &[&str]) -> Value {
    let mut arguments = vec!["explain", client];
    arguments.extend(more);
    arguments.extend(["--format", "json", "--quiet"]);
    serde_json::from_str(&workspace.ok(&arguments).stdout).unwrap()
}

/// Whoever makes up the demonstration's week is taken for what it is.
#[test]
fn the_cast_of_a_demonstration_is_told_apart() {
    let workspace = Workspace::new();
    let arguments =
        ["demo-logs", "--lines", "60000", "--days", "7", "--seed", "9", "--out", "demo"];
    workspace.ok(&arguments);
    let truth: Value = serde_json::from_str(&workspace.read("demo/truth.json")).unwrap();
    let mut roles: BTreeMap<String, String> = BTreeMap::new();
    for list in ["cast", "top"] {
        for one in truth[list].as_array().unwrap() {
            let text = |key: &str| one[key].as_str().unwrap().to_owned();
            roles.insert(text("client"), text("role"));
        }
    }
    let mut looked_at: BTreeMap<&str, usize> = BTreeMap::new();
    for (client, role) in &roles {
        let wanted: &[&str] = match role.as_str() {
            "office" | "carrier-nat" => &["office"],
            "monitor" => &["monitor"],
            "crawler" => &["crawler"],
            "qa-runner" => &["test runner"],
            "password-guesser" | "abuser" => &["script in a loop"],
            "visitor" => &["person", "unknown"],
            _ => continue,
        };
        let seen = looked_at.entry(role).or_insert(0);
        *seen += 1;
        if *seen > 3 {
            continue;
        }
        let found = explain(&workspace, client, &["demo"]);
        let kind = found["looks_like"].as_str().unwrap();
        assert!(wanted.contains(&kind), "{client}, {role}: {kind} {}", found["reasons"]);
    }
    assert!(looked_at.len() >= 6, "{looked_at:?}");
}

#[test]
fn the_figures_are_those_of_the_truth() {
    let name = "article-week";
    let truth = std::fs::read_to_string(format!("{}/truth.json", scenario(name))).unwrap();
    let truth: Value = serde_json::from_str(&truth).unwrap();
    for one in truth["top"].as_array().unwrap().iter().take(6) {
        let client = one["ip"].as_str().unwrap();
        let found = explain(&Workspace::new(), client, &[&scenario(name)]);
        assert_eq!(found["requests"], one["requests"], "{client}");
        let five = found["busiest"].as_array().unwrap().iter().find(|one| one["seconds"] == 300);
        assert_eq!(five.unwrap()["requests"], one["sliding_300"], "{client}");
        let cells = found["five_minutes"].as_array().unwrap();
        let most = cells.iter().map(|cell| cell["requests"].as_u64().unwrap()).max().unwrap();
        assert_eq!(most, one["aligned_300"].as_u64().unwrap(), "{client}");
    }
}

#[test]
fn the_forms_are_as_committed_and_valid() {
    let folder = scenario("article-week");
    let arguments = ["explain", "198.18.136.34", &folder, "--route", "GET /api/v1/token"];
    let form = |form: &str| {
        let mut arguments = arguments.to_vec();
        arguments.extend(["--limit", "300", "--format", form, "--quiet"]);
        Workspace::new().ok(&arguments).stdout
    };
    golden::check("tests/golden/explain/abuser.txt", &form("text"));
    let json = form("json");
    golden::check("tests/golden/explain/abuser.json", &json);
    let text = Workspace::new().ok(&["explain", "203.0.113.46", &folder, "--quiet"]).stdout;
    golden::check("tests/golden/explain/renderer.txt", &text);
    let schema = Workspace::new().ok(&["schema", "explain"]).stdout;
    golden::check("schema/explain.schema.json", &schema);
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let written: Value = serde_json::from_str(&json).unwrap();
    let faults: Vec<_> = validator.iter_errors(&written).map(|fault| fault.to_string()).collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn what_replay_says_of_a_client_is_what_explain_says() {
    let folder = scenario("article-week");
    let rule = ["--route", "GET /api/v1/token", "--limit", "300"];
    let mut arguments = vec!["replay", folder.as_str()];
    arguments.extend(rule);
    arguments.extend(["--format", "json", "--quiet"]);
    let all: Value = serde_json::from_str(&Workspace::new().ok(&arguments).stdout).unwrap();
    for one in all["rules"][0]["limited"].as_array().unwrap() {
        let client = one["client"].as_str().unwrap();
        let mut more = vec![folder.as_str()];
        more.extend(rule);
        let found = explain(&Workspace::new(), client, &more);
        assert_eq!(found["rules"][0]["limited"][0], *one);
    }
}

#[test]
fn neighbours_networks_copies_and_masks() {
    let workspace = Workspace::new();
    let mut log = HEADER.to_owned();
    for second in 0..30 {
        log.push_str(&line(second, "198.51.100.7", "/a"));
        log.push_str(&line(second, "198.51.100.9", "/b"));
        log.push_str(&line(second, "198.51.101.9", "/b"));
        log.push_str(&line(second, "2001:DB8:0:7::1", "/c"));
        log.push_str(&line(second, "2001:db8:0:7::2", "/c"));
        log.push_str(&line(second, "x.x.x.x", "/d"));
    }
    workspace.write("one.log", &log);
    // The same requests, delivered twice.
    workspace.write("two.log", format!("{log}{}", line(40, "198.51.100.7", "/a")));
    let find = |client: &str| explain(&workspace, client, &["one.log", "two.log"]);
    let one = find("198.51.100.7");
    assert_eq!((&one["requests"], &one["duplicates"]), (&31.into(), &30.into()));
    assert_eq!(one["around"]["network"], "198.51.100.0/24");
    assert_eq!(one["around"]["addresses"], 2);
    assert_eq!(one["around"]["busiest"][0]["text"], "198.51.100.9");
    assert_eq!(find("2001:db8:0:7:0:0:0:1")["requests"], 30);
    let network = find("2001:db8:0:7::/64");
    assert_eq!((&network["requests"], &network["around"]["addresses"]), (&60.into(), &2.into()));
    assert_eq!(find("::ffff:198.51.100.7")["requests"], 31);
    assert_eq!(find("x.x.x.x")["requests"], 30);
    workspace.refused(
        &["explain", "192.0.2.99", "one.log"],
        &["not one of the 180 requests is of `192.0.2.99`", "hint:"],
    );
    let threads = |number: &str| {
        workspace.ok(&["explain", "198.51.100.7", "one.log", "two.log", "--threads", number]).stdout
    };
    assert_eq!(threads("1"), threads("2"));
}

/// The bits of a request were too few for them, and the replay looked beyond.
#[test]
fn more_routes_than_are_told_apart_are_refused() {
    let workspace = Workspace::new();
    workspace.write("one.log", format!("{HEADER}{}", line(0, "198.51.100.7", "/a")));
    let routes: Vec<String> = (0..65).map(|number| format!("GET /{number}")).collect();
    let mut arguments = vec!["explain", "198.51.100.7", "one.log", "--limit", "300"];
    for route in &routes[..64] {
        arguments.extend(["--route", route.as_str()]);
    }
    workspace.ok(&arguments);
    arguments.extend(["--route", &routes[64]]);
    workspace.refused(&arguments, &["at most 64 routes", "fewer of them"]);
}

#[test]
fn what_a_client_sent_does_not_run_in_the_terminal() {
    let workspace = Workspace::new();
    let mut log = HEADER.to_owned();
    for second in 0..5 {
        let text = line(second, "198.51.100.7", "/a%1B%5B2J\u{1b}[31m");
        log.push_str(&text.replace("curl/8", "%1B%5D0;owned%07\u{9b}2J"));
    }
    workspace.write("one.log", log);
    for form in ["text", "json"] {
        let text = workspace.ok(&["explain", "198.51.100.7", "one.log", "--format", form]).stdout;
        let wild = |character: char| character.is_control() && character != '\n';
        assert!(!text.contains(wild), "{text:?}");
    }
}
