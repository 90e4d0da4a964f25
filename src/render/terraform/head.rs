//! The comment at the top: where the file came from, how to use it, what it costs, what is missing.

use super::super::hcl::Content;
use super::{Header, Stack};
use crate::quotas;
use crate::units::thousands;
use crate::wafv2::{PRICES, dollars};

pub(super) fn write(stack: &Stack<'_>, header: &Header, file: &mut Content) {
    let mut paragraphs = vec![format!(
        "Rate limits of the web ACL `{}` in front of CloudFront.",
        stack.waf.web_acl.name
    )];
    paragraphs.extend(header.origin.iter().cloned());
    paragraphs.push(
        "Written by `ratewaf emit`. Change the policy and emit again rather than this file; \
         `ratewaf emit --check waf.tf` tells whether the two agree."
            .to_owned(),
    );
    paragraphs.push(format!(
        "To put it in front of a distribution: web_acl_id = aws_wafv2_web_acl.{}.arn (the ARN, not the id).",
        stack.labels.web_acl
    ));
    paragraphs.push(budget(stack));
    paragraphs.extend(never_limited(stack));
    if stack.rules.is_empty() {
        paragraphs.push(
            "There is no rule in it. The web ACL stays all the same: a distribution that names it \
             would not let it go."
                .to_owned(),
        );
    }
    for (place, text) in paragraphs.iter().enumerate() {
        if place > 0 {
            file.comment("");
        }
        file.comment(text);
    }
    if !stack.set.notes.is_empty() {
        file.comment("");
        file.comment("Please note:");
        for note in &stack.set.notes {
            file.comment(&format!("- {note}"));
        }
    }
    file.blank();
}

fn budget(stack: &Stack<'_>) -> String {
    let budget = &stack.waf.budget;
    format!(
        "Budget: {} of {} rate-based rules; about {} of {} WCU (an estimate, AWS decides); {} a month \
         for the web ACL and its rules and {} per million requests to the distribution (pay as you go, \
         prices of {}).",
        budget.rate_rules,
        quotas::RATE_RULES_PER_WEB_ACL,
        thousands(budget.wcu.into()),
        thousands(quotas::WCU_PER_WEB_ACL.into()),
        dollars(budget.fixed_cents),
        dollars(budget.cents_per_million),
        PRICES.as_of,
    )
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
            format!("Never limited: {} ({}): {rules}.", exemption.path, exemption.name)
        })
        .collect()
}
