//! `ratewaf replay`: against the truth of labelled weeks, and against a simulator that is too simple to be
//! wrong.

mod acl;
mod naive;

use std::collections::BTreeSet;

use serde_json::Value;

use crate::golden;
use crate::harness::{HEADER, Workspace, line, repository, scenario};

fn truth(name: &str) -> Value {
    let text = std::fs::read_to_string(format!("{}/truth.json", scenario(name))).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn replay(name: &str, more: &[&str]) -> Value {
    let truth = truth(name);
    let text = |key: &str| truth["route"][key].as_str().unwrap().to_owned();
    let route = format!("{} {}", text("method"), text("path"));
    let folder = scenario(name);
    let mut arguments = vec!["replay", folder.as_str(), "--route", &route, "--format", "json"];
    arguments.push("--quiet");
    arguments.extend(more);
    serde_json::from_str(&Workspace::new().ok(&arguments).stdout).unwrap()
}

fn clients(list: &Value) -> BTreeSet<String> {
    let name = |one: &Value| one["client"].as_str().unwrap().to_owned();
    list.as_array().unwrap().iter().map(name).collect()
}

fn abusive(truth: &Value) -> BTreeSet<String> {
    let name = |one: &Value| one["ip"].as_str().unwrap().to_owned();
    truth["abusive"].as_array().unwrap().iter().map(name).collect()
}

#[test]
fn the_article_week_at_300_blocks_the_abusive_clients_and_none_else() {
    let found = replay("article-week", &["--limit", "300", "--window", "300"]);
    let rule = &found["rules"][0];
    assert_eq!(clients(&rule["limited"]), abusive(&truth("article-week")));
    assert_eq!(rule["clients"], 8921);
    assert_eq!(rule["requests"], truth("article-week")["requests"]);
    for one in rule["limited"].as_array().unwrap() {
        let sum = |key: &str| one[key].as_u64().unwrap();
        assert!(sum("before") > 300, "WAF knows after the limit was passed: {one}");
        assert!(sum("before") + sum("acted_on") <= sum("requests"), "{one}");
    }
}

#[test]
fn in_every_week_the_abusive_are_caught_and_who_has_to_pass_passes() {
    let mut weeks = 0;
    for name in [
        "article-week",
        "corporate-nat",
        "edge-of-window",
        "gaps-among-abusers",
        "login-small-scale",
        "path-variants",
        "qa-runner-giant",
        "twelve-clients",
    ] {
        let truth = truth(name);
        let exempt = truth["labels"]["exempt"].as_array().unwrap();
        let exempt: Vec<&str> =
            exempt.iter().flat_map(|cidr| ["--exempt", cidr.as_str().unwrap()]).collect();
        for bound in ["lo", "hi"] {
            // The highest acceptable limit may be that of the weakest abuser itself.
            let limit = truth["acceptable"][bound].as_u64().unwrap().max(10).to_string();
            let mut arguments = vec!["--limit", limit.as_str()];
            arguments.extend(&exempt);
            let limited = clients(&replay(name, &arguments)["rules"][0]["limited"]);
            assert_eq!(limited, abusive(&truth), "{name} at {limit}");
            let passes = truth["busiest_to_pass"]["ip"].as_str().unwrap();
            assert!(!limited.contains(passes), "{name} at {limit}");
            weeks += 1;
        }
    }
    assert_eq!(weeks, 16);
}

/// One request a second for 400 seconds from one address, and a few from others.
fn small_week(workspace: &Workspace) {
    let mut log = HEADER.to_owned();
    (0..400).for_each(|second| log.push_str(&line(second, "192.0.2.1", "/token")));
    (0..45).for_each(|second| log.push_str(&line(second, "192.0.2.2", "/token")));
    (0..400).for_each(|second| log.push_str(&line(second, "198.51.100.7", "/token")));
    workspace.write("week.log", log);
}

const POLICY: &str = "version: 1
name: acl
web_acl: { create: prod }
networks:
  qa-runner: { cidrs: [198.51.100.7/32], kind: tester }
routes:
  - { name: token, methods: [GET], path: { exactly: /token }, limit: 50, window: 60, twins: [{ network: qa-runner, limit: 500 }] }
";

#[test]
fn the_rules_of_a_policy_need_no_lock_where_limits_are_pinned() {
    let workspace = Workspace::new();
    small_week(&workspace);
    workspace.write("ratewaf.yaml", POLICY);
    let run = |more: &[&str]| -> Value {
        let mut arguments = vec!["replay", "week.log", "--format", "json", "--quiet"];
        arguments.extend(more);
        serde_json::from_str(&workspace.ok(&arguments).stdout).unwrap()
    };
    let found = run(&[]);
    let rules = found["rules"].as_array().unwrap();
    let names: Vec<_> = rules.iter().map(|rule| rule["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["acl-token", "acl-token-qa-runner"]);
    assert_eq!(clients(&rules[0]["limited"]), ["192.0.2.1".to_owned()].into());
    assert_eq!(clients(&rules[0]["near"]), ["192.0.2.2".to_owned()].into());
    assert!(clients(&rules[1]["limited"]).is_empty(), "the runner has a limit of its own");
    assert_eq!(rules[1]["requests"], 400);
    // After 51 s the limit is passed, at 60 s it is seen, 30 s later it is known.
    let one = &rules[0]["limited"][0];
    assert_eq!(one["first"], "2026-09-08T00:01:30Z");
    assert_eq!((&one["before"], &one["acted_on"]), (&90.into(), &310.into()));
    assert_eq!(run(&["--limit", "60"])["rules"][0]["limited"], Value::Array(Vec::new()));
    assert_eq!(run(&["--lag", "0"])["rules"][0]["limited"][0]["first"], "2026-09-08T00:01:00Z");
    let other = run(&["--algorithm", "token-bucket"]);
    assert_eq!(other["lag"], Value::Null);
    assert_eq!(other["rules"][0]["grid"], Value::Array(Vec::new()));
    assert_eq!(clients(&other["rules"][0]["limited"]), ["192.0.2.1".to_owned()].into());
}

/// Found by a fresh user: grids of zeros filled the screen, and `explain` listed twins that had seen nothing.
#[test]
fn rules_that_touch_nobody_take_a_line() {
    let workspace = Workspace::new();
    small_week(&workspace);
    workspace.write("ratewaf.yaml", POLICY.replace("198.51.100.7/32", "198.51.100.77/32"));
    let text = workspace.ok(&["replay", "week.log"]).stdout;
    let (main, twin) = text.split_once("rule acl-token-qa-runner").unwrap();
    assert!(main.contains("limit  60 s"), "{main}");
    assert!(twin.contains("nobody is over any of the limits between"), "{twin}");
    assert!(!twin.contains("limit  60 s"), "{twin}");
    let markdown = workspace.ok(&["replay", "week.log", "--format", "markdown"]).stdout;
    assert_eq!(markdown.matches("<summary>Other limits").count(), 1, "{markdown}");
    assert_eq!(markdown.matches("nobody is over any of the limits between").count(), 1);
    let text = workspace.ok(&["explain", "192.0.2.2", "week.log"]).stdout;
    assert!(text.contains("rule acl-token\n"), "{text}");
    assert!(!text.contains("rule acl-token-qa-runner"), "{text}");
    let said = text.lines().find(|line| line.contains("see nothing")).unwrap();
    assert!(said.ends_with("of its requests: acl-token-qa-runner"), "{said}");
}

#[test]
fn a_known_good_network_that_would_be_limited_is_named() {
    let workspace = Workspace::new();
    small_week(&workspace);
    let arguments = ["replay", "week.log", "--route", "GET /token", "--limit", "50"];
    let mut arguments = arguments.to_vec();
    arguments.extend(["--window", "60", "--good", "office=192.0.2.1/32"]);
    let text = workspace.ok(&arguments).stdout;
    assert!(text.contains("known-good, and would have been limited: office"), "{text}");
}

#[test]
fn what_cannot_be_replayed_is_refused_or_named() {
    let workspace = Workspace::new();
    small_week(&workspace);
    let refused = |arguments: &[&str], texts: &[&str]| {
        let all: Vec<&str> = ["replay", "week.log"].iter().chain(arguments).copied().collect();
        workspace.refused(&all, texts);
    };
    refused(&[], &["there is no policy `ratewaf.yaml`, and no --route", "--limit 300"]);
    refused(&["--route", "GET /token"], &["--limit"]);
    refused(&["--route", "GET /token", "--limit", "5"], &["5"]);
    refused(&["--route", "GET /token", "--limit", "50", "--lag", "15"], &["a lag is 0, 10, 20"]);
    refused(&["--route", "GET /nobody", "--limit", "50"], &["not one of the 845 requests is for"]);
    workspace.write("ratewaf.yaml", POLICY.replace("limit: 50", "limit: auto"));
    refused(&[], &["ratewaf.yaml", "limit"]);
    let keyed = POLICY.replace("window: 60", "window: 60, key: [ip, { header: x-api-key }]");
    let keyed = keyed.replace(", twins: [{ network: qa-runner, limit: 500 }]", "");
    workspace.write("ratewaf.yaml", &keyed);
    refused(&[], &["no rule can be replayed", "does not count by the address"]);
    let both = keyed + "site_wide: { limit: 60, window: 60 }\n";
    workspace.write("ratewaf.yaml", both);
    let text = workspace.ok(&["replay", "week.log"]).stdout;
    assert!(text.contains("rule acl-token\n  not replayed"), "{text}");
}

#[test]
fn the_forms_are_as_committed_and_valid() {
    let name = "article-week";
    let folder = scenario(name);
    let arguments = ["replay", &folder, "--route", "GET /api/v1/token", "--limit", "300"];
    let form = |form: &str| {
        let mut arguments = arguments.to_vec();
        arguments.extend(["--format", form, "--quiet"]);
        Workspace::new().ok(&arguments).stdout
    };
    golden::check("tests/golden/replay/article-week.txt", &form("text"));
    golden::check("tests/golden/replay/article-week.md", &form("markdown"));
    let json = form("json");
    golden::check("tests/golden/replay/article-week.json", &json);
    let schema = Workspace::new().ok(&["schema", "replay"]).stdout;
    golden::check("schema/replay.schema.json", &schema);
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let written: Value = serde_json::from_str(&json).unwrap();
    let faults: Vec<_> = validator.iter_errors(&written).map(|fault| fault.to_string()).collect();
    assert!(faults.is_empty(), "{faults:#?}");
    assert!(repository("docs/replay.md").exists());
}

/// Seven of the eleven abusive clients came on the first day: without it the gap looks wider, and without the
/// last day there is too little of it. The other days propose what all of them do.
#[test]
fn the_limit_of_the_article_hangs_on_the_day_of_most_abuse() {
    let found = replay("article-week", &["--limit", "300", "--leave-one-day-out"]);
    let rule = &found["rules"][0];
    let days = rule["days"].as_array().unwrap();
    assert_eq!(days.len(), 7);
    let limits: Vec<Option<u64>> = days.iter().map(|day| day["limit"].as_u64()).collect();
    let ordinary = limits.iter().flatten().filter(|limit| (206..=425).contains(*limit)).count();
    assert!(ordinary >= 4, "{limits:?}");
    let sum = |key: &str| days.iter().map(|day| day[key].as_u64().unwrap()).sum::<u64>();
    assert!(sum("hit") <= 1, "no day's limit blocks the innocent of that day: {days:?}");
    assert!(sum("limited") >= 11, "each abusive client came on one day at least: {days:?}");
    assert!(sum("caught") < sum("limited"), "{days:?}");
    let text = {
        let folder = scenario("article-week");
        let arguments = ["replay", &folder, "--route", "GET /api/v1/token", "--limit", "300"];
        let mut arguments = arguments.to_vec();
        arguments.extend(["--leave-one-day-out", "--quiet"]);
        Workspace::new().ok(&arguments).stdout
    };
    assert!(text.contains("day by day      without one day the others propose"), "{text}");
    Workspace::new().refused(
        &["replay", "-", "--route", "GET /a", "--limit", "300", "--leave-one-day-out"],
        &["- cannot be", "write the logs into a file"],
    );
}

#[test]
fn threads_and_files_change_no_byte() {
    let folder = scenario("gaps-among-abusers");
    let run = |more: &[&str]| {
        let mut arguments = vec!["replay", folder.as_str(), "--route", "GET /api/v2/prices"];
        arguments.extend(["--limit", "200", "--format", "json", "--quiet"]);
        arguments.extend(more);
        Workspace::new().ok(&arguments).stdout
    };
    assert_eq!(run(&["--threads", "1"]), run(&["--threads", "3", "--memory-limit", "64M"]));
}
