//! What joins somebody else's web ACL: rule groups with their associations, or single rules.

use super::super::comment::effect;
use super::super::hcl::{Content, number, reference, text};
use super::files::{File, Files};
use super::rule::{owners_rule, visibility};
use super::web_acl::response_body;
use super::{Provider, Terraform, statement};
use crate::stack::{Acl, Attribute, JoinedGroup, Resource, Value};
use crate::wafv2::Rule;

pub(super) fn write(terraform: &Terraform<'_>, files: &mut Files) {
    match &terraform.stack.acl {
        Acl::Own(_) => {}
        Acl::Groups { web_acl, groups } => {
            let has_association = terraform.options.provider != Provider::Five;
            if has_association && !groups.is_empty() {
                files.part(File::Waf, |file| look_up(terraform, web_acl, file));
            }
            for joined in groups {
                files.part(File::Waf, |file| {
                    group(terraform, joined, file);
                    if has_association {
                        association(terraform, joined, file);
                    } else {
                        ask_the_owner(terraform, web_acl, joined, file);
                    }
                });
                files.part(File::Outputs, |file| output(terraform, joined, file));
            }
        }
        Acl::Rules { web_acl, rules } => {
            if !rules.is_empty() {
                files.part(File::Waf, |file| look_up(terraform, web_acl, file));
            }
            for rule in rules {
                files.part(File::Waf, |file| single(terraform, rule, file));
            }
        }
    }
}

fn look_up(terraform: &Terraform<'_>, web_acl: &str, file: &mut Content) {
    let whole = "lifecycle { ignore_changes = [rule] }";
    file.comment(&format!(
        "Somebody else's web ACL. If it is a Terraform resource anywhere, it needs {whole}: without it the \
         owner's next apply removes what is added here."
    ));
    let scope = terraform.stack.home.scope.api_name();
    file.block("data", &["aws_wafv2_web_acl", &terraform.labels.web_acl], |data| {
        terraform.home(data);
        data.attribute("name", text(web_acl));
        data.attribute("scope", text(scope));
    });
}

fn group(terraform: &Terraform<'_>, joined: &JoinedGroup, file: &mut Content) {
    let group = &joined.group;
    let label = terraform.labels.of(&group.name);
    file.block("resource", &["aws_wafv2_rule_group", label], |resource| {
        terraform.home(resource);
        resource.attribute("name", text(&group.name));
        if let Some(description) = &group.description {
            resource.attribute("description", text(description));
        }
        resource.attribute("scope", text(group.scope.api_name()));
        resource.comment(
            "More than the rules use: the capacity cannot be changed without a new group, which AWS refuses \
             while a web ACL uses the old one.",
        );
        resource.attribute("capacity", number(group.capacity));
        terraform.tags(resource);
        for (key, body) in &group.custom_response_bodies {
            response_body(key, body, resource);
        }
        group.rules.iter().for_each(|rule| terraform.inline_rule(rule, resource));
        visibility(&group.visibility_config, resource);
    });
}

fn association(terraform: &Terraform<'_>, joined: &JoinedGroup, file: &mut Content) {
    let name = &joined.group.name;
    let label = terraform.labels.of(name);
    file.block("resource", &["aws_wafv2_web_acl_rule_group_association", label], |resource| {
        terraform.home(resource);
        resource.attribute("rule_name", text(&joined.rule));
        resource.attribute("priority", number(joined.priority));
        resource.attribute("web_acl_arn", terraform.value(&Value::arn(Resource::WebAcl)));
        resource.comment("Each rule acts as it says itself.");
        resource.attribute("override_action", text("none"));
        resource.block("rule_group_reference", &[], |block| {
            let group = Value::Of(Resource::RuleGroup(name.clone()), Attribute::Arn);
            block.attribute("arn", terraform.value(&group));
        });
    });
}

/// Version 5 has no resource that adds a rule to somebody else's web ACL.
fn ask_the_owner(
    terraform: &Terraform<'_>,
    web_acl: &str,
    joined: &JoinedGroup,
    file: &mut Content,
) {
    file.comment("");
    file.comment(&format!(
        "Version 5 of the provider cannot add a rule to a web ACL that it does not own. The owner of {web_acl} \
         adds this one to it, with the ARN of the output. A web ACL with lifecycle {{ ignore_changes = [rule] }} would \
         never take it:"
    ));
    let label = terraform.labels.of(&joined.group.name);
    let arn = format!("aws_wafv2_rule_group.{label}.arn");
    for line in owners_rule(&joined.rule, joined.priority, &arn) {
        file.line_comment(&line);
    }
    file.blank();
}

fn output(terraform: &Terraform<'_>, joined: &JoinedGroup, file: &mut Content) {
    let label = terraform.labels.of(&joined.group.name);
    file.block("output", &[&format!("{label}_arn")], |output| {
        output.attribute("description", text("The rule group, for rules that refer to it"));
        output.attribute("value", reference(&["aws_wafv2_rule_group", label, "arn"]));
    });
}

fn single(terraform: &Terraform<'_>, rule: &Rule, file: &mut Content) {
    let label = terraform.labels.of(&rule.name);
    if let Some(numbers) = terraform.stack.numbers_of(&rule.name) {
        file.comment(&format!("{}{}", numbers.subject, effect(&rule.action)));
    }
    file.block("resource", &["aws_wafv2_web_acl_rule", label], |resource| {
        terraform.home(resource);
        resource.attribute("name", text(&rule.name));
        resource.attribute("priority", number(rule.priority));
        resource.attribute("web_acl_arn", terraform.value(&Value::arn(Resource::WebAcl)));
        terraform.rule_body(rule, statement::Form::Alone, resource);
    });
}
