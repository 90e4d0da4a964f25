//! The `Region` dimension of WAF's metrics: regional web ACLs have it, those of CloudFront do not. An alarm on
//! dimensions that nobody publishes stays green for ever.

use crate::checks::{About, Check, Confidence, Context, Findings, Severity};
use crate::wafv2::Scope;

/// The check.
#[derive(Debug)]
pub struct AlarmRegion;

const ABOUT: About = About {
    id: "alarm-region",
    title: "An alarm with a Region where there is none, or without one",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/alarm-region.md"),
};

impl Check for AlarmRegion {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        for alarm in &context.deployment.alarms {
            if alarm.namespace.as_deref() != Some("AWS/WAFV2") {
                continue;
            }
            let Some(named) = alarm.dimensions.get("WebACL").and_then(|one| one.as_str()) else {
                continue;
            };
            let meant = context.deployment.acls.iter().find(|acl| {
                acl.item.input == alarm.item.input
                    && (acl.name.as_deref() == Some(named) || acl.metric.as_deref() == Some(named))
            });
            let Some(acl) = meant else { continue };
            let has_region = alarm.dimensions.contains_key("Region");
            let name = alarm.name.as_deref().unwrap_or(&alarm.item.address);
            let (message, help) = match (acl.scope, has_region) {
                (Some(Scope::CloudFront), true) => (
                    format!(
                        "alarm `{name}` has the dimension Region, and {} is CloudFront's",
                        acl.title()
                    ),
                    "leave Region out: metrics of the scope CLOUDFRONT do not have it",
                ),
                (Some(Scope::Regional), false) => (
                    format!(
                        "alarm `{name}` has no dimension Region, and {} is regional",
                        acl.title()
                    ),
                    "add Region: metrics of the scope REGIONAL have it",
                ),
                _ => continue,
            };
            findings
                .add(alarm.place().member("Dimensions"), message)
                .help(help)
                .related(acl.place().member("Scope"), "the web ACL");
        }
    }
}
