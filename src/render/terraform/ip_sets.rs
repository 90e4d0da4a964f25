//! One resource per network and family.

use super::super::hcl::{list, text};
use super::Terraform;
use super::files::{File, Files};

pub(super) fn write(terraform: &Terraform<'_>, files: &mut Files) {
    for network in &terraform.stack.networks {
        files.part(File::Waf, |file| {
            file.comment(&network.about);
            for set in &network.sets {
                let label = terraform.labels.of(&set.name);
                file.block("resource", &["aws_wafv2_ip_set", label], |resource| {
                    terraform.home(resource);
                    resource.attribute("name", text(&set.name));
                    resource.attribute("scope", text(set.scope.api_name()));
                    resource
                        .attribute("ip_address_version", text(set.ip_address_version.api_name()));
                    resource.attribute(
                        "addresses",
                        list(set.addresses.iter().map(|cidr| text(cidr.to_string()))),
                    );
                    terraform.tags(resource);
                });
            }
        });
    }
}
