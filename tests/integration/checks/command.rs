//! `ratewaf check` and `ratewaf explain-check` from outside.

use std::time::Instant;

use serde_json::{Value, json};

use crate::golden;
use crate::harness::{Workspace, repository};

const STORY: &str = "tests/fixtures/checks/pull-request";

/// A folder with the story of the documentation in it.
fn story() -> Workspace {
    let workspace = Workspace::new();
    for folder in ["", "main", "infra"] {
        for entry in std::fs::read_dir(repository(STORY).join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                let name = path.file_name().unwrap().to_str().unwrap();
                let name =
                    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
                workspace.write(&name, std::fs::read(&path).unwrap());
            }
        }
    }
    workspace
}

fn checked(workspace: &Workspace, arguments: &[&str]) -> crate::harness::Outcome {
    let mut all = vec!["check"];
    all.extend(arguments);
    all.extend(["--today", "2026-12-01"]);
    workspace.run(&all)
}

#[test]
fn every_form_of_output() {
    let workspace = story();
    for (format, file) in [
        ("text", "story.txt"),
        ("json", "story.json"),
        ("sarif", "story.sarif"),
        ("github", "story.github.txt"),
        ("junit", "story.junit.xml"),
        ("markdown", "story.md"),
    ] {
        let outcome = checked(&workspace, &["infra", "--before", "main", "--format", format]);
        assert_eq!(outcome.status, 1, "{}", outcome.stderr);
        assert_eq!(outcome.stderr, "");
        let mut text = outcome.stdout;
        if format == "sarif" {
            let mut log: Value = serde_json::from_str(&text).unwrap();
            log["runs"][0]["tool"]["driver"]["rules"] = json!([]);
            text = serde_json::to_string_pretty(&log).unwrap() + "\n";
        }
        golden::check(&format!("tests/golden/check/{file}"), &text);
    }
}

#[test]
fn json_and_sarif_are_what_their_schemas_say() {
    let workspace = story();
    let suppressed = std::fs::read_to_string(workspace.path().join("infra/waf.tf")).unwrap().replace(
        "        limit                 = local",
        "        # ratewaf: ignore[limit-below-normal] a trial, until 2027-01-01\n        limit                 = local",
    );
    workspace.write("infra/waf.tf", suppressed);
    workspace.write(
        "infra/more.tf",
        "module \"far\" {\n  source = \"terraform-aws-modules/waf/aws\"\n}\n",
    );
    let ours = crate::harness::Workspace::ok(&workspace, &["schema", "check"]).stdout;
    golden::check("schema/check.schema.json", &ours);
    let official =
        std::fs::read_to_string(repository("tests/fixtures/checks/sarif-schema-2.1.0.json"))
            .unwrap();
    for (format, schema) in [("json", ours), ("sarif", official)] {
        let outcome = checked(&workspace, &["infra", "--before", "main", "--format", format]);
        let document: Value = serde_json::from_str(&outcome.stdout).unwrap();
        let schema: Value = serde_json::from_str(&schema).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let faults: Vec<String> = validator
            .iter_errors(&document)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(faults.is_empty(), "{format}: {}", faults.join("\n"));
        let hidden = match format {
            "json" => document["suppressed"].as_array().unwrap().len(),
            _ => {
                let results = document["runs"][0]["results"].as_array().unwrap();
                results.iter().filter(|one| one["suppressions"].is_array()).count()
            }
        };
        assert_eq!(hidden, 1, "{format}");
    }
}

#[test]
fn the_exit_code_follows_what_is_wanted() {
    let workspace = story();
    let status = |more: &[&str]| {
        let mut all = vec!["infra", "--before", "main"];
        all.extend(more);
        checked(&workspace, &all).status
    };
    assert_eq!(status(&[]), 1);
    assert_eq!(status(&["--fail-on", "never"]), 0);
    assert_eq!(status(&["--only", "change-resets-counters"]), 0, "a note is milder than a warning");
    assert_eq!(status(&["--only", "change-resets-counters", "--fail-on", "note"]), 1);
    assert_eq!(checked(&workspace, &["main"]).status, 0);
}

#[test]
fn what_cannot_be_read_is_named() {
    let workspace = story();
    let plan = json!({ "format_version": "1.2", "resource_changes": [], "configuration": {} });
    let half = &plan.to_string()[..40];
    workspace.write("half.json", half);
    workspace.write("deep.json", format!("{}{}", "[".repeat(200_000), "]".repeat(200_000)));
    workspace.write("other.json", "{\"a\": 1}");
    workspace.write("bytes.json", b"{\"format_version\": \"\xff\"}");
    workspace.write(
        "failed.json",
        plan.to_string().replace("{\"format", "{\"errored\": true, \"format"),
    );
    workspace.write("bad/a.tf", "resource \"a\" {\n  x = \n}\n");
    workspace.write("empty/readme.txt", "");
    workspace.write("ignore.yaml", "- check: x\n");
    for (input, texts) in [
        (vec!["half.json"], vec!["half.json", "line 1 column 40"]),
        (vec!["deep.json"], vec!["deep.json", "recursion limit", "line 1 column"]),
        (vec!["other.json"], vec!["other.json", "neither a plan"]),
        (vec!["bytes.json"], vec!["bytes.json"]),
        (vec!["failed.json"], vec!["failed.json", "errored"]),
        (vec!["bad"], vec!["bad/a.tf", "line 2"]),
        (vec!["empty"], vec!["empty", "no .tf file"]),
        (vec!["nowhere.json"], vec!["nowhere.json"]),
        (vec!["main", "--only", "no-such"], vec!["no-such", "explain-check"]),
        (vec!["main", "--policy", "none.yaml"], vec!["none.yaml"]),
        (vec!["main", "--ignore-file", "ignore.yaml"], vec!["ignore.yaml", "line 1", "reason"]),
    ] {
        let mut arguments = vec!["check"];
        arguments.extend(input);
        workspace.refused(&arguments, &texts);
    }
}

#[test]
fn standard_input_and_environments() {
    let workspace = story();
    let text =
        std::fs::read(repository("tests/golden/cloudformation/whole-story/waf.yaml")).unwrap();
    let outcome =
        workspace.run_with(&["check", "-", "--format", "json", "--fail-on", "never"], &text);
    assert_eq!(outcome.status, 0, "{}", outcome.stderr);
    let document: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(document["version"], 1);
    let outcome = checked(&workspace, &["stage=infra", "prod=main", "--format", "json"]);
    let document: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let environments: Vec<&Value> = document["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["place"]["environment"])
        .collect();
    assert!(environments.contains(&&json!("stage")), "{environments:?}");
}

#[test]
fn checks_are_explained() {
    let workspace = Workspace::new();
    let list = workspace.ok(&["explain-check"]).stdout;
    for check in super::page::all() {
        let id = check.about().id;
        assert!(list.lines().any(|line| line.starts_with(&format!("{id} "))), "{id}");
        let page = workspace.ok(&["explain-check", id]).stdout;
        assert!(page.contains("## Bad") && page.contains("## Good"), "{id}");
    }
    workspace.refused(&["explain-check", "nothing"], &["nothing", "explain-check"]);
}

/// A plan of about 10 MB with as many web ACLs as fit: seconds in a debug build, less than one in a release.
#[test]
fn a_large_plan_is_read_in_time() {
    let workspace = Workspace::new();
    let plan = large_plan(10 << 20);
    workspace.write("plan.json", &plan);
    let start = Instant::now();
    let outcome = workspace.run(&["check", "plan.json", "--fail-on", "never", "--format", "junit"]);
    let seconds = start.elapsed().as_secs_f64();
    assert_eq!(outcome.status, 0, "{}", outcome.stderr);
    assert!(seconds < 60.0, "{seconds} s");
}

/// A plan of a size: mostly other people's resources, as plans are, and a web ACL in fifty.
fn large_plan(bytes: usize) -> String {
    let mut changes = Vec::new();
    let mut size = 0;
    let mut number = 0;
    while size < bytes {
        number += 1;
        let change = if number % 50 == 0 {
            json!({ "address": format!("aws_wafv2_web_acl.a{number}"), "mode": "managed", "type": "aws_wafv2_web_acl",
                "name": format!("a{number}"), "change": { "actions": ["create"], "before": null, "after_unknown": {}, "after_sensitive": {},
                "after": { "name": format!("a{number}"), "scope": "REGIONAL", "default_action": [{ "allow": [{}], "block": [] }],
                    "rule": [{ "name": format!("r{number}"), "priority": 1, "action": [{ "block": [{}], "count": [] }],
                        "statement": [{ "rate_based_statement": [{ "limit": 100, "aggregate_key_type": "IP", "evaluation_window_sec": 300 }] }],
                        "visibility_config": [{ "metric_name": format!("r{number}"), "cloudwatch_metrics_enabled": true, "sampled_requests_enabled": true }] }],
                    "visibility_config": [{ "metric_name": format!("a{number}"), "cloudwatch_metrics_enabled": true, "sampled_requests_enabled": true }] } } })
        } else {
            json!({ "address": format!("aws_instance.i{number}"), "mode": "managed", "type": "aws_instance", "name": format!("i{number}"),
                "change": { "actions": ["no-op"], "before": { "user_data": "x".repeat(700) }, "after": { "user_data": "x".repeat(700) } } })
        };
        size += change.to_string().len();
        changes.push(change);
    }
    json!({ "format_version": "1.2", "resource_changes": changes, "configuration": { "root_module": {} } }).to_string()
}
