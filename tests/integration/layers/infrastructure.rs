//! The infrastructure of the layers, through Terraform and cfn-lint.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{emitted, text_of};
use crate::terraform::stub::{Version, Workspace, changes};
use crate::tools;

const TERRAFORM: [&str; 2] = ["table.tf", "ratewaf.auto.tfvars.json"];

#[test]
fn terraform_validates_and_plans_the_table() {
    let files = emitted();
    for version in [Version::Five, Version::Six] {
        let Some(workspace) = Workspace::new(version) else { return };
        for name in TERRAFORM {
            workspace.write(name, &text_of(&files, &format!("dynamodb/infrastructure/{name}")));
        }
        workspace.run(&["fmt", "-check"]);
        workspace.validate();
        let plan = workspace.plan();
        let made: BTreeSet<String> =
            changes(&plan).into_iter().map(|(address, _)| address).collect();
        let wanted = ["aws_dynamodb_table.limits", "aws_iam_policy.limits"];
        assert_eq!(made, wanted.map(str::to_owned).into());
        let resources = plan["resource_changes"].as_array().unwrap();
        let table = resources.iter().find(|one| one["type"] == "aws_dynamodb_table").unwrap();
        let after = &table["change"]["after"];
        assert_eq!(after["name"], "shop-limits");
        assert_eq!(after["billing_mode"], "PAY_PER_REQUEST");
        assert_eq!(after["ttl"][0]["attribute_name"], "expires");
    }
}

#[test]
fn cfn_lint_has_nothing_to_say_and_permissions_are_of_one_table() {
    let Some(program) = tools::find("cfn-lint") else { return };
    let files = emitted();
    let folder = tempfile::tempdir().unwrap();
    let template = folder.path().join("table.yaml");
    std::fs::write(&template, text_of(&files, "dynamodb/infrastructure/table.yaml")).unwrap();
    let mut command = std::process::Command::new(program);
    command.args(["--regions", "us-east-1", "eu-central-1", "--include-checks", "W", "--"]);
    tools::run(command.arg(&template));
    // Both forms allow the same three actions, and nothing on `*`.
    let asked = |text: &str| -> BTreeSet<String> {
        let words = text.split(['"', ' ', '\n', ',', '[', ']']);
        words.filter(|word| word.starts_with("dynamodb:")).map(str::to_owned).collect()
    };
    let wanted = ["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:UpdateItem"];
    for name in ["table.tf", "table.yaml"] {
        let text = text_of(&files, &format!("dynamodb/infrastructure/{name}"));
        assert_eq!(asked(&text), wanted.map(str::to_owned).into(), "{name}");
    }
    let parameters = text_of(&files, "dynamodb/infrastructure/parameters.json");
    let parameters: Value = serde_json::from_str(&parameters).unwrap();
    assert_eq!(parameters[0]["ParameterValue"], "shop-limits");
}
