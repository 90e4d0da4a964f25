//! What every dialect says at its top: where the text came from, what it costs, what is missing.

use crate::quotas;
use crate::stack::{Acl, Origin, Stack};
use crate::units::{count, thousands};
use crate::wafv2::{PRICES, Scope, dollars};

/// Before the command that compares a text with policy and lock. The command is to be pasted, so the line is
/// never broken.
pub const COMPARE: &str = "To compare the two: ";

/// What of it is a dialect's own.
pub(super) struct Own<'a> {
    /// What the text is called where it is compared: `waf.tf`.
    pub target: &'a str,
    /// How it is put to use, a paragraph each.
    pub after: &'a [String],
    /// What there is to know if it has no rules.
    pub without_rules: &'a str,
}

/// The paragraphs at the top of a text; an empty one is an empty line.
pub(super) fn preamble(stack: &Stack, own: &Own<'_>) -> Vec<String> {
    let mut out = vec![title(stack)];
    out.extend(stack.origin.lines.iter().cloned());
    out.push(
        "Written by ratewaf emit: change the policy and emit again, not this file.".to_owned(),
    );
    let given = stack.origin.files.iter().chain(&stack.origin.flags).map(String::as_str);
    let target = stack.origin.target.as_deref().unwrap_or(own.target);
    let words = ["ratewaf emit"].into_iter().chain(given).chain(["--check", target]);
    out.push(format!("{COMPARE}{}", words.collect::<Vec<_>>().join(" ")));
    out.extend(accepted(&stack.origin));
    out.extend(own.after.iter().cloned());
    out.push(String::new());
    out.extend(budget(stack));
    let mut list = |title: &str, lines: &[String]| {
        if !lines.is_empty() {
            out.push(String::new());
            out.push(title.to_owned());
            out.extend(lines.iter().map(|line| format!("- {line}")));
        }
    };
    list("Never limited:", &stack.never_limited);
    list("Please note:", &stack.notes);
    let duties: Vec<String> =
        stack.duties.iter().map(|duty| format!("For {}: {}", duty.whose, duty.what)).collect();
    list("To do by hand:", &duties);
    if stack.numbers.is_empty() {
        out.extend([String::new(), own.without_rules.to_owned()]);
    }
    out
}

/// What it is, in a sentence.
pub(super) fn title(stack: &Stack) -> String {
    let acl = stack.acl.web_acl();
    let place = match stack.home.scope {
        Scope::CloudFront => "in front of CloudFront".to_owned(),
        Scope::Regional => format!("in {}", stack.home.region),
    };
    let of = if stack.acl.is_own() { "of the web ACL" } else { "for somebody else's web ACL" };
    let environment =
        stack.environment.as_ref().map_or_else(String::new, |name| format!(", environment {name}"));
    format!("Rate limits {of} {acl} {place}{environment}.")
}

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

/// What it uses and costs, a sentence each.
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
