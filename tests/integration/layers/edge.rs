//! The edge limiter: what is emitted, and what Node, Terraform and cfn-lint make of it.

use std::collections::BTreeSet;

use ratewaf::policy::Policy;
use ratewaf::render::layers::edge;
use serde_json::{Value, json};

use super::node::{packages, passed, tested};
use super::text_of;
use crate::golden;
use crate::harness::{Workspace, repository};
use crate::terraform::stub::{Version, Workspace as Terraform, changes};
use crate::tools;

const POLICY: &str = "tests/fixtures/policies/good/edge.yaml";

fn emitted() -> Vec<(String, String)> {
    let text = std::fs::read_to_string(repository(POLICY)).unwrap();
    edge(&Policy::parse(&text, "ratewaf.yaml").unwrap())
}

#[test]
fn generated_files_are_golden() {
    for (name, text) in emitted() {
        // What is no asset is generated.
        if !repository(&format!("assets/layers/edge/{name}")).is_file() {
            golden::check(&format!("tests/golden/layers/edge/{name}"), &text);
        }
    }
}

#[test]
fn the_layer_is_written_into_a_folder_and_compared_with_it() {
    let workspace = Workspace::new();
    let mut text = std::fs::read_to_string(repository(POLICY)).unwrap();
    text.push_str("environments:\n  stage: { name: stage }\n");
    workspace.write("ratewaf.yaml", &text);
    workspace.ok(&["emit", "--layer", "edge", "--out", "edge"]);
    for (name, text) in emitted() {
        assert_eq!(workspace.read(&format!("edge/{name}")), text, "{name}");
    }
    workspace.ok(&["emit", "--layer", "edge", "--check", "edge"]);
    let config = workspace.read("edge/src/config.ts");
    workspace.write("edge/src/config.ts", config.replace("anonymous: 20,", "anonymous: 20000,"));
    let found = workspace.run(&["emit", "--layer", "edge", "--check", "edge"]);
    assert_eq!(found.status, 1);
    assert!(
        found.stdout.contains("-        anonymous: 20000,")
            || found.stdout.contains("anonymous: 20000"),
        "{}",
        found.stdout
    );
    workspace.ok(&["emit", "--layer", "edge", "--env", "stage", "--out", "stage"]);
    assert!(workspace.read("stage/src/config.ts").contains("name: 'stage-edge-limits'"));
    workspace.refused(
        &["emit", "--layer", "app", "--out", "a"],
        &["ratewaf.yaml has no `layers.app`", "hint:"],
    );
}

/// The smallest layer: nobody is known, one limit.
#[test]
fn a_layer_without_headers_has_one_tier() {
    let text = "version: 1\nname: s\nweb_acl: { create: prod }\nroutes: []\n\
                layers: { edge: { global: { limits: { anonymous: 5 } } } }\n";
    let files = edge(&Policy::parse(text, "ratewaf.yaml").unwrap());
    let config = text_of(&files, "src/config.ts");
    for wanted in [
        "tiers: ['anonymous'],",
        "defaultTier: 'anonymous',",
        "trustedHeaders: null,",
        "algorithm: 'sliding-window',",
        "captcha: null,",
        "replicas: [],",
    ] {
        assert!(config.contains(wanted), "{wanted}\n{config}");
    }
}

#[test]
fn its_tests_pass_and_its_package_is_inside_the_limits() {
    let Some(node) = tools::find("node") else { return };
    let Some(packages) = packages() else { return };
    let said = tested(&emitted(), &packages, &node);
    // Vectors, each twice: 16 by hand, 2 examples and 3 limits of the policy with five stories each. Each limit
    // of each tier. The rest.
    assert!(passed(&said) >= 2 * (16 + 5 * 5) + 3 * 4 + 40, "{said}");
}

#[test]
fn terraform_validates_and_plans_it() {
    let files = emitted();
    for version in [Version::Five, Version::Six] {
        let Some(workspace) = Terraform::new(version) else { return };
        for name in ["edge.tf", "edge.auto.tfvars.json"] {
            workspace.write(name, &text_of(&files, &format!("terraform/{name}")));
        }
        workspace.write("edge.zip", "an archive");
        // The archive lies beside the folder; here it lies in it.
        workspace.write("package.auto.tfvars", "package = \"edge.zip\"\n");
        workspace.run(&["fmt", "-check"]);
        workspace.validate();
        let plan = workspace.plan();
        let made: BTreeSet<String> =
            changes(&plan).into_iter().map(|(address, _)| address).collect();
        let wanted = [
            "aws_dynamodb_table.limits",
            "aws_iam_policy.settings",
            "aws_iam_role.edge",
            "aws_iam_role_policy.edge",
            "aws_lambda_function.edge[\"viewer-request\"]",
            "aws_lambda_function.edge[\"viewer-response\"]",
        ];
        assert_eq!(made, wanted.map(str::to_owned).into());
        let resources = plan["resource_changes"].as_array().unwrap();
        let after = |kind: &str| {
            &resources.iter().find(|one| one["type"] == kind).unwrap()["change"]["after"]
        };
        let table = after("aws_dynamodb_table");
        assert_eq!(table["name"], "shop-edge-limits");
        assert_eq!(table["billing_mode"], "PAY_PER_REQUEST");
        assert_eq!(table["stream_view_type"], "NEW_AND_OLD_IMAGES");
        let replicas: BTreeSet<&str> = table["replica"]
            .as_array()
            .unwrap()
            .iter()
            .map(|replica| replica["region_name"].as_str().unwrap())
            .collect();
        assert_eq!(replicas, ["ap-southeast-1", "eu-central-1"].into());
        let function = after("aws_lambda_function");
        for (name, wanted) in
            [("memory_size", 128.into()), ("timeout", 5.into()), ("publish", Value::Bool(true))]
        {
            assert_eq!(function[name], wanted, "{name}");
        }
        assert_eq!(function["environment"], json!([]));
        let statements = |kind: &str| -> Vec<Value> {
            let policy: Value =
                serde_json::from_str(after(kind)["policy"].as_str().unwrap()).unwrap();
            policy["Statement"].as_array().unwrap().clone()
        };
        let table =
            |region: &str| format!("arn:aws:dynamodb:{region}:123456789012:table/shop-edge-limits");
        let functions = statements("aws_iam_role_policy");
        let [count, log] = functions.as_slice() else { panic!("{functions:?}") };
        assert_eq!(count["Action"], json!(["dynamodb:UpdateItem", "dynamodb:GetItem"]));
        // The table and its copies, and nothing else.
        let may: BTreeSet<&str> =
            count["Resource"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
        let wanted = ["us-east-1", "ap-southeast-1", "eu-central-1"].map(table);
        assert_eq!(may, wanted.iter().map(String::as_str).collect());
        for action in log["Action"].as_array().unwrap() {
            assert!(action.as_str().unwrap().starts_with("logs:"), "{action}");
        }
        let people = statements("aws_iam_policy");
        let [settings] = people.as_slice() else { panic!("{people:?}") };
        assert_eq!(settings["Action"], json!(["dynamodb:PutItem", "dynamodb:GetItem"]));
        assert_eq!(settings["Resource"], json!([table("us-east-1")]));
    }
}

#[test]
fn cfn_lint_has_nothing_to_say() {
    let Some(program) = tools::find("cfn-lint") else { return };
    let files = emitted();
    let folder = tempfile::tempdir().unwrap();
    let template = folder.path().join("edge.yaml");
    std::fs::write(&template, text_of(&files, "cloudformation/edge.yaml")).unwrap();
    let mut command = std::process::Command::new(program);
    command.args(["--regions", "us-east-1", "--include-checks", "W", "--"]);
    tools::run(command.arg(&template));
}

#[test]
fn functions_may_count_and_read_in_this_table_only() {
    let files = emitted();
    for (name, settings) in [
        ("terraform/edge.tf", "resource \"aws_iam_policy\" \"settings\""),
        ("cloudformation/edge.yaml", "  Settings:"),
    ] {
        let text = text_of(&files, name);
        let asked = |text: &str| -> BTreeSet<String> {
            let words = text.split(['"', ' ', '\n', ',', '[', ']']);
            words.filter(|word| word.starts_with("dynamodb:")).map(str::to_owned).collect()
        };
        let (functions, people) = text.split_once(settings).unwrap();
        let wanted = ["dynamodb:GetItem", "dynamodb:UpdateItem"];
        assert_eq!(asked(functions), wanted.map(str::to_owned).into(), "{name}");
        let wanted = ["dynamodb:GetItem", "dynamodb:LeadingKeys", "dynamodb:PutItem"];
        let people: BTreeSet<String> =
            asked(people).iter().map(|word| word.trim_end_matches(':').to_owned()).collect();
        assert_eq!(people, wanted.map(str::to_owned).into(), "{name}");
        let resources = text.lines().filter(|line| line.contains(":dynamodb:"));
        let mut resources = resources.peekable();
        assert!(resources.peek().is_some());
        for line in resources {
            assert!(
                line.contains(":table/${var.table_name}") || line.contains(":table/${TableName}"),
                "{line}"
            );
        }
    }
    let parameters: Value =
        serde_json::from_str(&text_of(&files, "cloudformation/parameters.json")).unwrap();
    let template = text_of(&files, "cloudformation/edge.yaml");
    for one in parameters.as_array().unwrap() {
        let name = one["ParameterKey"].as_str().unwrap();
        assert!(template.contains(&format!("\n  {name}:\n")), "{name}");
    }
}
