//! What a regional web ACL stands before.

use super::super::hcl::{Content, text};
use super::Terraform;
use super::files::{File, Files};
use super::labels::label;
use crate::stack::{Association, Resource, Value};

pub(super) fn write(terraform: &Terraform<'_>, files: &mut Files) {
    let region = &terraform.stack.home.region;
    let acl = Value::arn(Resource::WebAcl);
    files.part(File::Waf, |file| {
        let associations = &terraform.stack.associations;
        terraform.associations(associations, &terraform.labels.web_acl, &acl, region, file);
    });
}

impl Terraform<'_> {
    /// A web ACL before each of some resources.
    pub(super) fn associations(
        &self,
        associations: &[Association],
        prefix: &str,
        web_acl: &Value,
        region: &str,
        file: &mut Content,
    ) {
        for association in associations {
            let label = format!("{prefix}_{}", label(&association.name));
            file.block("resource", &["aws_wafv2_web_acl_association", &label], |resource| {
                self.in_region(region, resource);
                resource.attribute("resource_arn", text(&association.resource_arn));
                resource.attribute("web_acl_arn", self.value(web_acl));
            });
        }
    }
}
