//! Permissions.

use super::super::hcl::{Content, Part, call, list, object, reference, template, text};
use super::Terraform;
use super::files::{File, Files};
use super::labels::label;
use crate::stack::{Grant, GrantCondition, IamPolicy, IamResource, Value};

pub(super) fn write(terraform: &Terraform<'_>, files: &mut Files) {
    let policies = &terraform.stack.permissions;
    if policies.is_empty() {
        return;
    }
    let data = data_label(terraform);
    files.part(File::Iam, |file| {
        for kind in ["aws_caller_identity", "aws_partition"] {
            terraform.bare_data(kind, &data, file);
        }
        policies.iter().for_each(|policy| write_policy(terraform, policy, file));
    });
    files.part(File::Outputs, |file| {
        for policy in policies {
            let label = label(&policy.name);
            file.block("output", &[&format!("{label}_policy_arn")], |output| {
                output.attribute("description", text(&policy.description));
                output.attribute("value", reference(&["aws_iam_policy", &label, "arn"]));
            });
        }
    });
}

fn data_label(terraform: &Terraform<'_>) -> String {
    format!("{}_permissions", terraform.labels.set)
}

fn write_policy(terraform: &Terraform<'_>, policy: &IamPolicy, file: &mut Content) {
    file.comment(&policy.description);
    for grant in &policy.grants {
        if let Some(about) = &grant.about {
            file.comment(&format!("{}: {about}", grant.sid));
        }
        for one in &grant.actions {
            file.comment(&format!("- {}: {}", one.action, one.reason));
        }
    }
    file.block("resource", &["aws_iam_policy", &label(&policy.name)], |resource| {
        terraform.everywhere(resource);
        resource.attribute("name", text(&policy.name));
        resource.attribute("description", text(&policy.description));
        let statements = policy.grants.iter().map(|grant| statement(terraform, grant));
        let document = object([("Version", text("2012-10-17")), ("Statement", list(statements))]);
        resource.attribute("policy", call("jsonencode", document));
        terraform.tags(resource);
    });
}

fn statement(terraform: &Terraform<'_>, grant: &Grant) -> ::hcl::Expression {
    let actions = grant.actions.iter().map(|one| text(&one.action));
    let resources = grant.resources.iter().map(|one| resource(terraform, one));
    let mut members = vec![
        ("Sid", text(&grant.sid)),
        ("Effect", text("Allow")),
        ("Action", list(actions)),
        ("Resource", list(resources)),
    ];
    let keys = |conditions: Vec<&GrantCondition>| {
        object(conditions.into_iter().map(|condition| {
            let values = condition.values.iter().map(|value| terraform.value(value));
            (condition.key.as_str(), list(values))
        }))
    };
    let operators = grant.operators();
    if !operators.is_empty() {
        let operators = operators.into_iter().map(|(name, conditions)| (name, keys(conditions)));
        members.push(("Condition", object(operators)));
    }
    object(members)
}

fn resource(terraform: &Terraform<'_>, resource: &IamResource) -> ::hcl::Expression {
    let data = data_label(terraform);
    match resource {
        IamResource::Any => text("*"),
        IamResource::One(Value::Plain(arn)) => text(arn),
        IamResource::One(value) => terraform.value(value),
        IamResource::Pattern { service, region, has_account, resource } => {
            let mut parts = vec![
                Part::Text("arn:".to_owned()),
                Part::Of(reference(&["data", "aws_partition", &data, "partition"])),
                Part::Text(format!(":{service}:{region}:")),
            ];
            if *has_account {
                let account = reference(&["data", "aws_caller_identity", &data, "account_id"]);
                parts.push(Part::Of(account));
            }
            parts.push(Part::Text(format!(":{resource}")));
            template(&parts)
        }
    }
}
