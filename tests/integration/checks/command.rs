//! `ratewaf check` and `ratewaf explain-check` from outside.

use std::process::Command;

use ratewaf::checks::read::{Input, read_text};
use serde_json::{Value, json};

use crate::golden;
use crate::harness::{Workspace, program, repository};

const STORY: &str = "tests/fixtures/checks/pull-request";

/// A folder with the story of the documentation in it.
pub fn story() -> Workspace {
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

pub fn checked(workspace: &Workspace, arguments: &[&str]) -> crate::harness::Outcome {
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
        // The committee's expression for a language has a bracket too many.
        let schema: Value =
            serde_json::from_str(&schema.replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}$")).unwrap();
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
    assert_eq!(status(&["--only", "suppression", "--fail-on", "note"]), 0, "none is wrong");
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

#[test]
fn a_folder_without_a_root_module_is_no_clean_one() {
    let workspace = story();
    for input in [".", "./"] {
        let texts = [
            "itself holds no .tf file",
            "infra, main",
            "hint: name the one that Terraform runs in",
        ];
        workspace.refused(&["check", input], &texts);
    }
    for input in ["infra/", "./infra", "infra/."] {
        let outcome = checked(&workspace, &[input, "--only", "limit-range"]);
        assert_eq!(outcome.status, 0, "{}", outcome.stderr);
        assert!(outcome.stdout.contains("1 web ACL"), "{}", outcome.stdout);
    }
    workspace.write("other/main.tf", "locals {}\n");
    let outcome = checked(&workspace, &["other"]);
    assert_eq!(outcome.status, 1);
    assert!(outcome.stdout.contains("error[web-acl-absent]"), "{}", outcome.stdout);
}

/// The templates say `source: infra` whatever the input is.
#[test]
fn a_source_that_is_the_input_is_read_once() {
    let workspace = story();
    let text = workspace.read("infra/waf.tf");
    let start = "resource \"aws_wafv2_web_acl\"";
    assert!(text.contains(start));
    let ignored = "# ratewaf: ignore[limit-below-normal] as agreed, until 2027-01-31\n";
    workspace.write("infra/waf.tf", text.replacen(start, &format!("{ignored}{start}"), 1));
    let plain = checked(&workspace, &["infra"]);
    assert!(plain.stdout.contains("1 suppressed"), "{}", plain.stdout);
    let whole = workspace.path().join("infra").display().to_string();
    for source in ["infra", "./infra", &whole] {
        let again = checked(&workspace, &["infra", "--source", source]);
        assert_eq!((again.status, &again.stdout), (plain.status, &plain.stdout), "{source}");
    }
}

#[test]
fn a_limit_that_is_not_known_is_said() {
    let workspace = story();
    let text = workspace.read("infra/waf.tf").replace("= local.shop_login_limit", "= var.limit");
    workspace.write("infra/waf.tf", text + "variable \"limit\" {}\n");
    let outcome = checked(&workspace, &["infra"]);
    let said = "not seen: aws_wafv2_web_acl.shop: the Limit of rule `shop-login` is `var.limit`";
    assert!(outcome.stdout.contains(said), "{}", outcome.stdout);
}

/// 10 MB in less than a second of a processor and with less than 200 MB, also in a debug build: the bounds are the
/// system's (`RLIMIT_CPU`, `RLIMIT_DATA`), so that a busy machine changes nothing.
#[test]
fn a_large_plan_is_read_in_time_and_in_little_memory() {
    let workspace = Workspace::new();
    workspace.write("plan.json", large_plan(10 << 20));
    for format in ["text", "sarif", "junit"] {
        let own = program(workspace.path());
        let mut command = Command::new("bash");
        command.current_dir(workspace.path()).env_clear();
        command.envs(own.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command.args(["-c", "ulimit -d 204800 && ulimit -t 1 && exec \"$0\" \"$@\""]);
        command.arg(own.get_program());
        command.args(["check", "plan.json", "--fail-on", "never", "--format", format]);
        let output = command.output().unwrap();
        let words = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{format}: {words}");
        assert!(!output.stdout.is_empty(), "{format}");
    }
}

/// Wherever a plan is cut off, and whatever is nested in it, it is refused in one sentence.
#[test]
fn plans_that_are_no_plans_end_with_exit_code_2() {
    let workspace = Workspace::new();
    let plan = large_plan(20_000);
    for cut in (1..plan.len()).step_by(997) {
        let input = Input { name: "plan.json".into(), environment: None, text: plan[..cut].into() };
        let error = read_text(&input).unwrap_err().to_string();
        assert!(error.contains("plan.json") && error.lines().count() == 1, "{cut}: {error}");
    }
    for (name, text) in [
        ("cut.json", plan[..plan.len() / 2].to_owned()),
        ("empty.json", String::new()),
        ("no-object.json", "[1, 2]".to_owned()),
        ("wrong.json", plan.replace("\"resource_changes\":[", "\"resource_changes\":7,\"x\":[")),
        (
            "deep.json",
            plan.replace(
                "{\"root_module\":{}}",
                &format!("{}1{}", "{\"a\":".repeat(5_000), "}".repeat(5_000)),
            ),
        ),
    ] {
        workspace.write(name, text);
        workspace.refused(&["check", name], &[name]);
    }
    let huge = std::fs::File::create(workspace.path().join("huge.json")).unwrap();
    huge.set_len(65 << 20).unwrap();
    workspace.refused(&["check", "huge.json"], &["huge.json", "67108864"]);
}

#[test]
fn terraform_in_json_is_read_like_the_same_in_hcl() {
    let workspace = Workspace::new();
    let acl = |limit: u32| {
        json!({ "resource": { "aws_wafv2_web_acl": { "this": {
            "name": "shop", "scope": "CLOUDFRONT", "default_action": { "allow": {} },
            "rule": [{
                "name": "token", "priority": 1, "action": { "block": {} },
                "statement": { "rate_based_statement": { "limit": limit, "aggregate_key_type": "IP" } },
                "visibility_config": { "metric_name": "token", "cloudwatch_metrics_enabled": true, "sampled_requests_enabled": true },
            }],
            "visibility_config": { "metric_name": "shop", "cloudwatch_metrics_enabled": true, "sampled_requests_enabled": true },
        } } } })
    };
    let pretty = serde_json::to_string_pretty(&acl(5)).unwrap();
    let line = 1 + pretty.lines().position(|line| line.contains("\"limit\": 5")).unwrap();
    workspace.write("infra/waf.tf.json", &pretty);
    workspace.write("infra/main.tf", "locals {\n  a = 1\n}\n");
    for input in ["infra", "infra/waf.tf.json"] {
        let outcome = workspace.run(&["check", input, "--only", "limit-range"]);
        assert_eq!(outcome.status, 1, "{}", outcome.stderr);
        let place = format!("--> infra/waf.tf.json:{line}:");
        assert!(outcome.stdout.contains(&place), "{place}: {}", outcome.stdout);
    }
    workspace.write("infra/waf.tf.json", acl(300).to_string());
    workspace.ok(&["check", "infra", "--only", "limit-range"]);
    workspace.write("infra/waf.tf.json", "{\"resource\": ");
    workspace.refused(&["check", "infra"], &["infra/waf.tf.json", "no Terraform", "line 1"]);
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
