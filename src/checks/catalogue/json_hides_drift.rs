//! `json-hides-drift`: rules written as JSON are never compared with what is live.

use crate::checks::model::Tool;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct JsonHidesDrift;

const ABOUT: About = About {
    id: "json-hides-drift",
    title: "Rules written as JSON are never compared with what is live",
    severity: Severity::Note,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/json-hides-drift.md"),
};

impl Check for JsonHidesDrift {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for acl in context.deployment.acls.iter().filter(|acl| acl.is_from_json) {
            let is_terraform = matches!(acl.item.tool, Tool::Terraform | Tool::Plan);
            if is_terraform && acl.rules.iter().any(|rule| rule.rate().is_some()) {
                findings
                    .add(acl.place(), format!("the rules of {} are JSON: Terraform never compares them with what is live", acl.title()))
                    .help("use rule blocks where the statements fit into them");
            }
        }
    }
}
