//! The comment at the top: where the text came from, how to use it, what it costs, what is missing.

use super::super::hcl::Content;
use super::super::preamble::{accepted, budget, title};
use super::Terraform;
use crate::stack::Origin;
use crate::wafv2::Scope;

pub(super) fn write(terraform: &Terraform<'_>, file: &mut Content) {
    let stack = terraform.stack;
    let header = &stack.origin;
    file.comment(&title(stack));
    header.lines.iter().for_each(|line| file.comment(line));
    file.comment("Written by ratewaf emit: change the policy and emit again, not this file.");
    file.comment(&format!("To compare the two: {}", command(terraform, header)));
    accepted(header).iter().for_each(|line| file.comment(line));
    if stack.acl.is_own() && stack.home.scope == Scope::CloudFront {
        let label = &terraform.labels.web_acl;
        file.comment(&format!("For a distribution: web_acl_id = aws_wafv2_web_acl.{label}.arn"));
    }
    file.comment("");
    budget(stack).iter().for_each(|line| file.comment(line));
    paragraph(file, "Never limited:", &stack.never_limited);
    paragraph(file, "Please note:", &stack.notes);
    let duties: Vec<String> =
        stack.duties.iter().map(|duty| format!("For {}: {}", duty.whose, duty.what)).collect();
    paragraph(file, "To do by hand:", &duties);
    if stack.numbers.is_empty() {
        file.comment("");
        file.comment(if stack.acl.is_own() && stack.home.scope == Scope::CloudFront {
            "There is no rule in it. The web ACL stays all the same: a distribution that names it would not \
             let it go."
        } else {
            "There is no rule in it."
        });
    }
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

/// A title with a list, or nothing.
fn paragraph(file: &mut Content, title: &str, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    file.comment("");
    file.comment(title);
    lines.iter().for_each(|line| file.comment(&format!("- {line}")));
}

/// The command that compares the text with the policy: with the flags it was written with.
fn command(terraform: &Terraform<'_>, origin: &Origin) -> String {
    let target = if terraform.options.is_split { "--check ." } else { "--check waf.tf" };
    let words = ["ratewaf emit"].into_iter().chain(origin.flags.iter().map(String::as_str));
    words.chain([target]).collect::<Vec<_>>().join(" ")
}
