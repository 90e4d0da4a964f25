//! Terraform, the provider, and the Region.

use super::super::hcl::{Content, list, object, reference, text};
use super::Terraform;
use super::files::{File, Files};
use super::provider::alias_name;
use crate::wafv2::Scope;

/// The oldest Terraform that the text is meant for. It uses nothing newer.
const TERRAFORM: &str = ">= 1.5.0";
/// `special = false` and 44 characters are older than this.
const RANDOM: &str = ">= 3.5.0, < 4.0.0";

pub(super) fn write(terraform: &Terraform<'_>, files: &mut Files) {
    files.part(File::Versions, |file| {
        file.block("terraform", &[], |block| {
            block.attribute("required_version", text(TERRAFORM));
            block.block("required_providers", &[], |providers| required(terraform, providers));
        });
        if !terraform.options.is_module {
            providers(terraform, file);
        }
    });
}

fn required(terraform: &Terraform<'_>, providers: &mut Content) {
    let mut aws =
        vec![("source", text("hashicorp/aws")), ("version", text(terraform.aws_versions()))];
    if terraform.options.is_module && !terraform.has_region_argument() {
        let aliases = terraform.regions().into_iter().map(alias_name);
        let aliases = aliases.map(|alias| reference(&["aws", &alias]));
        aws.push(("configuration_aliases", list(aliases)));
    }
    providers.attribute("aws", object(aws));
    if terraform.stack.guard.is_some() {
        let members = [("source", text("hashicorp/random")), ("version", text(RANDOM))];
        providers.attribute("random", object(members));
    }
}

fn providers(terraform: &Terraform<'_>, file: &mut Content) {
    let home = &terraform.stack.home;
    if terraform.has_region_argument() {
        file.comment(
            "Every resource names its Region itself. If your configuration has a provider already, remove the \
             block.",
        );
        file.block("provider", &["aws"], |provider| {
            provider.attribute("region", text(&home.region));
        });
        return;
    }
    if home.scope == Scope::CloudFront {
        file.comment(
            "A web ACL for CloudFront, its IP sets and its alarms exist in us-east-1 only, wherever the rest \
             lives. An alias says so in versions 5 and 6 of the provider alike.",
        );
    } else {
        file.comment("An alias names the Region in versions 5 and 6 of the provider alike.");
    }
    for line in [
        "If your configuration has this alias already, remove the block; with --module, or with --provider 6 where \
         that is yours, ratewaf emit writes none, and emit --check stays quiet.",
        &format!(
            "In a module: remove the block and write configuration_aliases = [aws.{}] above.",
            alias_name(&home.region)
        ),
    ] {
        file.comment(line);
    }
    for region in terraform.regions() {
        file.block("provider", &["aws"], |provider| {
            provider.attribute("alias", text(alias_name(region)));
            provider.attribute("region", text(region));
        });
    }
}
