//! `member-unknown`: a rule has a block, an argument or a member that there is not.

use crate::checks::model::Tool;
use crate::checks::shapes;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct MemberUnknown;

const ABOUT: About = About {
    id: "member-unknown",
    title: "A rule has a block, an argument or a member that there is not",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/member-unknown.md"),
};

impl Check for MemberUnknown {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        // What stands in JSON is json-member-unknown's.
        let written = context
            .deployment
            .acls
            .iter()
            .filter(|acl| !acl.is_from_json && acl.item.tool != Tool::Api);
        for rule in written.flat_map(|acl| &acl.rules) {
            let is_template = rule.item.tool == Tool::CloudFormation;
            let spelled = |name: &str| if is_template { name.to_owned() } else { snake(name) };
            for misfit in shapes::misfits(&rule.raw) {
                if misfit.word.is_some() {
                    continue;
                }
                let message = format!(
                    "{} has `{}` in its {}, which there is not",
                    rule.title(),
                    spelled(misfit.member),
                    misfit.within
                );
                let help = match misfit.meant {
                    Some(meant) => format!("did you mean `{}`?", spelled(meant)),
                    None => "take it out, or spell it as the documentation does".to_owned(),
                };
                findings.add(rule.place().member(misfit.member), message).help(help);
            }
        }
    }
}

/// A member's name as Terraform spells it.
fn snake(name: &str) -> String {
    let mut out = String::new();
    let mut was_small = false;
    for letter in name.replace("CloudWatch", "Cloudwatch").chars() {
        if letter.is_ascii_uppercase() && was_small {
            out.push('_');
        }
        was_small = !letter.is_ascii_uppercase();
        out.push(letter.to_ascii_lowercase());
    }
    out
}
