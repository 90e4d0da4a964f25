//! `nested-too-deep`: a rate rule stands inside logic, or logic is deeper than the tool takes.

use crate::checks::model::Tool;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};
use crate::quotas::TERRAFORM_SCOPE_DOWN_LEVELS;

/// The check.
#[derive(Debug)]
pub struct NestedTooDeep;

const ABOUT: About = About {
    id: "nested-too-deep",
    title: "A rate rule stands inside logic, or logic is deeper than the tool takes",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/nested-too-deep.md"),
};

/// Levels of logic of a rule's statement in Terraform's blocks (internal/service/wafv2/schemas.go of the AWS provider).
const LEVELS: usize = 3;

impl Check for NestedTooDeep {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for acl in &context.deployment.acls {
            for rule in &acl.rules {
                let below = rule.statement().walk();
                for kind in [
                    "RateBasedStatement",
                    "RuleGroupReferenceStatement",
                    "ManagedRuleGroupStatement",
                ] {
                    if below.iter().skip(1).any(|one| one.of(kind).is_some()) {
                        findings
                            .add(rule.place().member(kind), format!("{} has a {kind} inside another statement", rule.title()))
                            .help("it stands at the top of a rule; put conditions into its scope-down");
                    }
                }
                let is_blocks =
                    matches!(rule.item.tool, Tool::Terraform | Tool::Plan) && !acl.is_from_json;
                if !is_blocks {
                    continue;
                }
                let is_resource = acl.item != rule.item;
                if let Some(scope_down) = rule.rate().and_then(|rate| rate.scope_down()) {
                    let most = if is_resource { 0 } else { TERRAFORM_SCOPE_DOWN_LEVELS };
                    let levels = scope_down.levels();
                    if levels > most {
                        findings
                            .add(rule.place().member("ScopeDownStatement"), format!("{} has {levels} levels of logic in its scope-down, and Terraform's blocks take {most}", rule.title()))
                            .help("write `not (a or b)` as `not a and not b`, or put the rule into a rule group");
                    }
                }
                let levels = rule.statement().levels();
                if levels > LEVELS {
                    findings
                        .add(rule.place().member("Statement"), format!("{} has {levels} levels of logic, and Terraform's blocks take {LEVELS}", rule.title()))
                        .help("flatten it, or write the rule as JSON");
                }
            }
        }
    }
}
