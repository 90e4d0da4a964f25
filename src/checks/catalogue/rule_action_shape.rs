//! `rule-action-shape`: a rule has no action, several, or one that its statement does not take.

use serde_json::Value;

use crate::checks::marker;
use crate::checks::model::AclKind;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct RuleActionShape;

const ABOUT: About = About {
    id: "rule-action-shape",
    title: "A rule has no action, several, or one that its statement does not take",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/rule-action-shape.md"),
};

impl Check for RuleActionShape {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for acl in &context.deployment.acls {
            let default = &acl.raw["DefaultAction"];
            if acl.kind == AclKind::WebAcl
                && default.is_object()
                && !marker::any(default)
                && members(default).len() != 1
            {
                findings
                    .add(
                        acl.place().member("DefaultAction"),
                        format!(
                            "{} has a default action with {} choices, and it takes one",
                            acl.title(),
                            members(default).len()
                        ),
                    )
                    .help("write allow or block");
            }
            for rule in &acl.rules {
                let (action, overrides) = (&rule.raw["Action"], &rule.raw["OverrideAction"]);
                if !is_known(action) || !is_known(overrides) || !is_known(&rule.raw["Statement"]) {
                    continue;
                }
                let (actions, overriding) = (members(action), members(overrides));
                let statement = rule.statement();
                let is_group = ["RuleGroupReferenceStatement", "ManagedRuleGroupStatement"]
                    .iter()
                    .any(|kind| statement.of(kind).is_some());
                let fault = match (actions.as_slice(), overriding.as_slice()) {
                    ([], []) => Some("has no action"),
                    ([_], [_]) | ([_, ..], [_, ..]) => Some("has an action and an override"),
                    ([_, _, ..], []) | ([], [_, _, ..]) => Some("has several actions"),
                    ([_], []) if is_group => {
                        Some("refers to a rule group and has an action in place of an override")
                    }
                    ([], [_]) if !is_group && !statement.kinds().is_empty() => {
                        Some("has an override, which is for references to rule groups")
                    }
                    ([one], []) if rule.rate().is_some() && one == "Allow" => {
                        Some("is a rate rule that allows, which AWS refuses")
                    }
                    ([one], []) if rule.rate().is_some() && one == "Monetize" => {
                        Some("is a rate rule that asks for payment, which AWS refuses")
                    }
                    _ => None,
                };
                if let Some(fault) = fault {
                    findings
                        .add(
                            rule.place().member("Action"),
                            format!("{} of {} {fault}", rule.title(), acl.title()),
                        )
                        .help("write exactly one action, or one override for a rule group");
                }
            }
        }
    }
}

fn members(value: &Value) -> Vec<String> {
    value
        .as_object()
        .map(|it| {
            it.iter().filter(|(_, inner)| !inner.is_null()).map(|(name, _)| name.clone()).collect()
        })
        .unwrap_or_default()
}

fn is_known(value: &Value) -> bool {
    !marker::is_unknown(value) && !marker::is_hidden(value)
}
