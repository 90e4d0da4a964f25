//! CloudFormation, CDK, Terraform JSON and API JSON: golden files, what the tools of each say about them,
//! and the rules read back out of them.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests")]

mod cdk;
mod policies;
mod random;
mod read;
mod template;
mod typescript;

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

/// As [`files_of`], of the dialects that can express it.
fn files_of_all(stack: &Stack) -> Files {
    let json = TerraformOptions { is_json: true, ..TerraformOptions::default() };
    [
        cloudformation(stack),
        cloudformation_json(stack),
        cdk(stack, true),
        terraform(stack, &TerraformOptions::default()),
        terraform(stack, &json),
        api_json(stack, &KnownArns::new()),
    ]
    .into_iter()
    .flat_map(|files| files.unwrap_or_else(|error| vec![("refused".to_owned(), error.to_string())]))
    .collect()
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

/// Also where an answer tells the limit beside the rule that has it.
#[test]
fn one_limit_is_one_line_of_every_dialect() {
    let mut set = samples::everything();
    for tells_policy in [false, true] {
        set.response.tells_policy = tells_policy;
        let mut other = set.clone();
        other.rules[1].limit = ratewaf::units::Limit::new(250).unwrap();
        let (one, other) = (stack(&set).unwrap(), stack(&other).unwrap());
        let hcl = |stack: &Stack| terraform(stack, &TerraformOptions::default()).unwrap().remove(0);
        let pairs = files_of("x", &one).into_iter().zip(files_of("x", &other));
        for (before, after) in pairs.chain([(hcl(&one), hcl(&other))]) {
            assert_eq!(before.1.lines().count(), after.1.lines().count());
            let lines = before.1.lines().zip(after.1.lines());
            let differing: Vec<_> = lines.filter(|(one, other)| one != other).collect();
            let wanted = if before.0.ends_with("app.ts") {
                0
            } else if before.0.contains("/api/") {
                // The API has no names for numbers, and the web ACL stands there twice: for create and for
                // update.
                if tells_policy { 4 } else { 2 }
            } else {
                1
            };
            assert_eq!(differing.len(), wanted, "{}: {differing:?}", before.0);
        }
    }
}

#[test]
fn cfn_lint_has_nothing_to_say() {
    let Some(program) = tools::find("cfn-lint") else { return };
    let folder = golden_folder("cloudformation");
    let mut templates = policies::templates();
    for sample in fs::read_dir(folder).unwrap() {
        for file in fs::read_dir(sample.unwrap().path()).unwrap() {
            templates.push(file.unwrap().path());
        }
    }
    assert!(templates.len() > 30, "{}", templates.len());
    let mut command = std::process::Command::new(program);
    let regions = ["--regions", "us-east-1", "eu-central-1"];
    command.args(regions).args(["--include-checks", "W", "--"]).args(&templates);
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

/// Terraform reads the JSON syntax as it reads HCL: the stub provider plans the same resources, all of
/// them in one configuration.
#[test]
fn terraform_plans_the_same_from_json() {
    use crate::terraform::pretended::{modules_of, planned_modules};
    let mut modules = Vec::new();
    for (name, stack) in samples() {
        for (form, is_json) in [("hcl", false), ("json", true)] {
            let options = TerraformOptions { is_json, ..TerraformOptions::default() };
            modules.push((format!("{name}-{form}"), terraform(&stack, &options).unwrap()));
        }
    }
    let Some(workspace) = modules_of(&modules) else { return };
    let planned = planned_modules(&workspace.plan());
    for (name, _) in samples() {
        let of = |form: &str| &planned[&format!("{name}-{form}")];
        assert_eq!(of("hcl"), of("json"), "{name}");
    }
}
