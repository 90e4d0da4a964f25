//! CloudFormation, CDK, Terraform JSON and API JSON: golden files, what the tools of each say about them,
//! and the rules read back out of them.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests")]

mod cdk;
mod random;
mod read;

use std::fs;
use std::path::{Path, PathBuf};

use ratewaf::render::{
    KnownArns, TerraformOptions, api_json, cdk, cloudformation, cloudformation_json, terraform,
};
use ratewaf::stack::Stack;

use crate::golden;
use crate::terraform::{samples, stack};
use crate::tools;

type Files = Vec<(String, String)>;

/// All files of a stack in all dialects, each under the name of its golden file.
fn files_of(name: &str, stack: &Stack) -> Files {
    let json = TerraformOptions { is_json: true, ..TerraformOptions::default() };
    let dialects: [(&str, Result<Files, ratewaf::render::Error>); 5] = [
        ("cloudformation", cloudformation(stack)),
        ("cloudformation", cloudformation_json(stack)),
        ("cdk", cdk(stack, true)),
        ("terraform-json", terraform(stack, &json)),
        ("api", api_json(stack, &KnownArns::new())),
    ];
    let mut out = Vec::new();
    for (dialect, files) in dialects {
        for (file, text) in files.unwrap() {
            out.push((format!("tests/golden/{dialect}/{name}/{file}"), text));
        }
    }
    out
}

fn samples() -> Vec<(&'static str, Stack)> {
    samples::all().into_iter().map(|(name, set)| (name, stack(&set).unwrap())).collect()
}

fn golden_folder(dialect: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(dialect)
}

#[test]
fn golden_files_of_all_dialects_are_what_is_emitted() {
    for (name, stack) in samples() {
        for (file, text) in files_of(name, &stack) {
            golden::check(&file, &text);
        }
    }
}

#[test]
fn the_same_stack_gives_the_same_bytes() {
    for (name, stack) in samples() {
        assert_eq!(files_of(name, &stack), files_of(name, &stack.clone()));
    }
}

#[test]
fn every_dialect_says_the_same_rules() {
    for (name, stack) in samples() {
        read::assert_same_rules(name, &stack);
    }
}

#[test]
fn one_limit_is_one_line_of_a_template() {
    let one = stack(&samples::one_route()).unwrap();
    let mut set = samples::one_route();
    set.rules[0].limit = ratewaf::units::Limit::new(250).unwrap();
    let other = stack(&set).unwrap();
    for (a, b) in files_of("x", &one).iter().zip(&files_of("x", &other)) {
        let differing: Vec<_> =
            a.1.lines().zip(b.1.lines()).filter(|(one, other)| one != other).collect();
        // The API's JSON holds the web ACL twice: for create and for update.
        let wanted = if a.0.ends_with("waf.json") && a.0.contains("/api/") { 2 } else { 1 };
        let none = a.0.ends_with("app.ts");
        assert_eq!(differing.len(), if none { 0 } else { wanted }, "{}: {differing:?}", a.0);
    }
}

#[test]
fn cfn_lint_has_nothing_to_say() {
    let Some(program) = tools::find("cfn-lint") else { return };
    let folder = golden_folder("cloudformation");
    let mut templates = Vec::new();
    for sample in fs::read_dir(folder).unwrap() {
        for file in fs::read_dir(sample.unwrap().path()).unwrap() {
            templates.push(file.unwrap().path());
        }
    }
    assert!(templates.len() > 4);
    let mut command = std::process::Command::new(program);
    command.args(["--regions", "us-east-1", "--include-checks", "W", "--"]).args(&templates);
    tools::run(&mut command);
}

/// YAML and JSON are the same template but for comments, as cfn-lint's own reader has them.
#[test]
fn yaml_and_json_are_the_same_template() {
    for (name, stack) in samples() {
        let yaml = read::template_of_yaml(&cloudformation(&stack).unwrap()[0].1);
        let mut json: serde_json::Value =
            serde_json::from_str(&cloudformation_json(&stack).unwrap()[0].1).unwrap();
        read::without_metadata(&mut json);
        assert_eq!(yaml, json, "{name}");
    }
}

/// Terraform reads the JSON syntax as it reads HCL: the stub provider plans the same resources.
#[test]
fn terraform_plans_the_same_from_json() {
    use crate::terraform::stub::{Version, Workspace};
    for (name, stack) in samples() {
        let plans: Vec<serde_json::Value> = [false, true]
            .into_iter()
            .filter_map(|is_json| {
                let options = TerraformOptions { is_json, ..TerraformOptions::default() };
                let workspace = Workspace::new(Version::Six)?;
                for (file, text) in terraform(&stack, &options).unwrap() {
                    workspace.write(&file, &text);
                }
                let mut plan = workspace.plan();
                Some(plan["planned_values"].take())
            })
            .collect();
        if let [hcl, json] = plans.as_slice() {
            assert_eq!(hcl, json, "{name}");
        }
    }
}
