//! `reference-undeclared`: a value comes from a variable, local or parameter that nobody declares.

use std::collections::BTreeSet;

use crate::checks::marker;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct ReferenceUndeclared;

const ABOUT: About = About {
    id: "reference-undeclared",
    title: "A value comes from a variable, local or parameter that nobody declares",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/reference-undeclared.md"),
};

/// Kinds whose values are looked through.
const KINDS: [&str; 3] = ["AWS::WAFv2::", "Ratewaf::", "AWS::CloudWatch::Alarm"];

impl Check for ReferenceUndeclared {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for resource in &context.deployment.resources {
            if !KINDS.iter().any(|kind| resource.kind.starts_with(kind)) {
                continue;
            }
            let mut found = BTreeSet::new();
            marker::undeclared(&resource.values, &mut found);
            for (name, member) in found {
                findings
                    .add(
                        resource.place().member(member),
                        format!(
                            "the {member} of `{}` comes from `{name}`, which nobody declares",
                            resource.item.address
                        ),
                    )
                    .help("declare it, or spell it as it is declared");
            }
        }
    }
}
