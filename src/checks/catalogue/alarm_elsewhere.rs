//! `alarm-elsewhere`: an alarm is made in a Region in which its metric does not exist.

use crate::checks::alarms::{Named, series};
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};
use crate::wafv2::Scope;

/// The check.
#[derive(Debug)]
pub struct AlarmElsewhere;

const ABOUT: About = About {
    id: "alarm-elsewhere",
    title: "An alarm is made in a Region in which its metric does not exist",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/alarm-elsewhere.md"),
};

impl Check for AlarmElsewhere {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let deployment = context.deployment;
        for series in series(deployment) {
            let alarm = series.alarm;
            let Some(region) = alarm.item.region.as_deref() else { continue };
            let acl = match series.named(deployment) {
                Named::This(acl) | Named::Wrongly(acl) => Some(acl),
                _ => series.rules(deployment).first().map(|(acl, _)| *acl),
            };
            let home = acl.and_then(|acl| match acl.scope? {
                Scope::CloudFront => Some("us-east-1"),
                Scope::Regional => acl.item.region.as_deref(),
            });
            if let (Some(acl), Some(home)) = (acl, home)
                && home != region
            {
                let message = format!(
                    "{} is made in {region}, and the metrics of {} are in {home}",
                    series.title(),
                    acl.title()
                );
                findings
                    .add(alarm.place(), message)
                    .help(format!("make it in {home}, together with its topic"))
                    .related(acl.place(), "the web ACL");
                continue;
            }
            for topic in alarm.actions.iter().filter_map(|one| one.as_str()) {
                let mut parts = topic.split(':');
                let (Some("sns"), Some(there)) = (parts.nth(2), parts.next()) else { continue };
                if there != region {
                    findings
                        .add(
                            alarm.place().member("AlarmActions"),
                            format!("{} is in {region} and its topic in {there}", series.title()),
                        )
                        .help(format!("use a topic in {region}"));
                }
            }
        }
    }
}
