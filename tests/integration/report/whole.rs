//! What the program says of whole logs, from the lines to the report.

use serde_json::Value;

use crate::harness::{HEADER, Workspace, line, scenario};

fn json(arguments: &[&str]) -> Value {
    let arguments = [&["analyze", "--no-write", "--format", "json"], arguments].concat();
    serde_json::from_str(&Workspace::new().ok(&arguments).stdout).unwrap()
}

fn client<'a>(route: &'a Value, list: &str, name: &str) -> &'a Value {
    let mut clients = route[list].as_array().unwrap().iter();
    clients.find(|client| client["client"] == name).unwrap()
}

#[test]
fn clients_have_their_most_frequent_agent() {
    let logs = scenario("article-week");
    let report =
        json(&[&logs, "--route", "GET /api/v1/token", "--good", "203.0.113.46", "--threads", "2"]);
    let route = &report["routes"][0];
    let renderer = client(route, "good", "203.0.113.46");
    assert_eq!(renderer["top_agent"], "ssr-renderer/4.2");
    let crowd = client(route, "above", "198.18.85.114");
    assert_eq!(crowd["agents"], 60);
    assert!(crowd["top_agent"].as_str().unwrap().starts_with("Mozilla/5.0 ("));
    assert!(route["top"][0].get("top_agent").is_none());
}

#[test]
fn the_client_that_makes_a_reviewer_doubt_is_described() {
    let logs = scenario("article-week");
    let route = ["--route", "GET /api/v1/token"];
    let arguments = [&["analyze", "--no-write", &logs], &route[..]].concat();
    let text = Workspace::new().ok(&arguments).stdout;
    assert!(text.contains("\n  198.18.85.114: near its peak on 1 of 7 days"), "{text}");
    assert!(text.contains("60 user agents, most often Mozilla/5.0"), "{text}");
    assert!(text.contains("user agent ssr-renderer/4.2"), "{text}");
    assert!(text.contains("(180 in clock-aligned windows)"), "{text}");
}

#[test]
fn a_survey_sees_who_walks_through_a_network() {
    let logs = scenario("ipv6-slash64");
    let report = json(&[&logs]);
    let first = &report["survey"]["groups"][0];
    assert_eq!(first["title"], "GET /api/v1/item");
    assert_eq!(first["peak"], 55);
    assert_eq!(first["peak_slash64"], 4_215);
    for format in ["text", "markdown"] {
        let text =
            Workspace::new().ok(&["analyze", "--no-write", "--format", format, &logs]).stdout;
        for words in ["4,215", "2001:db8:bad:1::/64", "--route 'GET /api/v1/item'"] {
            assert!(text.contains(words), "{words}: {text}");
        }
        assert_eq!(text.matches("This log covers 2 days").count(), 1, "{text}");
    }
}

#[test]
fn a_busy_network_ranks_a_group_and_a_busy_asset_is_counted() {
    let desk = Workspace::new();
    let mut log = HEADER.to_owned();
    for number in 0..9 {
        log += &line(number, &format!("2001:db8::{number:x}"), "/walked");
        log += &line(number, &format!("192.0.2.{number}"), "/app.js");
    }
    for number in 0..4 {
        log += &line(number, "192.0.2.77", "/single");
        log += &line(number, "192.0.2.77", "/app.js");
    }
    desk.write("a.log", log);
    let report: Value = serde_json::from_str(
        &desk.ok(&["analyze", "--no-write", "--format", "json", "a.log"]).stdout,
    )
    .unwrap();
    let found: Vec<_> = (report["survey"]["groups"].as_array().unwrap().iter())
        .map(|group| {
            let number = |member: &str| group[member].as_u64().unwrap();
            (
                group["title"].as_str().unwrap(),
                number("peak"),
                number("peak_slash64"),
                number("requests"),
                number("clients"),
            )
        })
        .collect();
    assert_eq!(
        found,
        [("GET /walked", 1, 9, 9, 9), ("GET *.js", 4, 4, 13, 10), ("GET /single", 4, 4, 4, 1),]
    );
}

/// The path is a client's: a command that is copied must not run it.
#[test]
fn a_command_is_quoted_for_a_shell() {
    let desk = Workspace::new();
    let mut log = HEADER.to_owned();
    for number in 0..40 {
        log += &line(number, "192.0.2.1", "/a';id;'b");
    }
    desk.write("a.log", log);
    let text = desk.ok(&["analyze", "--no-write", "--window", "60", "a.log"]).stdout;
    assert!(text.contains(r"--route 'GET /a'\'';id;'\''b' --window 60"), "{text}");
}
