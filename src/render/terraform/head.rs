//! The comment at the top: where the text came from, how to use it, what it costs, what is missing.

use super::super::hcl::Content;
use super::super::preamble::{accepted, budget, title};
use super::Terraform;
<<<<<<< HEAD
use crate::stack::Origin;
use crate::wafv2::Scope;
=======
use crate::quotas;
use crate::stack::{Acl, Origin, Stack};
use crate::units::{count, thousands};
use crate::wafv2::{PRICES, Scope, dollars};
>>>>>>> p2-stack

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
<<<<<<< HEAD
=======

/// What the flags did to the rules.
fn accepted(header: &Origin) -> Vec<String> {
    let flags = header.flags.join(" ").replace('=', " ");
    let mut lines = Vec::new();
    if flags.contains("--accept weak") {
        lines.push("Weak limits were accepted by --accept weak.".to_owned());
    }
    if flags.contains("--count-mode") {
        lines.push("Every rule only counts because of --count-mode.".to_owned());
    }
    lines
}

fn budget(stack: &Stack) -> Vec<String> {
    let Stack { budget, acl, .. } = stack;
    let waf = &budget.waf;
    let uses = format!(
        "Uses {} of {} rate-based rules and about {} of {} WCU (an estimate; AWS decides).",
        waf.rate_rules,
        quotas::RATE_RULES_PER_WEB_ACL,
        thousands(waf.wcu.into()),
        thousands(quotas::WCU_PER_WEB_ACL.into()),
    );
    if let Some(plan) = budget.plan {
        return vec![uses, format!("Costs nothing more: included in the flat-rate plan {plan}.")];
    }
    let what = match acl {
        Acl::Own(_) => "the web ACL and its rules",
        Acl::Groups { .. } => "the rule group and its rules",
        Acl::Rules { .. } => "the rules",
    };
    let of = match stack.home.scope {
        Scope::CloudFront => "to the distribution",
        Scope::Regional => "to what it stands before",
    };
    let requests = if acl.is_own() {
        format!(", and {} per million requests {of}", dollars(waf.cents_per_million))
    } else {
        String::new()
    };
    let costs = format!(
        "Costs {} a month for {what}{requests} (pay as you go, prices of {}).",
        dollars(budget.fixed_cents),
        PRICES.as_of,
    );
    let traffic = budget.monthly_cents.zip(budget.traffic).map(|(cents, traffic)| {
        format!(
            "With as many requests as the logs hold ({} in {}): about {} a month.",
            thousands(traffic.requests),
            count(traffic.hours, "hour", "hours"),
            dollars(cents)
        )
    });
    [uses, costs].into_iter().chain(traffic).collect()
}
>>>>>>> p2-stack
