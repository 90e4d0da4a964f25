//! The way around CloudFront, closed.

use super::super::hcl::{Content, list, number, reference, text};
use super::Terraform;
use super::files::{File, Files};
use crate::stack::{Attribute, Guard, Resource, Secret, Value};

pub(super) fn write(terraform: &Terraform<'_>, files: &mut Files) {
    let Some(guard) = &terraform.stack.guard else { return };
    files.part(File::Guard, |file| {
        guard.about.iter().for_each(|line| file.comment(line));
        paragraph(file, &guard.rotation);
        guard.secrets.iter().for_each(|one| secret(terraform, guard, one, file));
        let label = terraform.labels.guard.as_str();
        terraform.web_acl(&guard.web_acl, label, &guard.region, file);
        let acl = Value::arn(Resource::GuardWebAcl);
        terraform.associations(&guard.associations, label, &acl, &guard.region, file);
    });
    files.part(File::Outputs, |file| outputs(terraform, guard, file));
}

/// Numbered steps.
fn paragraph(file: &mut Content, steps: &[String]) {
    if steps.is_empty() {
        return;
    }
    file.comment("");
    for (place, step) in steps.iter().enumerate() {
        file.comment(&format!("{}. {step}", place + 1));
    }
    file.blank();
}

fn secret(terraform: &Terraform<'_>, guard: &Guard, secret: &Secret, file: &mut Content) {
    let label = terraform.labels.of(&secret.name);
    file.block("resource", &["random_password", label], |resource| {
        resource.attribute("length", number(secret.length));
        resource.comment("It stands in a header.");
        resource.attribute("special", false);
    });
    file.block("resource", &["aws_ssm_parameter", label], |resource| {
        terraform.in_region(&guard.region, resource);
        resource.attribute("name", text(&secret.parameter));
        resource.attribute("description", text(&secret.description));
        resource.attribute("type", text("SecureString"));
        resource.attribute("value", reference(&["random_password", label, "result"]));
        terraform.tags(resource);
        resource.block("lifecycle", &[], |block| {
            block
                .comment("From here on the parameter has the secret, so that it can be exchanged.");
            block.attribute("ignore_changes", list([reference(&["value"])]));
        });
    });
}

fn outputs(terraform: &Terraform<'_>, guard: &Guard, file: &mut Content) {
    let label = terraform.labels.guard.as_str();
    file.block("output", &[&format!("{label}_header")], |output| {
        output.attribute("description", text("The header that CloudFront adds for the origin"));
        output.attribute("value", text(&guard.header));
    });
    if let Some(secret) = guard.secrets.first() {
        file.block("output", &[&format!("{label}_secret")], |output| {
            output.attribute("description", text("The value of that header"));
            let value = Value::Of(Resource::Secret(secret.name.clone()), Attribute::Value);
            output.attribute("value", terraform.value(&value));
            output.attribute("sensitive", true);
        });
    }
}
