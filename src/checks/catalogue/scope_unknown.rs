//! `scope-unknown`: a web ACL, rule group or set has a scope that there is not.

use serde_json::Value;

use super::limit_range::words;
use crate::checks::marker;
use crate::checks::model::Tool;
use crate::checks::shapes::nearest;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct ScopeUnknown;

const ABOUT: About = About {
    id: "scope-unknown",
    title: "A web ACL, rule group or set has a scope that there is not",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/scope-unknown.md"),
};

/// Kinds of resources that have a scope.
const KINDS: [&str; 4] = [
    "AWS::WAFv2::WebACL",
    "AWS::WAFv2::RuleGroup",
    "AWS::WAFv2::IPSet",
    "AWS::WAFv2::RegexPatternSet",
];
const SCOPES: [&str; 2] = ["CLOUDFRONT", "REGIONAL"];

impl Check for ScopeUnknown {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for resource in &context.deployment.resources {
            let scope = &resource.values["Scope"];
            let is_known = !marker::is_unknown(scope) && !marker::is_hidden(scope);
            if !KINDS.contains(&resource.kind.as_str())
                || !is_known
                || SCOPES.iter().any(|one| scope == one)
            {
                continue;
            }
            let whose = format!("`{}`", resource.item.address);
            let message = match scope {
                // What the API answers tells it by its ARN, if at all.
                Value::Null if resource.item.tool == Tool::Api => continue,
                Value::Null => format!("{whose} has no scope"),
                other => format!("{whose} has the scope `{}`, which there is not", words(other)),
            };
            let meant = scope.as_str().and_then(|it| nearest(it, SCOPES.into_iter()));
            findings.add(resource.place().member("Scope"), message).help(match meant {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => "write CLOUDFRONT or REGIONAL".to_owned(),
            });
        }
    }
}
