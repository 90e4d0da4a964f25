//! `capacity`: the rules need more capacity than they may.

use crate::checks::model::{Acl, AclKind, Deployment};
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};
use crate::quotas::{INCLUDED_WCU, WCU_PER_WEB_ACL};
use crate::units::thousands;
use crate::wafv2;

/// The check.
#[derive(Debug)]
pub struct Capacity;

const ABOUT: About = About {
    id: "capacity",
    title: "The rules need more capacity than they may",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/capacity.md"),
};

impl Check for Capacity {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let deployment = context.deployment;
        for acl in &deployment.acls {
            let used = used(deployment, acl);
            let say = |number: u64| thousands(number);
            match acl.kind {
                AclKind::RuleGroup => {
                    let Some(capacity) = acl.raw["Capacity"].as_u64() else { continue };
                    if capacity > WCU_PER_WEB_ACL.into() {
                        findings
                            .add(
                                acl.place().member("Capacity"),
                                format!(
                                    "{} reserves {} WCU, and AWS gives {}",
                                    acl.title(),
                                    say(capacity),
                                    say(WCU_PER_WEB_ACL.into())
                                ),
                            )
                            .help("reserve less");
                    } else if used > capacity {
                        findings
                            .add(acl.place().member("Capacity"), format!("{} reserves {} WCU, and its rules need about {}", acl.title(), say(capacity), say(used)))
                            .help("reserve more, under another name: capacity cannot be changed later");
                    }
                }
                AclKind::WebAcl if used > WCU_PER_WEB_ACL.into() => {
                    findings
                        .add(
                            acl.place().member("Rules"),
                            format!(
                                "the rules of {} need about {} WCU, and AWS gives {}",
                                acl.title(),
                                say(used),
                                say(WCU_PER_WEB_ACL.into())
                            ),
                        )
                        .help("use fewer transformations and custom keys");
                }
                AclKind::WebAcl if used > INCLUDED_WCU.into() => {
                    findings
                        .add(
                            acl.place().member("Rules"),
                            format!(
                                "the rules of {} need about {} WCU: above {} requests cost more",
                                acl.title(),
                                say(used),
                                say(INCLUDED_WCU.into())
                            ),
                        )
                        .help("use fewer transformations and custom keys")
                        .severity(Severity::Note);
                }
                AclKind::WebAcl | AclKind::Foreign => {}
            }
        }
    }
}

/// Units that the rules need at least: statements of other kinds than ours count nothing here.
fn used(deployment: &Deployment, acl: &Acl) -> u64 {
    acl.rules
        .iter()
        .map(|rule| match (&rule.typed, rule.statement().of("RuleGroupReferenceStatement")) {
            (Some(typed), _) => wafv2::rule_capacity(std::slice::from_ref(typed)).into(),
            (None, Some(reference)) => deployment
                .rule_group(&reference["ARN"], &rule.item)
                .and_then(|group| group.raw["Capacity"].as_u64())
                .unwrap_or(0),
            (None, None) => 0,
        })
        .sum()
}
