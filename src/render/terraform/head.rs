//! The comment at the top: where the file came from, how to use it, what it costs, what is missing.

use super::super::hcl::Content;
use super::{Header, Stack};
use crate::quotas;
use crate::units::thousands;
use crate::wafv2::{PRICES, dollars};

pub(super) fn write(stack: &Stack<'_>, header: &Header, file: &mut Content) {
    let acl = &stack.waf.web_acl.name;
    file.comment(&format!("Rate limits of the web ACL {acl} in front of CloudFront."));
    header.origin.iter().for_each(|line| file.comment(line));
    file.comment("Written by ratewaf emit: change the policy and emit again, not this file.");
    file.comment(&format!("To compare the two: {}", command(header)));
    accepted(header).iter().for_each(|line| file.comment(line));
    let label = &stack.labels.web_acl;
    file.comment(&format!("For a distribution: web_acl_id = aws_wafv2_web_acl.{label}.arn"));
    file.comment("");
    budget(stack).iter().for_each(|line| file.comment(line));
    paragraph(file, "Never limited:", &never_limited(stack));
    paragraph(file, "Please note:", &stack.set.notes);
    if stack.rules.is_empty() {
        file.comment("");
        file.comment(
            "There is no rule in it. The web ACL stays all the same: a distribution that names it \
             would not let it go.",
        );
    }
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

/// The command that compares the file with the policy: with the flags it was written with.
fn command(header: &Header) -> String {
    let words = ["ratewaf emit"].into_iter();
    let words = words.chain(header.flags.iter().map(String::as_str)).chain(["--check waf.tf"]);
    words.collect::<Vec<_>>().join(" ")
}

/// What the flags did to the rules.
fn accepted(header: &Header) -> Vec<String> {
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

fn budget(stack: &Stack<'_>) -> [String; 2] {
    let budget = &stack.waf.budget;
    let uses = format!(
        "Uses {} of {} rate-based rules and about {} of {} WCU (an estimate; AWS decides).",
        budget.rate_rules,
        quotas::RATE_RULES_PER_WEB_ACL,
        thousands(budget.wcu.into()),
        thousands(quotas::WCU_PER_WEB_ACL.into()),
    );
    if let Some(plan) = stack.set.flat_rate_plan {
        return [uses, format!("Costs nothing more: included in the flat-rate plan {plan}.")];
    }
    let costs = format!(
        "Costs {} a month for the web ACL and its rules, and {} per million requests to the \
         distribution (pay as you go, prices of {}).",
        dollars(budget.fixed_cents),
        dollars(budget.cents_per_million),
        PRICES.as_of,
    );
    [uses, costs]
}

/// Which rules leave out which paths, also where the answer is none.
fn never_limited(stack: &Stack<'_>) -> Vec<String> {
    let exemptions = stack.set.exemptions.iter().zip(&stack.waf.exempted);
    exemptions
        .map(|(exemption, exempted)| {
            let rules = if exempted.rules.is_empty() {
                "no rule looks at that path".to_owned()
            } else {
                format!("left out of {}", exempted.rules.join(", "))
            };
            format!("{} ({}): {rules}", exemption.path, exemption.name)
        })
        .collect()
}
