//! `pricing-plan`: CloudFront's pricing plan does not allow this.

use crate::checks::model::AclKind;
use crate::checks::paths::{Field, text_matches};
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};
use crate::policy::PricingPlan as Plan;
use crate::wafv2::Scope;

/// The check.
#[derive(Debug)]
pub struct PricingPlan;

const ABOUT: About = About {
    id: "pricing-plan",
    title: "CloudFront's pricing plan does not allow this",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/pricing-plan.md"),
};

impl Check for PricingPlan {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let Some(plan) = context.pricing_plan.filter(|plan| *plan != Plan::Payg) else {
            return;
        };
        let name = plan.as_str();
        for acl in &context.deployment.acls {
            if acl.scope == Some(Scope::Regional) {
                continue;
            }
            if let Some(most) = plan
                .most_rules()
                .filter(|most| acl.kind == AclKind::WebAcl && acl.rules.len() > *most)
            {
                findings
                    .add(
                        acl.place().member("Rules"),
                        format!(
                            "{} has {} rules, and the plan {name} takes {most}",
                            acl.title(),
                            acl.rules.len()
                        ),
                    )
                    .help("merge routes with one limit into one rule, or change the plan");
            }
            for rule in &acl.rules {
                let statement = rule.statement();
                let matches = text_matches(statement);
                let has_key = |kind: &str| {
                    rule.rate()
                        .is_some_and(|rate| rate.key_parts().iter().any(|part| part.kind == kind))
                };
                let by_header = matches.iter().any(|one| matches!(one.field, Field::Header(_)))
                    || has_key("Header")
                    || has_key("Cookie");
                let by_regex = !statement.all_of("RegexMatchStatement").is_empty()
                    || !statement.all_of("RegexPatternSetReferenceStatement").is_empty();
                let action = &rule.raw["Action"];
                let faults = [
                    (
                        !plan.has_custom_response()
                            && action["Block"]["CustomResponse"].is_object(),
                        "a custom response",
                    ),
                    (!plan.has_header_match() && by_header, "a match on a header"),
                    (!plan.has_regex() && by_regex, "a regular expression"),
                    (matches!(plan, Plan::Free) && action["Captcha"].is_object(), "a CAPTCHA"),
                    (
                        matches!(plan, Plan::Free | Plan::Pro) && action["Challenge"].is_object(),
                        "a challenge",
                    ),
                    (
                        statement.of("RuleGroupReferenceStatement").is_some(),
                        "a rule group of its own",
                    ),
                ];
                for (_, what) in faults.into_iter().filter(|(is, _)| *is) {
                    findings
                        .add(
                            rule.place(),
                            format!(
                                "{} has {what}, which the plan {name} does not allow",
                                rule.title()
                            ),
                        )
                        .help("write it in a way that the plan allows, or change the plan");
                }
            }
        }
    }
}
