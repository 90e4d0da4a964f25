//! `logging-absent`: a web ACL with rate rules keeps no logs.

use crate::checks::marker;
use crate::checks::model::{AclKind, Tool};
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct LoggingAbsent;

const ABOUT: About = About {
    id: "logging-absent",
    title: "A web ACL with rate rules keeps no logs",
    severity: Severity::Note,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/logging-absent.md"),
};

impl Check for LoggingAbsent {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let deployment = context.deployment;
        // Where it logs for is not known yet: it may be any.
        let is_open = deployment.loggings.iter().any(|one| {
            deployment.web_acl(&one.web_acl, &one.item).is_none()
                && marker::is_unknown(&one.web_acl)
        });
        for acl in deployment.acls.iter().filter(|acl| acl.kind == AclKind::WebAcl) {
            let limits = acl.rules.iter().any(|rule| rule.rate().is_some());
            let logs = deployment.loggings.iter().any(|one| {
                deployment.web_acl(&one.web_acl, &one.item).is_some_and(|it| it.item == acl.item)
            });
            // What the API answers has an ARN, and logging stands elsewhere; what is to be sent has none yet.
            let is_to_be_sent = acl.item.tool == Tool::Api && acl.raw["ARN"].is_null();
            let is_told = is_to_be_sent
                || deployment.would_show("AWS::WAFv2::LoggingConfiguration", &acl.item);
            if limits && !logs && !is_open && is_told {
                findings
                    .add(acl.place(), format!("{} limits and keeps no logs of it", acl.title()))
                    .help("add a logging configuration, so that the next limit has evidence");
            }
        }
    }
}
