//! From logs to Terraform through the program, and the real tools over what it wrote.

use crate::harness::{HEADER, Workspace, line, scenario};
use crate::tools;

/// Two routes with a runaway each, a tester with both families, visitors, webhooks.
fn logs() -> String {
    let mut text = HEADER.to_owned();
    let mut add =
        |second: u32, client: &str, path: &str| text.push_str(&line(second, client, path));
    for number in 0..120_u32 {
        let client = format!("198.18.{}.{}", number / 50, number % 50 + 1);
        for request in 0..1 + number % 7 {
            add(number * 500 + request * 3, &client, "/oauth/token");
            add(number * 500 + request * 5 + 1, &client, "/api/search");
        }
    }
    for runaway in 0..3_u32 {
        for request in 0..400 + runaway * 50 {
            add(20_000 + request / 3, &format!("203.0.113.{runaway}"), "/oauth/token");
            add(40_000 + request / 3, &format!("203.0.113.{runaway}"), "/api/search");
        }
    }
    for request in 0..3_000_u32 {
        add(70_000 + request / 12, "198.51.100.20", "/oauth/token");
        add(75_000 + request / 12, "2001:db8:7::9", "/api/search");
    }
    // Not the same second over and over: ids have to differ.
    text.lines()
        .enumerate()
        .map(|(number, line)| format!("{}\n", line.replace("\tid-", &format!("\t{number}-id-"))))
        .collect()
}

const POLICY: &str = "version: 1
name: edge
scope: cloudfront
web_acl: { create: edge-acl }
networks:
  qa-runner: { cidrs: [198.51.100.20/32, \"2001:db8:7::/64\"], kind: tester, until: 2027-03-01 }
  office: { cidrs: [192.0.2.0/24], kind: known-good }
defaults:
  window: 300
  action: block
  response: { status: 429, retry_after: 300 }
routes:
  - name: token
    methods: [GET]
    path: { exactly: /oauth/token }
    limit: auto
    twins: [{ network: qa-runner, limit: auto }]
  - name: search
    methods: [GET]
    path: { starts_with: /api/ }
    limit: 100
    twins: [{ network: qa-runner, limit: 10x }]
never_limited:
  - { name: webhooks, path: { starts_with: /webhooks/ } }
  - { name: health, path: { exactly: /api/health } }
alarms: { topic_arn: \"arn:aws:sns:us-east-1:123456789012:alerts\", on: blocked, threshold: 0 }
";

/// `terraform fmt -check`, and `terraform validate` with the real provider where there is one.
fn validated(workspace: &Workspace) {
    let Some(program) = tools::find("terraform") else { return };
    let mirror = tools::aws_provider_mirror();
    let terraform = |arguments: &[&str]| {
        let mut command = tools::terraform(&program, workspace.path(), mirror.as_deref());
        tools::run(command.args(arguments));
    };
    terraform(&["fmt", "-check", "-diff", "waf.tf"]);
    if mirror.is_some() {
        terraform(&["init", "-input=false", "-no-color"]);
        terraform(&["validate", "-no-color"]);
    }
}

#[test]
fn two_commands_in_an_empty_folder_give_valid_terraform() {
    let workspace = Workspace::new();
    let logs = scenario("article-week");
    workspace.ok(&["analyze", &logs]);
    assert_eq!(workspace.names(), ["ratewaf.lock.json", "ratewaf.yaml"]);
    workspace.write("waf.tf", workspace.ok(&["emit"]).stdout);
    assert!(workspace.read("waf.tf").contains("ratewaf_api_v1_token_limit  = 300\n"));
    validated(&workspace);
}

#[test]
fn a_policy_with_everything_gives_valid_terraform() {
    let workspace = Workspace::new();
    workspace.write("logs/a.log", logs());
    workspace.write("ratewaf.yaml", POLICY);
    workspace.ok(&["analyze", "logs", "--today", "2026-11-29"]);
    assert_eq!(workspace.read("ratewaf.yaml"), POLICY, "a policy is never rewritten");
    workspace.ok(&["emit", "--accept", "weak", "--today", "2026-11-29", "--out", "waf.tf"]);
    let text = workspace.read("waf.tf");
    for part in [
        "IPV4",
        "IPV6",
        "edge_token_qa_runner_limit",
        "edge_search_limit",
        "STARTS_WITH",
        "not_statement",
        "/api/health",
        "arn:aws:sns:us-east-1:123456789012:alerts",
        "response_code            = 429",
    ] {
        assert!(text.to_lowercase().contains(&part.to_lowercase()), "no {part} in {text}");
    }
    validated(&workspace);
}

#[test]
fn a_weak_limit_counts_until_it_is_accepted() {
    let workspace = Workspace::new();
    let logs = scenario("qa-runner-giant");
    workspace.ok(&[
        "analyze",
        &logs,
        "--route",
        "GET /api/v1/search",
        "--exempt",
        "qa=198.51.100.20/32",
    ]);
    let counted = workspace.ok(&["emit"]);
    assert!(
        counted.stdout.contains("count {}") && !counted.stdout.contains("block {"),
        "{}",
        counted.stdout
    );
    assert!(counted.stderr.contains("weak"), "{}", counted.stderr);
    let accepted = workspace.ok(&["emit", "--accept", "weak"]).stdout;
    assert!(accepted.contains("block {") && !accepted.contains("count {}"), "{accepted}");
    let again = workspace.ok(&["emit", "--accept", "weak", "--count-mode"]).stdout;
    assert!(again.contains("count {}") && !again.contains("block {"), "{again}");
    assert!(again.contains("CountedRequests") && !again.contains("BlockedRequests"), "{again}");
}

#[test]
fn no_limit_gives_no_rule_and_says_why() {
    let workspace = Workspace::new();
    let logs = scenario("article-second-route");
    workspace.ok(&["analyze", &logs, "--route", "GET /api/v1/quote"]);
    let policy = workspace.read("ratewaf.yaml");
    assert!(policy.contains("No limit for GET /api/v1/quote: no gap"), "{policy}");
    let emitted = workspace.ok(&["emit"]).stdout;
    assert!(!emitted.contains("rate_based_statement"), "{emitted}");
    // The same route asked for in the policy: emit says why it has no rule.
    let with_route = policy.replace(
        "routes: []",
        "routes:\n  - { name: quote, methods: [GET], path: { exactly: /api/v1/quote }, limit: auto }",
    );
    assert_ne!(with_route, policy);
    workspace.write("ratewaf.yaml", with_route);
    workspace.ok(&["analyze", &logs]);
    let outcome = workspace.ok(&["emit"]);
    assert!(!outcome.stdout.contains("rate_based_statement"), "{}", outcome.stdout);
    assert!(
        outcome.stdout.contains("no gap") && outcome.stderr.contains("no gap"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn emit_check_compares_with_what_is_committed() {
    let workspace = Workspace::new();
    workspace.ok(&["analyze", &scenario("article-week"), "--route", "GET /api/v1/token"]);
    workspace.ok(&["emit", "--out", "waf.tf"]);
    let same = workspace.ok(&["emit", "--check", "waf.tf"]);
    assert_eq!(same.stdout, "");
    let edited = workspace.read("waf.tf").replace("_limit  = 300", "_limit  = 900");
    workspace.write("waf.tf", &edited);
    let differs = workspace.run(&["emit", "--check", "waf.tf"]);
    assert_eq!(differs.status, 1);
    assert!(differs.stdout.contains("-  ratewaf_api_v1_token_limit  = 900"), "{}", differs.stdout);
    assert!(differs.stdout.contains("+  ratewaf_api_v1_token_limit  = 300"), "{}", differs.stdout);
    assert_eq!(workspace.read("waf.tf"), edited, "a check writes nothing");
}

#[test]
fn a_check_without_the_flags_of_the_file_names_them() {
    let workspace = Workspace::new();
    let logs = scenario("qa-runner-giant");
    workspace.ok(&["analyze", &logs, "--route", "GET /api/v1/search", "--policy", "shop.yaml"]);
    workspace.ok(&["emit", "--policy", "shop.yaml", "--accept", "weak", "--out", "waf.tf"]);
    let outcome = workspace.run(&["emit", "--policy", "shop.yaml", "--check", "waf.tf"]);
    assert_eq!(outcome.status, 1);
    let command = "ratewaf emit --policy shop.yaml --accept weak --check waf.tf";
    assert!(outcome.stderr.contains(command), "{}", outcome.stderr);
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    workspace.ok(&words);
}

#[test]
fn what_is_missing_is_named_with_the_command_that_makes_it() {
    let workspace = Workspace::new();
    workspace.refused(&["emit"], &["there is no policy `ratewaf.yaml`", "ratewaf analyze"]);
    workspace.write("ratewaf.yaml", POLICY);
    workspace.refused(&["emit"], &["ratewaf.yaml:", "token", "ratewaf analyze"]);
    workspace.write("ratewaf.lock.json", "{\"version\": 2}");
    workspace.refused(&["emit"], &["ratewaf.lock.json", "version 2"]);
    workspace.write("ratewaf.lock.json", "{\"version\": 1,\n \"x\"");
    workspace.refused(&["emit"], &["ratewaf.lock.json:2:", "ratewaf analyze"]);
    std::fs::remove_file(workspace.path().join("ratewaf.lock.json")).unwrap();
    workspace.refused(&["emit", "--today", "29.11.2026"], &["`29.11.2026` is no date"]);
}

#[test]
fn all_faults_of_a_policy_are_shown_at_once() {
    let workspace = Workspace::new();
    let faulty = POLICY
        .replace("window: 300", "window: 90")
        .replace("192.0.2.0/24", "192.0.2.0/33")
        .replace("limit: 100", "limit: 5")
        .replace("kind: tester", "kind: testr");
    workspace.write("ratewaf.yaml", faulty);
    let outcome = workspace.refused(&["emit"], &["90", "192.0.2.0/33", "testr", "tester"]);
    for line in ["ratewaf.yaml:6:", "ratewaf.yaml:7:", "ratewaf.yaml:9:", "ratewaf.yaml:21:"] {
        assert!(outcome.stderr.contains(line), "no {line} in {}", outcome.stderr);
    }
    workspace.write("logs/a.log", logs());
    workspace.refused(&["analyze", "logs"], &["ratewaf.yaml:6:"]);
}

#[test]
fn an_existing_policy_is_only_looked_past_with_a_route_of_ones_own() {
    let workspace = Workspace::new();
    workspace.write("ratewaf.yaml", POLICY);
    let logs = scenario("article-week");
    let outcome = workspace.ok(&["analyze", &logs, "--route", "GET /api/v1/token"]);
    assert!(outcome.stderr.contains("this run only looks"), "{}", outcome.stderr);
    assert_eq!(workspace.names(), ["ratewaf.yaml"]);
}

#[test]
fn the_lock_holds_addresses_only_when_asked() {
    let workspace = Workspace::new();
    let logs = scenario("article-week");
    workspace.ok(&["analyze", &logs, "--route", "GET /api/v1/token"]);
    let lock = workspace.read("ratewaf.lock.json");
    for text in ["198.1", "203.0.113", "2001:db8"] {
        assert!(!lock.contains(text), "{text}");
    }
    workspace.ok(&["analyze", &logs, "--keep-addresses"]);
    assert!(workspace.read("ratewaf.lock.json").contains("198.19.223.129"));
}
