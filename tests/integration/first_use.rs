//! What fresh users and testers stumbled over, one test each: first runs, files that meet, and what is believed.

use crate::harness::{HEADER, Outcome, Workspace, line, program, scenario};

const SEARCH: &str = "GET /api/v1/search";
const TOKEN: &str = "GET /api/v1/token";

/// A workspace with the policy and the lock of one route.
fn analysed(logs: &str, route: &str, more: &[&str]) -> Workspace {
    let workspace = Workspace::new();
    let arguments = ["analyze", &scenario(logs), "--route", route, "--quiet"];
    workspace.ok(&[&arguments, more].concat());
    workspace
}

/// Text without its line breaks, which depend on the width.
fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_lock_edited_by_hand_is_believed_by_no_command() {
    let workspace = analysed("article-week", TOKEN, &[]);
    let lock = workspace.read("ratewaf.lock.json");
    assert!(lock.contains("\"limit\": 300"), "{lock}");
    let logs = scenario("article-week");
    let edited = lock.replacen("\"limit\": 300", "\"limit\": 450", 1);
    for (text, told) in [
        (edited, "contradicts itself"),
        (lock.replacen("\"max\": 7383", "\"max\": 99", 1), "was changed after ratewaf wrote it"),
        (format!("<<<<<<< HEAD\n{lock}"), "git could not merge two locks"),
    ] {
        workspace.write("ratewaf.lock.json", &text);
        for command in [
            &["emit"][..],
            &["replay", &logs],
            &["check", "nothing.json", "--lock", "ratewaf.lock.json"],
            &["report", &logs, "--compare", "ratewaf.lock.json", "--out", "report.html"],
        ] {
            workspace.refused(command, &[told, "run `ratewaf analyze`"]);
        }
    }
    // The way out.
    workspace.ok(&["analyze", &logs, "--quiet"]);
    assert_eq!(workspace.read("ratewaf.lock.json"), lock);
    workspace.ok(&["emit"]);
}

#[test]
fn a_run_that_only_looks_prints_what_to_add_to_the_policy() {
    let workspace = Workspace::new();
    let logs = scenario("qa-runner-giant");
    // A policy with another route.
    workspace.write(
        "ratewaf.yaml",
        "version: 1\nname: acl\nweb_acl: { create: prod }\nroutes:\n  - { name: other, path: { exactly: /other }, limit: 100 }\n",
    );
    let look = ["analyze", &logs, "--route", SEARCH, "--exempt", "qa=198.51.100.20/32"];
    let page = workspace.ok(&look).stdout;
    let (before, yaml) = page.split_once("\nnetworks:\n").unwrap();
    assert!(joined(before).contains("add this to ratewaf.yaml"), "{before}");
    assert!(joined(before).contains("ratewaf emit --count-mode --out waf.tf"), "{before}");
    let yaml = format!("networks:\n{yaml}");
    assert!(yaml.contains("  qa: { cidrs: [\"198.51.100.20/32\"], kind: tester }"), "{yaml}");
    assert!(yaml.contains("    twins: [{ network: qa, limit: auto }]"), "{yaml}");
    // It goes into the policy as it stands; its list of routes comes behind the one that is there.
    let (networks, routes) = yaml.split_once("routes:\n").unwrap();
    let routes: String = routes
        .lines()
        .take_while(|line| line.starts_with(' '))
        .map(|line| format!("{line}\n"))
        .collect();
    let policy = workspace.read("ratewaf.yaml");
    workspace.write("ratewaf.yaml", format!("{policy}{routes}{networks}"));
    let again = workspace.run(&["analyze", &logs]);
    assert_eq!(again.status, 0, "{}", again.stderr);
    assert!(again.stderr.contains("wrote ratewaf.lock.json"), "{}", again.stderr);
    let emitted = workspace.ok(&["emit", "--accept", "weak"]).stdout;
    assert!(emitted.contains("qa"), "{emitted}");
}

#[test]
fn what_to_do_next_is_right_with_no_write_and_counts_first() {
    let workspace = Workspace::new();
    let logs = scenario("article-week");
    let next = |outcome: &Outcome| {
        let text = joined(&outcome.stdout);
        text.rsplit_once("next ").map(|(_, next)| next.to_owned()).unwrap_or(text)
    };
    let only = workspace.ok(&["analyze", &logs, "--route", TOKEN, "--no-write"]);
    assert!(
        next(&only).starts_with("without --no-write it writes policy and lock"),
        "{}",
        only.stdout
    );
    let first = workspace.ok(&["analyze", &logs, "--route", TOKEN]);
    assert!(next(&first).starts_with("ratewaf emit --count-mode --out waf.tf"), "{}", first.stdout);
    let known = workspace.ok(&["analyze", &logs, "--no-write"]);
    assert!(next(&known).starts_with("without --no-write"), "{}", known.stdout);
    let survey = workspace.ok(&["analyze", &logs, "--survey"]);
    assert!(
        joined(&survey.stdout).contains("prints what to add to ratewaf.yaml"),
        "{}",
        survey.stdout
    );
}

#[test]
fn weak_comes_with_its_reason() {
    let workspace = Workspace::new();
    let arguments = ["analyze", &scenario("qa-runner-giant"), "--route", SEARCH];
    let exempt = ["--exempt", "qa=198.51.100.20/32"];
    let page = joined(&workspace.ok(&[&arguments[..], &exempt].concat()).stdout);
    let (_, why) = page.split_once("Weak, because ").unwrap();
    assert!(!why.is_empty());
    for (what, text) in [
        ("lock", workspace.read("ratewaf.lock.json")),
        ("policy", workspace.read("ratewaf.yaml")),
        ("emitted", workspace.ok(&["emit"]).stdout),
    ] {
        assert!(joined(&text).replace(" # ", " ").contains("Weak, because "), "{what}: {text}");
    }
    let clear =
        workspace.ok(&["analyze", &scenario("article-week"), "--route", TOKEN, "--no-write"]);
    assert!(!clear.stdout.contains("Weak, because"), "{}", clear.stdout);
}

#[test]
fn a_weak_rule_counts_in_replay_and_explain_too() {
    let workspace = analysed("qa-runner-giant", SEARCH, &["--exempt", "qa=198.51.100.20/32"]);
    let logs = scenario("qa-runner-giant");
    let replayed = joined(&workspace.ok(&["replay", &logs]).stdout);
    assert!(
        replayed.contains("action count") && replayed.contains("would have been counted"),
        "{replayed}"
    );
    assert!(
        replayed.contains("the limit is a weak proposal, so the rule only counts"),
        "{replayed}"
    );
    assert!(!replayed.contains("would have been refused"), "{replayed}");
    let json = workspace.ok(&["replay", &logs, "--format", "json"]).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let client = json["rules"][0]["limited"][0]["client"].as_str().unwrap();
    let explained = joined(&workspace.ok(&["explain", client, &logs]).stdout);
    assert!(explained.contains("the limit is a weak proposal"), "{explained}");
    assert!(explained.contains(" counted, "), "{explained}");
    let accepted = workspace
        .read("ratewaf.yaml")
        .replace("    limit: auto\n", "    limit: auto\n    accept: weak\n");
    workspace.write("ratewaf.yaml", accepted);
    let replayed = joined(&workspace.ok(&["replay", &logs]).stdout);
    assert!(replayed.contains("action block") && !replayed.contains("weak proposal"), "{replayed}");
}

/// The command in the comment of a file, to be run by a shell where it was written.
fn command_of(text: &str) -> String {
    let line = text.lines().find(|line| line.contains("To compare the two: ")).unwrap();
    let (_, command) = line.split_once("To compare the two: ").unwrap();
    command.trim_end_matches(['"', ',']).to_owned()
}

#[test]
fn the_command_in_the_header_works_when_it_is_pasted() {
    let workspace = analysed("qa-runner-giant", SEARCH, &["--policy", "low limits.yaml"]);
    workspace.ok(&["analyze", &scenario("qa-runner-giant"), "--route", SEARCH, "--quiet"]);
    let pasted = |file: &str| {
        let command = command_of(&workspace.read(file));
        let mut shell = std::process::Command::new("sh");
        let binary = std::path::PathBuf::from(program(workspace.path()).get_program());
        let path = std::env::var("PATH").unwrap();
        let path = format!("{}:{path}", binary.parent().unwrap().display());
        let done = shell
            .args(["-c", &command])
            .current_dir(workspace.path())
            .env("PATH", path)
            .output()
            .unwrap();
        assert!(done.status.success(), "{command}: {}", String::from_utf8_lossy(&done.stderr));
        command
    };
    let policy = ["--policy", "low limits.yaml"];
    workspace.ok(&[&["emit", "--out", "it's low.tf", "--accept", "weak"], &policy[..]].concat());
    let command = pasted("it's low.tf");
    assert!(command.contains("--policy 'low limits.yaml'"), "{command}");
    workspace.ok(&["emit", "--out", "infra/"]);
    assert_eq!(pasted("infra/waf.tf"), "ratewaf emit --check infra/");
    for (format, file) in [
        ("cloudformation", "a.yaml"),
        ("cloudformation-json", "a.json"),
        ("cdk", "a.ts"),
        ("terraform-json", "b.tf.json"),
    ] {
        workspace.ok(&["emit", "--format", format, "--count-mode", "--out", file]);
        let command = pasted(file);
        assert!(command.contains("--count-mode"), "{command}");
    }
    // From elsewhere, and by another name: it is the same text.
    let inside = program(&workspace.path().join("infra"))
        .args(["emit", "--policy", "../ratewaf.yaml", "--check", "."])
        .output()
        .unwrap();
    assert!(inside.status.success(), "{}", String::from_utf8_lossy(&inside.stdout));
}

#[test]
fn a_pinned_limit_has_its_own_distances_as_evidence() {
    let workspace = analysed("article-week", TOKEN, &[]);
    let own = joined(&workspace.ok(&["emit"]).stdout).replace(" # ", " ");
    assert!(own.contains("headroom 1.60x, margin 1.56x"), "{own}");
    let pinned = workspace.read("ratewaf.yaml").replace("limit: auto", "limit: 360");
    workspace.write("ratewaf.yaml", pinned);
    let pinned = joined(&workspace.ok(&["emit"]).stdout).replace(" # ", " ");
    assert!(pinned.contains("headroom 1.93x, margin 1.30x at the pinned limit"), "{pinned}");
    assert!(!pinned.contains("headroom 1.60x"), "{pinned}");
}

#[test]
fn emit_replaces_only_what_it_wrote_in_the_same_dialect() {
    let workspace = analysed("article-week", TOKEN, &[]);
    workspace.ok(&["emit", "--out", "waf.tf"]);
    let text = workspace.read("waf.tf");
    workspace.refused(
        &["emit", "--out", "waf.tf", "--format", "cloudformation"],
        &["`waf.tf` has the ending of another dialect", ".yaml"],
    );
    workspace.refused(&["emit", "--out", "waf.yaml"], &["`waf.yaml` has the ending", ".tf"]);
    workspace.ok(&["emit", "--out", "same"]);
    let other = ["emit", "--out", "same", "--format", "cloudformation"];
    workspace
        .refused(&other, &["`same` is there already, and ratewaf wrote it in another dialect"]);
    assert_eq!(workspace.read("same").replace("--check same", "--check waf.tf"), text);
    workspace.write("main.tf", "resource \"aws_s3_bucket\" \"mine\" {}\n");
    workspace.refused(
        &["emit", "--out", "main.tf"],
        &["`main.tf` is there already, and ratewaf emit did not write it", "--out"],
    );
    workspace.write("package.json", "{\"name\": \"shop\"}");
    workspace.refused(
        &["emit", "--format", "api-json", "--out", "package.json"],
        &["ratewaf emit did not write it"],
    );
    // Its own are replaced, also after they changed, and an empty one is nobody's.
    workspace.write("waf.tf", text.replace("300", "301"));
    workspace.write("empty.tf", "\n");
    for file in ["waf.tf", "empty.tf"] {
        workspace.ok(&["emit", "--out", file]);
    }
    workspace.ok(&["emit", "--format", "api-json", "--out", "api.json"]);
    workspace.ok(&["emit", "--format", "api-json", "--count-mode", "--out", "api.json"]);
    assert_eq!(workspace.read("waf.tf"), text);
}

#[test]
fn explain_knows_its_client_before_it_reads() {
    let workspace = Workspace::new();
    let mut log = HEADER.to_owned();
    for second in 0..20 {
        log.push_str(&line(second * 40, "198.51.100.7", "/a"));
        log.push_str(&line(second * 50, "198.51.100.9", "/a"));
    }
    workspace.write("logs/a.log", log);
    workspace.write(
        "ratewaf.yaml",
        "version: 1\nname: acl\nweb_acl: { create: prod }\nnetworks:\n  office: { cidrs: [198.51.100.0/24], kind: known-good }\n  two: { cidrs: [192.0.2.1, \"2001:db8::/64\"], kind: tester }\nroutes:\n  - { name: a, path: { exactly: /a }, limit: 100 }\n",
    );
    workspace.refused(&["explain", "198.18.26.910", "nowhere"], &["`198.18.26.910` is no address"]);
    workspace.refused(
        &["explain", "logs", "198.51.100.7"],
        &["the client comes first, then the logs", "ratewaf explain 198.51.100.7 logs"],
    );
    workspace.refused(&["explain", "two", "logs"], &["several parts: 192.0.2.1/32, 2001:db8::/64"]);
    let office = workspace.ok(&["explain", "office", "logs"]).stdout;
    assert!(office.starts_with("198.51.100.0/24"), "{office}");
    let text = joined(&office);
    assert!(text.contains("made up of 2 addresses of these logs"), "{text}");
    assert!(!text.contains("other address"), "a network is no neighbour of itself: {text}");
    let nonsense =
        workspace.refused(&["explain", "nonsense", "logs"], &["not one of the 40 requests"]);
    assert!(
        nonsense.stderr.contains("neither an address nor a network of the policy (office, two)"),
        "{}",
        nonsense.stderr
    );
}

/// A web ACL with one rule, as Terraform.
const RULES: &str = r#"resource "aws_wafv2_web_acl" "acl" {
  name  = "acl"
  scope = "CLOUDFRONT"
  default_action {
    allow {}
  }
  rule {
    name     = "rate"
    priority = 1
    action {
      block {}
    }
    statement {
      rate_based_statement {
        limit              = 300
        aggregate_key_type = "IP"
      }
    }
  }
}
"#;

#[test]
fn no_output_replaces_an_input() {
    let workspace = Workspace::new();
    workspace.write("logs/a.log", format!("{HEADER}{}", line(1, "198.51.100.7", "/a")));
    workspace.write("geo.mmdb", "a database");
    workspace.write("config.json", "{}");
    workspace.write("infra/waf.tf", RULES);
    workspace.write("old.lock.json", "{}");
    let route = ["--route", "/a", "--limit", "100"];
    let explain = ["explain", "198.51.100.7", "logs", "--geo", "geo.mmdb", "--out", "geo.mmdb"];
    workspace.refused(&explain, &["--out would replace `geo.mmdb`, which --geo reads"]);
    let replay = ["replay", "logs", "--rules", "infra", "--out", "infra/waf.tf"];
    workspace.refused(&replay, &["infra/waf.tf"]);
    let config = ["--realtime-config", "config.json", "--out", "config.json"];
    workspace
        .refused(&[&["replay", "logs"], &route[..], &config[..]].concat(), &["--realtime-config"]);
    workspace.refused(&[&["analyze", "logs"], &config[..]].concat(), &["--realtime-config"]);
    let report =
        ["report", "logs", "--route", "/a", "--compare", "old.lock.json", "--out", "old.lock.json"];
    workspace.refused(&report, &["old.lock.json"]);
    for (name, text) in [
        ("geo.mmdb", "a database"),
        ("config.json", "{}"),
        ("infra/waf.tf", RULES),
        ("old.lock.json", "{}"),
    ] {
        assert_eq!(workspace.read(name), text);
    }
}

/// A plan with one web ACL, whose rule has nobody who is told.
fn plan() -> String {
    let metrics = serde_json::json!([{
        "metric_name": "acl", "cloudwatch_metrics_enabled": true, "sampled_requests_enabled": true
    }]);
    let values = serde_json::json!({
        "name": "acl",
        "scope": "CLOUDFRONT",
        "default_action": [{ "allow": [{}], "block": [] }],
        "visibility_config": metrics,
        "rule": [{
            "name": "rate",
            "priority": 1,
            "action": [{ "block": [{}] }],
            "statement": [{ "rate_based_statement": [{
                "limit": 300, "aggregate_key_type": "IP", "evaluation_window_sec": 300
            }] }],
            "visibility_config": metrics
        }]
    });
    let resource = |member: &str, value: serde_json::Value| {
        let mut resource = serde_json::json!({
            "address": "aws_wafv2_web_acl.acl",
            "mode": "managed",
            "type": "aws_wafv2_web_acl",
            "name": "acl",
            "provider_name": "registry.terraform.io/hashicorp/aws"
        });
        resource[member] = value;
        resource
    };
    let change = serde_json::json!({
        "actions": ["create"], "before": null, "after": values, "after_unknown": {}
    });
    serde_json::json!({
        "format_version": "1.2",
        "terraform_version": "1.9.0",
        "planned_values": { "root_module": { "resources": [resource("values", values.clone())] } },
        "resource_changes": [resource("change", change)],
        "configuration": { "root_module": {
            "resources": [resource("expressions", serde_json::json!({}))]
        } }
    })
    .to_string()
}

#[test]
fn only_the_file_that_cannot_be_read_beside_a_plan_is_left_out() {
    let workspace = Workspace::new();
    workspace.write("plan.json", plan());
    workspace.write(
        "waf.tf",
        "resource \"aws_wafv2_web_acl\" \"acl\" {\n  rule {\n    name = \"rate\"\n  }\n}\n",
    );
    workspace.write("odd.tf", [0xff, 0xfe, b'\n']);
    let told = workspace.run(&["check", "plan.json", "--today", "2026-11-29"]);
    assert_eq!(told.status, 1, "{}{}", told.stdout, told.stderr);
    let note = "note: no line of it can be named: cannot read ./odd.tf";
    assert!(told.stderr.contains(note), "{}", told.stderr);
    assert!(told.stdout.contains(" --> waf.tf:2:3"), "the others are: {}", told.stdout);
    // Nothing is found, so nothing has to be placed.
    let only = ["check", "plan.json", "--today", "2026-11-29", "--only", "priority-twice"];
    let told = workspace.ok(&only);
    assert!(!told.stderr.contains("odd.tf"), "{}", told.stderr);
}

#[test]
fn demo_logs_end_on_any_day() {
    let workspace = Workspace::new();
    let make = |folder: &str, more: &[&str]| {
        workspace
            .ok(&[&["demo-logs", "--lines", "20000", "--out", folder, "--quiet"], more].concat());
        workspace.read(&format!("{folder}/truth.json"))
    };
    let usual = make("a", &[]);
    assert_eq!(make("b", &["--end", "2026-09-13"]), usual, "the default stays");
    make("c", &["--end", "2027-05-16", "--days", "3"]);
    let analysed = workspace.ok(&["analyze", "c", "--no-write", "--format", "json"]).stdout;
    let coverage: serde_json::Value = serde_json::from_str(&analysed).unwrap();
    let text = coverage["coverage"].to_string();
    assert!(text.contains("2027-05-14T") && text.contains("2027-05-16T"), "{text}");
    workspace.refused(&["demo-logs", "--out", "d", "--end", "soon"], &["`soon` is no date"]);
}

#[test]
fn numbered_files_are_one_row_of_a_survey() {
    let workspace = Workspace::new();
    let mut log = HEADER.to_owned();
    for number in 0..300_u32 {
        log.push_str(&line(
            number * 20,
            &format!("198.18.0.{}", number % 50),
            &format!("/files/manuals/{number:05}.pdf"),
        ));
    }
    workspace.write("logs/a.log", log);
    let page = workspace.ok(&["analyze", "logs", "--no-write"]).stdout;
    assert!(page.contains("GET /files/manuals/{n}.pdf"), "{page}");
    assert!(!page.contains("00017.pdf"), "{page}");
}
