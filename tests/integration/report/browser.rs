//! The page in a real browser, which may ask nobody for anything.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::{page::page, samples};
use crate::harness::{HEADER, Workspace, line, repository, scenario};
use crate::tools;

/// Opens a page with these further arguments of `browser.mjs`; `None` without a browser here.
fn open(page: &Path, more: &[&str]) -> Option<Value> {
    let (node, chromium) = (tools::find("node")?, tools::find("chromium")?);
    let mut command = Command::new(node);
    command
        .arg(repository("tests/integration/report/browser.mjs"))
        .arg(chromium)
        .arg(page)
        .args(more);
    Some(serde_json::from_str(&tools::run(&mut command)).unwrap())
}

fn demand_quiet(found: &Value) {
    assert_eq!(found["messages"], serde_json::json!([]), "console");
    assert_eq!(found["requests"], serde_json::json!([]), "requests");
    assert_eq!(found["elements"], 0, "elements that fetch or run something");
    assert_eq!(found["scripts"], 2);
    assert_eq!(found["ran"], "undefined", "text from a log ran");
    assert_eq!(found["unlabelled"], 0, "controls without a name");
    assert_eq!(found["wide"], false, "the page scrolls sideways");
}

fn texts(list: &Value, key: &str) -> Vec<String> {
    let text = |one: &Value| if key.is_empty() { one.clone() } else { one[key].clone() };
    list.as_array().unwrap().iter().map(|one| text(one).as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_slider_says_what_replay_says() {
    let workspace = Workspace::new();
    let week = scenario("article-week");
    let route = ["--route", "GET /api/v1/token"];
    workspace.ok(&[&["report", &week, "--out", "a.html"], &route[..]].concat());
    let limits = ["300", "80", "150", "190", "470", "2000", "7400"];
    let moves = limits.iter().flat_map(|limit| ["--move", limit]);
    let more: Vec<&str> = moves.chain(["--key", "ArrowRight", "--sort", "4"]).collect();
    let Some(found) = open(&workspace.path().join("a.html"), &more) else { return };
    demand_quiet(&found);
    for (limit, moved) in limits.iter().zip(found["moves"].as_array().unwrap()) {
        let arguments = ["replay", &week, "--limit", limit, "--format", "json", "--quiet"];
        let told = workspace.ok(&[&arguments[..], &route[..]].concat()).stdout;
        let told: Value = serde_json::from_str(&told).unwrap();
        let limited = texts(&told["rules"][0]["limited"], "client");
        assert_eq!(moved["limit"].to_string(), *limit);
        assert_eq!(moved["clients"], limited.len(), "{moved}");
        assert_eq!(texts(&moved["over"], ""), limited, "{moved}");
        let sent: u64 = told["rules"][0]["limited"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["requests"].as_u64().unwrap())
            .sum();
        let words = moved["words"].as_str().unwrap();
        assert!(words.contains(&format!("sent {} of", ratewaf::units::thousands(sent))), "{words}");
    }
    let walked = found["walked"].as_array().unwrap();
    assert_eq!(walked[0], walked[2], "the tip says what a screen reader hears");
    assert_eq!(walked[1], false, "the tip is there");
    let sorted = texts(&found["sorted"], "");
    assert_eq!(sorted[0], "descending");
    let numbers: Vec<u64> = sorted[1..].iter().map(|text| text.parse().unwrap()).collect();
    assert!(numbers.is_sorted_by(|a, b| a >= b) && numbers.len() > 20, "{numbers:?}");
}

/// Ways out of elements, attributes, styles, scripts and templates, each of which would leave a trace.
const BREAKOUTS: [&str; 7] = [
    "<script>window.ran=1</script>",
    "</script><script>window.ran=2</script>",
    "\"><img src=https://evil.example/x onerror=window.ran=3>",
    "' onfocus='window.ran=4' autofocus='",
    "</title></style><style>@import url(https://evil.example/css);*{display:none}</style>",
    "</svg><svg onload=window.ran=5><a href=javascript:window.ran=6>",
    "--><!--<script>\u{2028}window.ran=7//${window.ran=8}`",
];

#[test]
fn nothing_that_clients_sent_runs_or_is_fetched() {
    let workspace = Workspace::new();
    for (place, text) in BREAKOUTS.iter().enumerate() {
        let name = format!("{place}.html");
        let path = workspace.write(&name, page(&samples::hostile_with(text)));
        let Some(found) = open(&path, &["--key", "End"]) else { return };
        demand_quiet(&found);
    }
}

#[test]
fn nothing_runs_from_a_log() {
    let workspace = Workspace::new();
    let mut log = HEADER.to_owned();
    // As CloudFront writes what a client sent.
    let logged = |text: &str| {
        let text = text.replace('%', "%25").replace(' ', "%20").replace('"', "%22");
        text.replace('<', "%3C").replace('>', "%3E").replace('\u{2028}', "%E2%80%A8")
    };
    for second in 0..900 {
        let text = logged(BREAKOUTS[second as usize % BREAKOUTS.len()]);
        let client = format!("192.0.2.{}", second % 3 + 1);
        let entry = line(second, &client, &format!("/a{text}"));
        log.push_str(&entry.replace("curl/8", &text));
    }
    workspace.write("logs/a.log", log);
    workspace.ok(&["report", "logs", "--route", "GET /a*", "--out", "a.html"]);
    assert!(workspace.read("a.html").contains("window.ran"), "the agent is shown, as text");
    let Some(found) = open(&workspace.path().join("a.html"), &["--move", "100"]) else { return };
    demand_quiet(&found);
    // Without a route the paths themselves are shown: a route of its own for each way out.
    workspace.ok(&["report", "logs", "--out", "b.html"]);
    let page = workspace.read("b.html");
    assert!(page.contains("window.ran") && page.contains("route-2"), "the paths are shown");
    let Some(found) = open(&workspace.path().join("b.html"), &["--key", "End"]) else { return };
    demand_quiet(&found);
}

#[test]
fn a_phone_needs_no_scrolling_to_the_side() {
    let workspace = Workspace::new();
    for (name, analysis) in [
        ("weak", samples::weak_week()),
        ("questions", samples::questions()),
        ("six", samples::ipv6_slash64()),
        ("wild", samples::hostile()),
    ] {
        let path = workspace.write(&format!("{name}.html"), page(&analysis));
        let shot = workspace.path().join("shot.png");
        let shots = ["phone", "print", "dark"].map(|view| format!("{view}={}", shot.display()));
        let more: Vec<&str> = shots.iter().flat_map(|shot| ["--shot", shot.as_str()]).collect();
        let Some(found) = open(&path, &more) else { return };
        demand_quiet(&found);
        assert_eq!(found["phone_is_wide"], false, "{name}");
        assert_eq!(found["print_is_wide"], false, "{name}");
        assert!(std::fs::metadata(&shot).unwrap().len() > 10_000);
    }
}
