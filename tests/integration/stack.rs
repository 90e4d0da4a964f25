//! Golden files of what policies emit, one for each thing that a policy can ask for, and what Terraform
//! says about them.

use std::fs;
use std::path::PathBuf;

use crate::harness::{Workspace, repository, scenario};
use crate::{golden, tools};

/// The golden file or folder, the policy, and further arguments.
pub const CASES: [(&str, &str, &[&str]); 17] = [
    ("one-route.tf", "one-route", &[]),
    ("whole-story/", "whole-story", &[]),
    ("whole-story-stage.tf", "whole-story", &["--env", "stage"]),
    ("whole-story-6.tf", "whole-story", &["--provider", "6"]),
    ("module/", "whole-story", &["--module"]),
    ("module-6/", "whole-story", &["--module", "--provider", "6"]),
    ("keys.tf", "keys", &[]),
    ("asn.tf", "asn", &[]),
    ("site-wide.tf", "site-wide", &[]),
    ("second-limit.tf", "second-limit", &[]),
    ("attach-group.tf", "attach-group", &[]),
    ("attach-group-5.tf", "attach-group", &["--provider", "5"]),
    ("attach-rules.tf", "attach-rules", &[]),
    ("regional.tf", "regional", &[]),
    ("bucket.tf", "bucket", &[]),
    ("bucket-count.tf", "bucket", &["--count-mode"]),
    ("bucket-5.tf", "bucket", &["--provider", "5"]),
];

/// Those that version 5.100 of the provider has to take.
fn is_for_five(name: &str) -> bool {
    !["asn.tf", "attach-group.tf", "attach-rules.tf"].contains(&name) && !name.contains("-6")
}

fn folder() -> PathBuf {
    repository("tests/golden/emit")
}

/// Emits a case into `name` of a workspace.
fn emit(workspace: &Workspace, name: &str, policy: &str, more: &[&str]) {
    let policy = folder().join(policy).with_extension("yaml");
    let lock = folder().join("ratewaf.lock.json");
    workspace.write("ratewaf.yaml", fs::read(policy).unwrap());
    workspace.write("ratewaf.lock.json", fs::read(lock).unwrap());
    let target = workspace.path().join(name);
    fs::create_dir_all(target.parent().unwrap()).unwrap();
    let mut arguments = vec!["emit", "--today", "2026-11-29", "--out", name];
    arguments.extend(more);
    workspace.ok(&arguments);
}

/// The files of a policy in a dialect, or what is said where there are none.
pub fn emitted(policy: &str, format: &str, more: &[&str]) -> Result<Vec<(String, String)>, String> {
    let workspace = Workspace::new();
    let policy = folder().join(policy).with_extension("yaml");
    workspace.write("ratewaf.yaml", fs::read(policy).unwrap());
    workspace.write("ratewaf.lock.json", fs::read(folder().join("ratewaf.lock.json")).unwrap());
    let mut arguments = vec!["emit", "--today", "2026-11-29", "--format", format, "--out", "out/"];
    arguments.extend(more);
    let outcome = workspace.run(&arguments);
    if outcome.status == 2 {
        return Err(outcome.stderr);
    }
    assert_eq!(outcome.status, 0, "{}", outcome.stderr);
    let files = files(&workspace, "out/").into_iter();
    let files = files.map(|(name, text)| (name.trim_start_matches("out/").to_owned(), text));
    // What is committed is up to date, whichever dialect it is.
    let again: Vec<&str> =
        arguments.iter().map(|one| if *one == "--out" { "--check" } else { one }).collect();
    workspace.ok(&again);
    Ok(files.collect())
}

/// The files of a case, by their names in the repository.
fn files(workspace: &Workspace, name: &str) -> Vec<(String, String)> {
    if !name.ends_with('/') {
        return vec![(name.to_owned(), workspace.read(name))];
    }
    let mut files: Vec<(String, String)> = fs::read_dir(workspace.path().join(name))
        .unwrap()
        .map(|entry| {
            let name = format!("{name}{}", entry.unwrap().file_name().to_str().unwrap());
            let text = workspace.read(&name);
            (name, text)
        })
        .collect();
    files.sort();
    files
}

#[test]
fn golden_files_are_what_is_emitted() {
    for (name, policy, more) in CASES {
        let workspace = Workspace::new();
        emit(&workspace, name, policy, more);
        for (file, text) in files(&workspace, name) {
            golden::check(&format!("tests/golden/emit/{file}"), &text);
        }
        let mut check = vec!["emit", "--today", "2026-11-29", "--check", name];
        check.extend(more);
        workspace.ok(&check);
    }
}

/// The evidence in the golden files is a real lock's.
#[test]
fn the_lock_is_what_the_logs_say() {
    let workspace = Workspace::new();
    let policy = folder().join("whole-story.yaml");
    workspace.write("ratewaf.yaml", fs::read(policy).unwrap());
    workspace.ok(&["analyze", &scenario("article-week"), "--today", "2026-11-29"]);
    golden::check("tests/golden/emit/ratewaf.lock.json", &workspace.read("ratewaf.lock.json"));
}

#[test]
fn what_is_explained_is_golden_too() {
    for (name, policy) in [("whole-story", "whole-story"), ("attach-group", "attach-group")] {
        let workspace = Workspace::new();
        emit(&workspace, "waf.tf", policy, &[]);
        let told = workspace.ok(&["emit", "--today", "2026-11-29", "--explain"]).stdout;
        golden::check(&format!("tests/golden/emit/{name}-explain.txt"), &told);
    }
    let workspace = Workspace::new();
    let policy = "version: 1\nname: acl\npricing_plan: pro\nweb_acl: { create: prod }\nroutes:\n  - { name: a, path: { exactly: /a }, limit: 100 }\n";
    workspace.write("ratewaf.yaml", policy);
    let told = workspace.ok(&["emit", "--explain"]).stdout;
    golden::check("tests/golden/emit/pro-explain.txt", &told);
}

#[test]
fn terraform_fmt_has_nothing_to_change() {
    let Some(program) = tools::find("terraform") else { return };
    let scratch = tempfile::tempdir().unwrap();
    copy_terraform(&folder(), scratch.path());
    let mut command = tools::terraform(&program, scratch.path(), None);
    tools::run(command.args(["fmt", "-check", "-diff", "-recursive"]));
}

/// The golden files, each in a module of its own, and the names of those that are for version 5.
fn copy_terraform(from: &std::path::Path, to: &std::path::Path) -> Vec<String> {
    let mut modules = Vec::new();
    for (name, _, _) in CASES {
        let module = name.trim_end_matches('/').trim_end_matches(".tf").to_owned();
        let target = to.join(&module);
        fs::create_dir_all(&target).unwrap();
        if name.ends_with('/') {
            for entry in fs::read_dir(from.join(name)).unwrap() {
                let path = entry.unwrap().path();
                fs::copy(&path, target.join(path.file_name().unwrap())).unwrap();
            }
        } else {
            fs::copy(from.join(name), target.join("waf.tf")).unwrap();
        }
        if is_for_five(name) {
            modules.push(module);
        }
    }
    modules
}

/// With the real provider 5.100, in one run.
#[test]
fn terraform_validates_what_version_five_has_to_take() {
    let Some(program) = tools::find("terraform") else { return };
    let Some(mirror) = tools::aws_provider_mirror() else { return };
    let scratch = tempfile::tempdir().unwrap();
    let modules = copy_terraform(&folder(), scratch.path());
    let has_random = tools::mirror_holds(&mirror, "random");
    let mut root = String::from(
        "provider \"aws\" {\n  alias  = \"us_east_1\"\n  region = \"us-east-1\"\n}\n\nprovider \"aws\" {\n  alias  = \"eu_central_1\"\n  region = \"eu-central-1\"\n}\n",
    );
    for module in &modules {
        let needs_random = fs::read_dir(scratch.path().join(module)).unwrap().any(|entry| {
            fs::read_to_string(entry.unwrap().path()).unwrap().contains("hashicorp/random")
        });
        if needs_random && !has_random {
            continue;
        }
        root.push_str(&format!("\nmodule \"{module}\" {{\n  source = \"./{module}\"\n"));
        if module.starts_with("module") {
            root.push_str("\n  providers = {\n    aws.us_east_1    = aws.us_east_1\n    aws.eu_central_1 = aws.eu_central_1\n  }\n");
        }
        root.push_str("}\n");
    }
    fs::write(scratch.path().join("main.tf"), root).unwrap();
    let terraform = || tools::terraform(&program, scratch.path(), Some(&mirror));
    tools::run(terraform().args(["init", "-backend=false", "-input=false", "-no-color"]));
    tools::run(terraform().args(["validate", "-no-color"]));
}

#[test]
fn a_changed_limit_is_a_changed_line() {
    let workspace = Workspace::new();
    emit(&workspace, "waf.tf", "second-limit", &[]);
    let before = workspace.read("waf.tf");
    let policy = workspace.read("ratewaf.yaml");
    // A second limit of its own, as one that is a multiple follows the main one.
    let pinned = policy.replace("second_limit: 2x", "second_limit: 900");
    workspace.write("ratewaf.yaml", &pinned);
    workspace.ok(&["emit", "--today", "2026-11-29", "--out", "waf.tf"]);
    assert_ne!(workspace.read("waf.tf"), before);
    let before = workspace.read("waf.tf");
    workspace.write("ratewaf.yaml", pinned.replace("limit: 30 ", "limit: 40 "));
    workspace.ok(&["emit", "--today", "2026-11-29", "--out", "waf.tf"]);
    let after = workspace.read("waf.tf");
    let changed: Vec<&str> = before
        .lines()
        .zip(after.lines())
        .filter(|(old, new)| old != new && !new.trim_start().starts_with('#'))
        .map(|(_, new)| new.trim())
        .collect();
    assert_eq!(changed, ["loud_login_limit  = 40"], "{after}");
}

#[test]
fn what_a_version_of_the_provider_lacks_is_refused_with_the_way_out() {
    let workspace = Workspace::new();
    for (policy, texts) in [
        ("asn", ["network operator", "--provider 6"]),
        ("attach-rules", ["aws_wafv2_web_acl_rule", "form: rule_group"]),
    ] {
        let policy = fs::read(folder().join(policy).with_extension("yaml")).unwrap();
        workspace.write("ratewaf.yaml", policy);
        workspace.refused(&["emit", "--provider", "5"], &texts);
    }
}

#[test]
fn what_cannot_join_alone_is_refused_with_the_way_out() {
    let workspace = Workspace::new();
    let policy = |route: &str, body: &str| {
        format!(
            "version: 1\nname: a\nweb_acl: {{ attach: theirs, form: rules }}\ndefaults: {{ response: {{ body: {body} }} }}\nroutes:\n  - {{ name: r, limit: 50, {route} }}\n"
        )
    };
    let alone = "path: { starts_with: /a/ }, spelling: strict";
    for (route, body, said) in [
        ("methods: [GET], path: { starts_with: /a/ }", "''", "needs `and`, `or` or `not`"),
        ("path: { exactly: /a }", "''", "form: rule_group"),
        (alone, "'{}'", "bodies belong to the web ACL"),
    ] {
        workspace.write("ratewaf.yaml", policy(route, body));
        workspace.refused(&["emit"], &[said]);
    }
    workspace.write("ratewaf.yaml", policy(alone, "''"));
    assert!(workspace.ok(&["emit"]).stdout.contains("aws_wafv2_web_acl_rule"));
}

#[test]
fn a_folder_is_written_compared_and_cleared_by_its_owner() {
    let workspace = Workspace::new();
    emit(&workspace, "infra/", "bucket", &[]);
    assert_eq!(
        files(&workspace, "infra/").into_iter().map(|(name, _)| name).collect::<Vec<_>>(),
        ["infra/outputs.tf", "infra/versions.tf", "infra/waf.tf"]
    );
    // An alarms.tf of ours, left from before, and one of somebody else's.
    workspace.write("infra/alarms.tf", "# Rate limits\n# Written by ratewaf emit: …\n");
    workspace.write("infra/iam.tf", "# Ours\n");
    let outcome = workspace.ok(&["emit", "--out", "infra/"]);
    assert!(outcome.stderr.contains("alarms.tf was written by ratewaf"), "{}", outcome.stderr);
    assert!(!outcome.stderr.contains("iam.tf"), "{}", outcome.stderr);
    assert_eq!(workspace.run(&["emit", "--check", "infra/"]).status, 1);
    fs::remove_file(workspace.path().join("infra/alarms.tf")).unwrap();
    workspace.ok(&["emit", "--check", "infra/"]);
    let changed = workspace.read("infra/waf.tf").replace("= 30", "= 31");
    workspace.write("infra/waf.tf", changed);
    let outcome = workspace.run(&["emit", "--check", "infra"]);
    assert_eq!(outcome.status, 1);
    assert!(outcome.stdout.contains("-  acl_login_limit  = 31"), "{}", outcome.stdout);
}

#[test]
fn a_check_names_the_environment_of_the_file() {
    let workspace = Workspace::new();
    emit(&workspace, "waf.tf", "whole-story", &["--env", "stage"]);
    let outcome = workspace.run(&["emit", "--today", "2026-11-29", "--check", "waf.tf"]);
    assert_eq!(outcome.status, 1);
    assert!(outcome.stderr.contains("was written with --env stage"), "{}", outcome.stderr);
    workspace.refused(&["emit", "--env", "test"], &["no environment `test`", "it has stage"]);
}
