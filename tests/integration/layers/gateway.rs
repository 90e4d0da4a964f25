//! Usage plans: what is emitted, and what Terraform and cfn-lint make of it.

use std::collections::BTreeSet;

use ratewaf::policy::Policy;
use ratewaf::render::layers::gateway;
use serde_json::{Value, json};

use super::text_of;
use crate::golden;
use crate::harness::{Workspace, repository};
use crate::terraform::stub::{Version, Workspace as Terraform, changes};
use crate::tools;

const POLICY: &str = "tests/fixtures/policies/good/gateway.yaml";

fn emitted() -> Vec<(String, String)> {
    let text = std::fs::read_to_string(repository(POLICY)).unwrap();
    gateway(&Policy::parse(&text, "ratewaf.yaml").unwrap())
}

#[test]
fn generated_files_are_golden_and_written() {
    let workspace = Workspace::new();
    workspace.write("ratewaf.yaml", std::fs::read(repository(POLICY)).unwrap());
    workspace.ok(&["emit", "--layer", "gateway", "--out", "gateway"]);
    for (name, text) in emitted() {
        assert_eq!(workspace.read(&format!("gateway/{name}")), text, "{name}");
        // What is no asset is generated.
        if !repository(&format!("assets/layers/gateway/{name}")).is_file() {
            golden::check(&format!("tests/golden/layers/gateway/{name}"), &text);
        }
    }
    workspace.ok(&["emit", "--layer", "gateway", "--check", "gateway"]);
}

#[test]
fn terraform_validates_and_plans_what_the_policy_says() {
    let files = emitted();
    for version in [Version::Five, Version::Six] {
        let Some(workspace) = Terraform::new(version) else { return };
        plans_what_the_policy_says(&files, &workspace);
    }
}

fn plans_what_the_policy_says(files: &[(String, String)], workspace: &Terraform) {
    for name in ["gateway.tf", "gateway.auto.tfvars.json"] {
        workspace.write(name, &text_of(files, &format!("terraform/{name}")));
    }
    workspace.run(&["fmt", "-check"]);
    workspace.validate();
    let plan = workspace.plan();
    let made: BTreeSet<String> = changes(&plan).into_iter().map(|(address, _)| address).collect();
    let wanted = [
        "aws_api_gateway_api_key.client[\"partner-a\"]",
        "aws_api_gateway_api_key.client[\"partner_b\"]",
        "aws_api_gateway_method_settings.all[0]",
        "aws_api_gateway_method_settings.route[\"orders/{id}/POST\"]",
        "aws_api_gateway_usage_plan.plan[\"free\"]",
        "aws_api_gateway_usage_plan.plan[\"pro\"]",
        "aws_api_gateway_usage_plan_key.client[\"partner-a\"]",
        "aws_api_gateway_usage_plan_key.client[\"partner_b\"]",
    ];
    assert_eq!(made, wanted.map(str::to_owned).into());
    let resources = plan["resource_changes"].as_array().unwrap();
    let free = resources.iter().find(|one| one["address"] == wanted[4]).unwrap();
    let after = &free["change"]["after"];
    assert_eq!(after["throttle_settings"][0]["rate_limit"], 5);
    assert_eq!(after["quota_settings"][0]["period"], "MONTH");
    let throttle = &after["api_stages"][0]["throttle"][0];
    assert_eq!(throttle["path"], "/orders/{id}/POST");
    assert_eq!(throttle["rate_limit"], json!(1.666666));
    // Without a ceiling the stage keeps the account's.
    let mut values: Value =
        serde_json::from_str(&text_of(files, "terraform/gateway.auto.tfvars.json")).unwrap();
    values["stage"] = Value::Null;
    workspace.write("gateway.auto.tfvars.json", &values.to_string());
    let plan = workspace.plan();
    let made = changes(&plan);
    assert!(made.iter().all(|(address, _)| !address.contains("method_settings")), "{made:?}");
}

#[test]
fn cfn_lint_has_nothing_to_say() {
    let Some(program) = tools::find("cfn-lint") else { return };
    let folder = tempfile::tempdir().unwrap();
    let template = folder.path().join("gateway.template.json");
    let text = text_of(&emitted(), "cloudformation/gateway.template.json");
    std::fs::write(&template, text).unwrap();
    let mut command = std::process::Command::new(program);
    command.args(["--regions", "eu-central-1", "--include-checks", "W", "--"]);
    tools::run(command.arg(&template));
}
