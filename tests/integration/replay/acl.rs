//! `--rules`: what emit writes, replayed, is the policy replayed.

use serde_json::{Value, json};

use super::{POLICY, clients, small_week};
use crate::harness::Workspace;

/// Two routes with all that a scope-down can have, a tester, paths that nobody limits, and one limit for all.
const EVERYTHING: &str = "version: 1
name: acl
web_acl: { create: prod }
networks:
  qa-runner: { cidrs: [198.51.100.7/32, 2001:db8:7::/64], kind: tester }
  office: { cidrs: [192.0.2.2/32], kind: known-good }
routes:
  - { name: token, methods: [GET, POST], host: shop.example, path: { exactly: /token }, limit: 20, window: 60, twins: [{ network: qa-runner, limit: 20 }] }
  - { name: api, path: { starts_with: /api/ }, limit: 20, window: 120, action: count }
  - { name: old, path: { regex: '^/v[0-9]+/old$' }, limit: 10, window: 60 }
never_limited:
  - { name: health, path: { exactly: /api/health } }
site_wide: { limit: 60, window: 60 }
";

fn week(workspace: &Workspace) {
    use std::fmt::Write as _;
    let mut log = crate::harness::HEADER.to_owned();
    let paths = ["/token", "/Token/", "/api/x", "/api/health", "/v2/old", "/other", "/api//health"];
    for client in ["192.0.2.1", "192.0.2.2", "198.51.100.7", "2001:db8:7::9"] {
        for second in 0..600 {
            let path = paths[(second as usize / 7 + client.len()) % paths.len()];
            log.write_str(&crate::harness::line(second, client, path)).unwrap();
        }
    }
    workspace.write("week.log", log);
}

fn run(workspace: &Workspace, more: &[&str]) -> String {
    let mut arguments = vec!["replay", "week.log", "--quiet"];
    arguments.extend(more);
    workspace.ok(&arguments).stdout
}

#[test]
fn what_emit_writes_is_replayed_to_the_same_byte() {
    for policy in [POLICY, EVERYTHING] {
        let workspace = Workspace::new();
        week(&workspace);
        workspace.write("ratewaf.yaml", policy);
        if policy == EVERYTHING {
            let text = run(&workspace, &[]);
            assert!(text.contains("known-good, and would have been limited: office"), "{text}");
        }
        for (dialect, out) in [
            ("terraform", "infra/waf.tf"),
            ("api-json", "acl.json"),
            ("cloudformation", "waf.yaml"),
        ] {
            workspace.write("infra/.keep", "");
            workspace.ok(&["emit", "--format", dialect, "--out", out, "--quiet"]);
            let input = if dialect == "terraform" { "infra" } else { out };
            for form in ["json", "text", "markdown"] {
                let of_policy = run(&workspace, &["--format", form]);
                assert!(of_policy.contains("acl-token-qa-runner"), "{of_policy}");
                let of_acl = run(&workspace, &["--format", form, "--rules", input]);
                assert_eq!(of_acl, of_policy, "{dialect}, {form}");
            }
        }
    }
}

#[test]
fn without_a_policy_the_ip_sets_give_the_names() {
    let workspace = Workspace::new();
    week(&workspace);
    workspace.write("ratewaf.yaml", EVERYTHING);
    workspace.ok(&["emit", "--format", "api-json", "--out", "acl.json", "--quiet"]);
    let of_policy: Value = serde_json::from_str(&run(&workspace, &["--format", "json"])).unwrap();
    std::fs::remove_file(workspace.path().join("ratewaf.yaml")).unwrap();
    let arguments = ["--format", "json", "--rules", "acl.json"];
    let of_acl: Value = serde_json::from_str(&run(&workspace, &arguments)).unwrap();
    let rules = |all: &Value| all["rules"].as_array().unwrap().clone();
    let mut limited = 0;
    for (one, two) in rules(&of_policy).iter().zip(&rules(&of_acl)) {
        assert_eq!(clients(&one["limited"]), clients(&two["limited"]));
        for member in ["name", "route", "limit", "acted_on", "requests", "grid"] {
            assert_eq!(one[member], two[member]);
        }
        limited += clients(&one["limited"]).len();
    }
    assert!(limited > 3, "{of_policy}");
    assert!(of_acl.to_string().contains("\"network\":\"acl-qa-runner-v4\""), "{of_acl}");
}

fn acl(scope_down: &Value) -> String {
    let mut rate = json!({"Limit": 50, "EvaluationWindowSec": 60, "AggregateKeyType": "IP"});
    rate["ScopeDownStatement"] = scope_down.clone();
    json!({"WebACL": {"Name": "prod", "DefaultAction": {"Allow": {}}, "Rules": [
        {"Name": "bots", "Priority": 0, "OverrideAction": {"None": {}}, "Statement":
            {"ManagedRuleGroupStatement": {"VendorName": "AWS", "Name": "AWSManagedRulesBotControlRuleSet"}}},
        {"Name": "site", "Priority": 1, "Action": {"Block": {}}, "Statement":
            {"RateBasedStatement": {"Limit": 500, "EvaluationWindowSec": 60, "AggregateKeyType": "IP"}}},
        {"Name": "token", "Priority": 2, "Action": {"Block": {}}, "Statement": {"RateBasedStatement": rate}},
    ]}})
    .to_string()
}

#[test]
fn what_cannot_be_said_exactly_is_named_and_what_may_be_wrong_is_marked() {
    let workspace = Workspace::new();
    small_week(&workspace);
    let path = json!({"ByteMatchStatement": {"SearchString": "L3Rva2Vu", "PositionalConstraint": "EXACTLY",
        "FieldToMatch": {"UriPath": {}}, "TextTransformations": [{"Priority": 0, "Type": "NONE"}]}});
    workspace.write("acl.json", acl(&path));
    let text = run(&workspace, &["--rules", "acl.json"]);
    assert!(text.contains("rule token\n  route           /token\n"), "{text}");
    let careful = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(careful.contains("careful rules before it may stop requests"), "{text}");
    assert!(careful.contains("do not tell which: bots"), "{text}");
    let found: Value =
        serde_json::from_str(&run(&workspace, &["--rules", "acl.json", "--format", "json"]))
            .unwrap();
    assert!(found["rules"][1]["careful"][0].as_str().unwrap().ends_with(": bots"), "{found}");
    assert!(
        run(&workspace, &["--rules", "acl.json", "--limit", "600"]).contains("limit           600")
    );
    let explained = ["explain", "192.0.2.1", "week.log", "--rules", "acl.json", "--quiet"];
    let explained = workspace.ok(&explained).stdout;
    assert!(explained.contains("limited from 2026-09-08T00:01:30Z"), "{explained}");
    let geo = json!({"GeoMatchStatement": {"CountryCodes": ["DE"]}});
    workspace.write("acl.json", acl(&geo));
    let text = run(&workspace, &["--rules", "acl.json"]);
    assert!(text.contains("rule token\n  not replayed    it holds a GeoMatch statement"), "{text}");
}

#[test]
fn an_input_without_rules_says_what_to_name() {
    let workspace = Workspace::new();
    small_week(&workspace);
    let refused = |more: &[&str], texts: &[&str]| {
        let all: Vec<&str> =
            ["replay", "week.log", "--rules"].iter().chain(more).copied().collect();
        workspace.refused(&all, texts);
    };
    refused(&["nowhere"], &["nowhere"]);
    workspace.write("infra/main.tf", "resource \"aws_s3_bucket\" \"a\" {}\n");
    refused(
        &["infra"],
        &["`infra`: no web ACL with a rate-based rule is in it", "terraform show -json"],
    );
    workspace.write("acl.json", acl(&Value::Null));
    refused(
        &["acl.json", "--web-acl", "stage"],
        &["no web ACL `stage`", "but prod", "--web-acl NAME"],
    );
    refused(&["acl.json", "--leave-one-day-out"], &["--rules names none", "--route"]);
    refused(&["acl.json", "--exempt", "192.0.2.1"], &["--exempt has no effect"]);
    refused(&["acl.json", "--route", "GET /token"], &["--route"]);
}
