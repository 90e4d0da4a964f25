//! `block-without-429`: a rate rule blocks with 403 where clients expect 429.

use crate::checks::marker;
use crate::checks::model::RuleEffect;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};
use crate::policy::PricingPlan;

/// The check.
#[derive(Debug)]
pub struct BlockWithout429;

const ABOUT: About = About {
    id: "block-without-429",
    title: "A rate rule blocks with 403 where clients expect 429",
    severity: Severity::Warning,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/block-without-429.md"),
};

impl Check for BlockWithout429 {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        if context.pricing_plan == Some(PricingPlan::Free) {
            return;
        }
        for (_, rule, _) in context.rates() {
            let block = &rule.raw["Action"]["Block"];
            let code = &block["CustomResponse"]["ResponseCode"];
            if rule.effect() != Some(RuleEffect::Block) || marker::any(block) && code.is_null() {
                continue;
            }
            let code = match code.as_u64() {
                Some(429) => continue,
                Some(chosen)
                    if context.policy.is_some_and(|it| u64::from(it.response.status) == chosen) =>
                {
                    continue;
                }
                Some(other) => other,
                None if code.is_null() => 403,
                None => continue,
            };
            let message =
                format!("{} answers {code} to clients over its limit, not 429", rule.title());
            findings
                .add(rule.place().member("Action"), message)
                .help("give the block action a custom response with the code 429");
        }
    }
}
