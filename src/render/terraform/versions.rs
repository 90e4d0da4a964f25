//! Terraform, the provider, and the Region.

use super::super::hcl::{Content, object, text};
use super::{PROVIDER, Stack};

/// The oldest Terraform that the text is meant for. It uses nothing newer.
const TERRAFORM: &str = ">= 1.5.0";
/// 5.100 knows limits from 10 and all four windows; 6 has changed nothing that is used here.
const AWS: &str = ">= 5.100.0, < 7.0.0";

pub(super) fn write(_: &Stack<'_>, file: &mut Content) {
    file.block("terraform", &[], |terraform| {
        terraform.attribute("required_version", text(TERRAFORM));
        terraform.block("required_providers", &[], |providers| {
            let members = [("source", text("hashicorp/aws")), ("version", text(AWS))];
            providers.attribute("aws", object(members));
        });
    });
    for line in [
        "A web ACL for CloudFront, its IP sets and its alarms exist in us-east-1 only, wherever the rest \
         lives. An alias says so in versions 5 and 6 of the provider alike.",
        "If your configuration has this alias already, remove the block.",
        "In a module: remove the block and write configuration_aliases = [aws.us_east_1] above.",
    ] {
        file.comment(line);
    }
    file.block("provider", &["aws"], |provider| {
        provider.attribute("alias", text(PROVIDER));
        provider.attribute("region", text("us-east-1"));
    });
}
