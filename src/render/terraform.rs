//! Terraform: everything that a rate limit needs, as one file or split the way people do.
//!
//! The text is valid with version 5.100 and 6 of the AWS provider unless the policy asks for what only
//! 6 has, stands alone in an empty folder, and drops into an existing repository. Why it looks as it
//! does: `docs/terraform.md`.

mod alarms;
mod associations;
mod dashboard;
mod files;
mod guard;
mod head;
mod iam;
mod ip_sets;
mod joined;
mod labels;
mod logging;
mod numbers;
mod provider;
mod rule;
mod statement;
mod strings;
mod values;
mod versions;
mod web_acl;

pub use files::FILES;
pub use provider::Provider;

use files::Files;
use labels::Labels;

use super::Error;
use crate::stack::Stack;

/// How to write Terraform.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TerraformOptions {
    /// Which version of the AWS provider it is for.
    pub provider: Provider,
    /// Whether it is a module: the numbers are variables, and providers come from outside.
    pub is_module: bool,
    /// Whether it is split into several files.
    pub is_split: bool,
    /// Whether it is in Terraform's JSON syntax: `waf.tf.json`.
    pub is_json: bool,
}

/// All that the parts of the text look at.
struct Terraform<'a> {
    stack: &'a Stack,
    options: &'a TerraformOptions,
    labels: Labels,
}

/// Writes a stack as Terraform: one file, `waf.tf`, or those of [`FILES`] that it needs.
///
/// # Errors
/// When Terraform, or the version of the provider, cannot express it.
pub fn terraform(
    stack: &Stack,
    options: &TerraformOptions,
) -> Result<Vec<(String, String)>, Error> {
    strings::check(stack)?;
    provider::check(stack, options.provider)?;
    let labels = Labels::new(stack)?;
    let terraform = Terraform { stack, options, labels };
    let mut files = Files::default();
    versions::write(&terraform, &mut files);
    numbers::write(&terraform, &mut files);
    ip_sets::write(&terraform, &mut files);
    web_acl::write(&terraform, &mut files);
    joined::write(&terraform, &mut files);
    associations::write(&terraform, &mut files);
    logging::write(&terraform, &mut files);
    alarms::write(&terraform, &mut files);
    dashboard::write(&terraform, &mut files);
    guard::write(&terraform, &mut files);
    iam::write(&terraform, &mut files);
    let texts = files.contents(&terraform).into_iter();
    Ok(texts
        .map(|(name, content)| match options.is_json {
            true => (format!("{name}.json"), content.to_json()),
            false => (name.to_owned(), content.to_string()),
        })
        .collect())
}

#[cfg(test)]
mod tests;
