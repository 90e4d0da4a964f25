//! A check is never green without having looked, and never writes over what it looks at.

use serde_json::Value;

use crate::harness::{Outcome, Workspace, repository};

/// The good web ACL of the documentation's story.
fn acl() -> String {
    std::fs::read_to_string(repository("tests/fixtures/checks/pull-request/main/waf.tf")).unwrap()
}

fn check(workspace: &Workspace, arguments: &[&str]) -> Outcome {
    let mut all = vec!["check"];
    all.extend(arguments);
    all.extend(["--today", "2026-12-01"]);
    workspace.run(&all)
}

/// The ids of what is found.
fn ids(workspace: &Workspace, arguments: &[&str]) -> Vec<String> {
    let mut all = arguments.to_vec();
    all.extend(["--format", "json"]);
    let outcome = check(workspace, &all);
    let document: Value =
        serde_json::from_str(&outcome.stdout).unwrap_or_else(|_| panic!("{}", outcome.stderr));
    let findings = document["findings"].as_array().unwrap();
    findings.iter().map(|one| one["check"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn folders_below_are_named_and_not_passed_over() {
    let workspace = Workspace::new();
    workspace.write("infra/waf.tf", acl());
    workspace.refused(&["check"], &["infra", "ratewaf check infra"]);
    // A file of its own in the folder does not make the web ACL below seen.
    workspace.write("versions.tf", "terraform {\n  required_version = \">= 1.9\"\n}\n");
    let outcome = check(&workspace, &[]);
    assert_eq!(outcome.status, 1, "{}", outcome.stdout);
    assert!(outcome.stdout.contains("error[web-acl-absent]"), "{}", outcome.stdout);
    assert!(outcome.stdout.contains("not seen: infra: no module calls"), "{}", outcome.stdout);
    assert_eq!(outcome.stderr, "", "said once");
    // Where that check does not run, it is said all the same.
    let outcome = check(&workspace, &["--only", "limit-range"]);
    assert!(outcome.stderr.contains("note: no web ACL"), "{}", outcome.stderr);
    // What a module block calls is read.
    workspace.write("main.tf", "module \"waf\" {\n  source = \"./infra\"\n}\n");
    let outcome = check(&workspace, &[]);
    assert!(outcome.stdout.contains(" in 1 web ACL"), "{}", outcome.stdout);
    assert!(!outcome.stdout.contains("not seen: infra"), "{}", outcome.stdout);
}

#[test]
fn every_environment_has_to_show_a_web_acl() {
    let workspace = Workspace::new();
    workspace.write("stage/waf.tf", acl());
    workspace.write("prod/waf.tf", acl().replace("aws_wafv2_web_acl\"", "aws_wafv2_webacl\""));
    assert!(!ids(&workspace, &["stage"]).iter().any(|it| it == "web-acl-absent"));
    let both = ids(&workspace, &["stage=stage", "prod=prod"]);
    assert_eq!(both.iter().filter(|it| *it == "web-acl-absent").count(), 1, "{both:?}");
    let text = check(&workspace, &["prod"]).stdout;
    assert!(text.contains("did you mean `aws_wafv2_web_acl`?"), "{text}");
    workspace.write("nothing.json", "{\"Resources\": {}}");
    assert_eq!(ids(&workspace, &["nothing.json"]), ["web-acl-absent"]);
}

/// A web ACL that a plan takes away was there to be looked at.
#[test]
fn what_is_taken_away_is_no_gap() {
    let workspace = Workspace::new();
    workspace.write("old/waf.tf", acl());
    workspace.write("new/logs.tf", "resource \"aws_sns_topic\" \"a\" {\n  name = \"a\"\n}\n");
    assert!(ids(&workspace, &["new"]).iter().any(|it| it == "web-acl-absent"));
    let found = ids(&workspace, &["new", "--before", "old"]);
    assert!(!found.iter().any(|it| it == "web-acl-absent"), "{found:?}");
}

#[test]
fn findings_never_replace_what_they_are_about() {
    let workspace = Workspace::new();
    workspace.write("infra/waf.tf", acl());
    workspace.write("was/waf.tf", acl());
    workspace.write("more.json", "{\"Rules\": []}");
    workspace.write(".ratewaf-ignore.yaml", "[]\n");
    let before = workspace.read("infra/waf.tf");
    for arguments in [
        vec!["infra/waf.tf", "--out", "infra/waf.tf"],
        vec!["infra", "--out", "./infra/../infra/waf.tf"],
        vec!["infra", "--before", "was", "--out", "was/waf.tf"],
        vec!["more.json", "--out", "more.json"],
        vec!["more.json", "--source", "infra", "--out", "infra/waf.tf"],
        vec!["infra", "--out", ".ratewaf-ignore.yaml"],
        vec!["infra", "--out", "infra/findings.tf"],
    ] {
        let mut all = vec!["check"];
        all.extend(&arguments);
        workspace.refused(&all, &[arguments.last().unwrap().trim_start_matches("./infra/../")]);
    }
    assert_eq!(workspace.read("infra/waf.tf"), before);
    assert_eq!(workspace.read("was/waf.tf"), before);
    assert_eq!(
        check(&workspace, &["infra", "--out", "findings.txt", "--fail-on", "never"]).status,
        0
    );
}

/// Found by a fresh user: `emit` writes them, and `check` took them for YAML.
#[test]
fn files_of_opentofu_are_read() {
    let workspace = Workspace::new();
    workspace.write("infra/waf.tofu", acl());
    for input in ["infra", "infra/waf.tofu"] {
        let outcome = check(&workspace, &[input, "--only", "limit-range"]);
        assert!(outcome.stdout.contains("in 1 web ACL"), "{}{}", outcome.stdout, outcome.stderr);
    }
    // In place of a file with the same name, which OpenTofu passes over.
    workspace.write("infra/waf.tf", acl().replace("_limit  = 500", "_limit  = 5"));
    assert!(check(&workspace, &["infra"]).stdout.contains("in 1 web ACL and 1 rate-based rule"));
    assert!(!ids(&workspace, &["infra"]).iter().any(|it| it == "limit-range"));
    workspace.refused(&["check", "infra", "--out", "infra/findings.tofu"], &["as Terraform"]);
}

#[test]
fn a_revision_is_no_state_to_compare_with() {
    let workspace = Workspace::new();
    workspace.write("infra/waf.tf", acl());
    workspace.refused(&["check", "infra", "--before", "HEAD"], &["HEAD", "git worktree add"]);
}

#[test]
fn values_without_a_value_are_said() {
    let workspace = Workspace::new();
    let limit = |text: &str| {
        let own = acl();
        let line = own.lines().find(|line| line.trim_start().starts_with("limit ")).unwrap();
        own.replace(line, &format!("        limit = {text}"))
    };
    workspace.write("a/waf.tf", limit("var.limit"));
    let text = check(&workspace, &["a"]).stdout;
    assert!(text.contains("error[reference-undeclared]"), "{text}");
    // One file of several: the others may declare it.
    let text = check(&workspace, &["a/waf.tf"]).stdout;
    assert!(!text.contains("reference-undeclared"), "{text}");
    assert!(text.contains("not seen: ") && text.contains("`var.limit`"), "{text}");
    workspace.write("a/variables.tf", "variable \"limit\" {\n  type = number\n}\n");
    let text = check(&workspace, &["a"]).stdout;
    assert!(!text.contains("reference-undeclared"), "{text}");
    assert!(text.contains("not seen: ") && text.contains("`var.limit`"), "{text}");
}

#[test]
fn nothing_is_installed_that_is_not_there() {
    let mut files = vec![repository("README.md")];
    for folder in ["docs", "templates/github", "templates/gitlab", "templates/pre-commit"] {
        let entries = std::fs::read_dir(repository(folder)).unwrap();
        files.extend(entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()));
    }
    let install = regex::bytes::Regex::new(r"cargo install[^\n`]*").unwrap();
    let mut seen = 0;
    for file in files {
        let bytes = std::fs::read(&file).unwrap();
        for found in install.find_iter(&bytes) {
            let command = String::from_utf8_lossy(found.as_bytes()).into_owned();
            assert!(command.contains("--path"), "{}: {command}", file.display());
            seen += 1;
        }
    }
    assert!(seen >= 4, "{seen}");
}

/// What is to be sent has its logging beside it, under an ARN that there is not yet.
#[test]
fn logging_that_is_sent_with_a_web_acl_is_seen() {
    let workspace = Workspace::new();
    let file = repository("tests/golden/policies/bucket/api-json/waf.json");
    let text = std::fs::read_to_string(file).unwrap();
    workspace.write("waf.json", &text);
    assert!(!ids(&workspace, &["waf.json"]).iter().any(|it| it == "logging-absent"));
    workspace.write("without.json", text.replace("put-logging-configuration", "none"));
    assert!(ids(&workspace, &["without.json"]).iter().any(|it| it == "logging-absent"));
}

/// A web ACL of Terraform with an argument for its rules.
fn with_rules(argument: &str) -> String {
    format!(
        "variable \"x\" {{}}\nresource \"aws_wafv2_web_acl\" \"this\" {{\n  name  = \"acme\"\n  scope = \"REGIONAL\"\n{argument}\n}}\n"
    )
}

const RULES: &str = r#"[{"Name": "login", "Priority": 1, "Action": {"Block": {}}, "Statement": {"RateBasedStatement": {"Limit": 5, "AggregateKeyType": "IP"}}, "VisibilityConfig": {"SampledRequestsEnabled": true, "CloudWatchMetricsEnabled": true, "MetricName": "login"}}]"#;

/// What is not seen, as JSON has it; a sentence each.
fn unseen(workspace: &Workspace, input: &str) -> Vec<String> {
    let outcome = check(workspace, &[input, "--format", "json"]);
    let document: Value =
        serde_json::from_str(&outcome.stdout).unwrap_or_else(|_| panic!("{}", outcome.stderr));
    let unseen = document["not_seen"].as_array().unwrap();
    unseen.iter().map(|one| one["what"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn rules_in_a_file_of_their_own_are_read() {
    let workspace = Workspace::new();
    workspace.write("infra/rules.json", RULES);
    workspace.write("rules.json", RULES);
    for (path, is_read) in [
        ("rules.json", true),
        ("./rules.json", true),
        ("${path.module}/rules.json", true),
        ("${path.root}/../infra/rules.json", true),
        ("../rules.json", false),
        ("/dev/zero", false),
        ("none.json", false),
    ] {
        workspace.write("infra/waf.tf", with_rules(&format!("  rule_json = file(\"{path}\")")));
        assert_eq!(
            ids(&workspace, &["infra"]).iter().any(|it| it == "limit-range"),
            is_read,
            "{path}"
        );
        let unseen = unseen(&workspace, "infra");
        let is_said =
            unseen.iter().any(|it| it.starts_with("the rules of web ACL `acme` are `file("));
        assert_eq!(is_said, !is_read, "{path}: {unseen:?}");
    }
    // A module's file, and a rule group's.
    workspace.write("infra/waf.tf", "module \"waf\" {\n  source = \"./modules/waf\"\n}\n");
    workspace.write("infra/modules/waf/rules.json", RULES);
    let group = with_rules("  capacity = 10\n  rules_json = file(\"${path.module}/rules.json\")");
    workspace.write("infra/modules/waf/waf.tf", group.replace("_web_acl", "_rule_group"));
    assert!(ids(&workspace, &["infra"]).iter().any(|it| it == "limit-range"));
    // A pipe is never opened, and findings do not replace what is read.
    let refused = check(&workspace, &["infra", "--out", "infra/modules/waf/rules.json"]);
    assert_eq!(refused.status, 2, "{}", refused.stderr);
}

#[test]
fn rules_that_cannot_be_known_are_told() {
    let workspace = Workspace::new();
    let heredoc = format!("  rule_json = <<-EOT\n    {}\n  EOT", RULES.replace('5', "${var.x}"));
    for argument in
        ["  rule_json = var.x", heredoc.as_str(), "  rule_json = templatefile(\"a\", {})"]
    {
        workspace.write("waf.tf", with_rules(argument));
        let told = unseen(&workspace, ".");
        assert!(
            told.iter().any(|it| it.starts_with("the rules of web ACL `acme` are")),
            "{told:?}"
        );
        workspace.write(
            "waf.tf",
            with_rules(&argument.replace("rule_json", "rules_json"))
                .replace("_web_acl", "_rule_group"),
        );
        let told = unseen(&workspace, ".");
        assert!(
            told.iter().any(|it| it.starts_with("the rules of rule group `acme` are")),
            "{told:?}"
        );
    }
    let text = check(&workspace, &["."]).stdout;
    assert!(text.contains("not seen: aws_wafv2_rule_group.this: the rules of"), "{text}");
}

#[test]
fn rules_in_faulty_json_are_an_error() {
    let workspace = Workspace::new();
    for text in ["[{\\\"Name\\\":", "{}", "x", "[{\\\"Name\\\": 1, \\\"Name\\\": 2}]"] {
        workspace.write("infra/waf.tf", with_rules(&format!("  rule_json = \"{text}\"")));
        workspace
            .refused(&["check", "infra"], &["infra/waf.tf", "aws_wafv2_web_acl.this", "rule_json"]);
    }
    let plan = serde_json::json!({"format_version": "1.2", "resource_changes": [{
        "address": "aws_wafv2_web_acl.this", "mode": "managed", "type": "aws_wafv2_web_acl", "name": "this",
        "change": {"actions": ["create"], "before": null,
            "after": {"name": "acme", "scope": "REGIONAL", "rule_json": "[{\"Name\":"}},
    }]});
    workspace.write("plan.json", plan.to_string());
    workspace
        .refused(&["check", "plan.json"], &["plan.json", "aws_wafv2_web_acl.this", "rule_json"]);
}

#[test]
fn rules_that_only_cloudformation_knows_are_told() {
    let workspace = Workspace::new();
    for rules in [
        "!Ref R",
        "!ImportValue rules",
        "!If [Prod, [], []]",
        "{'Fn::Transform': {Name: 'AWS::Include', Parameters: {Location: 's3://a/b'}}}",
        "'[]'",
        "[!If [Prod, {}, {}]]",
        "[{Name: a, Priority: 1, Statement: !Ref R}]",
        "[{Name: a, Priority: 1, Statement: {RateBasedStatement: !Ref R}}]",
    ] {
        let template = format!(
            "Parameters:\n  R: {{Type: String}}\nConditions:\n  Prod: !Equals [a, b]\nResources:\n  Acl:\n    Type: AWS::WAFv2::WebACL\n    Properties:\n      Name: acme\n      Scope: REGIONAL\n      DefaultAction: {{Allow: {{}}}}\n      Rules: {rules}\n"
        );
        workspace.write("waf.yaml", template);
        let told = unseen(&workspace, "waf.yaml");
        assert!(!told.is_empty(), "{rules}");
    }
    workspace.write("waf.yaml", "Resources:\n  Acl:\n    Type: AWS::WAFv2::WebACL\n    Properties:\n      Fn::Transform: {Name: 'AWS::Include'}\n      Name: acme\n  Fn::ForEach::A: [X, [a], {}]\nTransform: [Own, AWS::LanguageExtensions]\n");
    assert_eq!(unseen(&workspace, "waf.yaml").len(), 3);
}

#[test]
fn arithmetic_that_cannot_be_told_is_not_known_and_no_panic() {
    let workspace = Workspace::new();
    let rule = |limit: &str| {
        with_rules(&format!(
            "  rule {{\n    name = \"login\"\n    priority = 1\n    action {{\n      block {{}}\n    }}\n    statement {{\n      rate_based_statement {{\n        limit = {limit}\n        aggregate_key_type = \"IP\"\n      }}\n    }}\n  }}"
        ))
    };
    for limit in [
        "5 % 0",
        "300 / 0",
        "(-9223372036854775807 - 1) % -1 + 5 / 0",
        "300 % 0 == 0 ? 300 : 300",
        "18446744073709551615 + 301",
        "9223372036854775808 * 2 + 300",
        "0.5 % 0",
        "1e308 * 10",
        "\"${5 % 0}\"",
        "\"a${5 % 0}\"",
        "length([for x in [1] : x % 0])",
        "length({ a = 5 % 0 })",
        "[300][5 % 0]",
    ] {
        workspace.write("infra/waf.tf", rule(limit));
        let told = unseen(&workspace, "infra");
        assert!(
            told.iter().any(|it| it.starts_with("the Limit of rule `login` is")),
            "{limit}: {told:?}"
        );
        for command in
            [&["check", "infra", "--before", "infra"][..], &["replay", "x.log", "--rules", "infra"]]
        {
            let outcome = workspace.run(command);
            assert!(outcome.status < 3, "{limit}: {}", outcome.stderr);
        }
    }
    for (limit, is_low) in [
        ("2 * 150 + 7 % 4", false),
        ("\"${2 * 2}\"", true),
        ("(-9223372036854775807 - 1) % -1 + 5", true),
        ("10 / 4 * 2", true),
        ("-5 + 10", true),
        ("sum", true),
    ] {
        let limit = if limit == "sum" { "[for x in [1, 4] : x * x][1] - 11" } else { limit };
        workspace.write("infra/waf.tf", rule(limit));
        assert_eq!(
            ids(&workspace, &["infra"]).iter().any(|it| it == "limit-range"),
            is_low,
            "{limit}"
        );
    }
}
