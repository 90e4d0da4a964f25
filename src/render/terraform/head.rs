//! The comment at the top: where the text came from, how to use it, what it costs, what is missing.

use super::super::hcl::Content;
use super::super::preamble::{Own, preamble, title};
use super::Terraform;
use crate::wafv2::Scope;

pub(super) fn write(terraform: &Terraform<'_>, file: &mut Content) {
    let stack = terraform.stack;
    let is_for_distributions = stack.acl.is_own() && stack.home.scope == Scope::CloudFront;
    let label = &terraform.labels.web_acl;
    let distribution = format!("For a distribution: web_acl_id = aws_wafv2_web_acl.{label}.arn");
    let own = Own {
        target: match (terraform.options.is_split, terraform.options.is_json) {
            (true, _) => ".",
            (false, true) => "waf.tf.json",
            (false, false) => "waf.tf",
        },
        after: if is_for_distributions { &[distribution] } else { &[] },
        without_rules: if is_for_distributions {
            "There is no rule in it. The web ACL stays all the same: a distribution that names it would not \
             let it go."
        } else {
            "There is no rule in it."
        },
    };
    preamble(stack, &own).iter().for_each(|paragraph| file.comment(paragraph));
    file.blank();
}

/// The comment at the top of the other files of a split text.
pub(super) fn short(terraform: &Terraform<'_>, file: &mut Content) {
    file.comment(&title(terraform.stack));
    file.comment(
        "Written by ratewaf emit: change the policy and emit again, not this file. See waf.tf.",
    );
    file.blank();
}
