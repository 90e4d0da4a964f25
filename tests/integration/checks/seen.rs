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
