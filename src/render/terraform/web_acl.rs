//! A web ACL of ours.

use super::super::hcl::{Content, reference, text};
use super::Terraform;
use super::files::{File, Files};
use super::rule::visibility;
use crate::stack::Acl;
use crate::wafv2::{CustomResponseBody, DefaultAction, Scope, WebAcl};

pub(super) fn write(terraform: &Terraform<'_>, files: &mut Files) {
    let Acl::Own(acl) = &terraform.stack.acl else { return };
    let label = terraform.labels.web_acl.as_str();
    files.part(File::Waf, |file| {
        let region = &terraform.stack.home.region;
        terraform.web_acl(acl, label, region, file);
    });
    files.part(File::Outputs, |file| {
        file.block("output", &[&format!("{label}_web_acl_arn")], |output| {
            let what = match acl.scope {
                Scope::CloudFront => "The web_acl_id of a CloudFront distribution",
                Scope::Regional => "The web ACL, for what it stands before",
            };
            output.attribute("description", text(what));
            output.attribute("value", reference(&["aws_wafv2_web_acl", label, "arn"]));
        });
    });
}

impl Terraform<'_> {
    /// A web ACL with all its rules.
    pub(super) fn web_acl(&self, acl: &WebAcl, label: &str, region: &str, file: &mut Content) {
        file.block("resource", &["aws_wafv2_web_acl", label], |resource| {
            self.in_region(region, resource);
            resource.attribute("name", text(&acl.name));
            if let Some(description) = &acl.description {
                resource.attribute("description", text(description));
            }
            resource.attribute("scope", text(acl.scope.api_name()));
            self.tags(resource);
            let DefaultAction::Allow(_) = acl.default_action;
            resource.block("default_action", &[], |action| action.block("allow", &[], |_| {}));
            for (key, body) in &acl.custom_response_bodies {
                response_body(key, body, resource);
            }
            acl.rules.iter().for_each(|rule| self.inline_rule(rule, resource));
            visibility(&acl.visibility_config, resource);
        });
    }
}

/// A body of an answer.
pub(super) fn response_body(key: &str, body: &CustomResponseBody, resource: &mut Content) {
    resource.block("custom_response_body", &[], |block| {
        block.attribute("key", text(key));
        block.attribute("content_type", text(&body.content_type));
        block.attribute("content", text(&body.content));
    });
}
