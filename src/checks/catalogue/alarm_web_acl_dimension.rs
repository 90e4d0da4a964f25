//! `alarm-web-acl-dimension`: an alarm's WebACL dimension is missing or names no web ACL.

use crate::checks::alarms::{Named, series};
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct AlarmWebAclDimension;

const ABOUT: About = About {
    id: "alarm-web-acl-dimension",
    title: "An alarm's WebACL dimension is missing or names no web ACL",
    severity: Severity::Error,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/alarm-web-acl-dimension.md"),
};

impl Check for AlarmWebAclDimension {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let deployment = context.deployment;
        for series in series(deployment) {
            let place = series.alarm.place().member("Dimensions");
            let has = |name: &str| series.dimensions.contains_key(name);
            match series.named(deployment) {
                Named::Missing if has("Rule") && !has("RuleGroup") => {
                    findings
                        .add(
                            place,
                            format!(
                                "{} has no dimension WebACL, and a rule's metric has one",
                                series.title()
                            ),
                        )
                        .help("add WebACL with the name of the web ACL");
                }
                Named::Wrongly(acl) => {
                    let name = acl.name.as_deref().unwrap_or_default();
                    findings
                        .add(
                            place,
                            format!(
                                "{} names {} by something that is not its name",
                                series.title(),
                                acl.title()
                            ),
                        )
                        .help(format!("write `{name}` into the dimension WebACL"))
                        .related(acl.place(), "the web ACL");
                }
                Named::Nothing => {
                    // An alarm may belong to a web ACL of another stack; one on a rule of this one does not.
                    let Some((acl, rule)) = series.rules(deployment).first().copied() else {
                        continue;
                    };
                    let Some(name) = acl.name.as_deref() else { continue };
                    findings
                        .add(
                            place,
                            format!(
                                "{} looks at {} in a web ACL that is not here; it stands in {}",
                                series.title(),
                                rule.title(),
                                acl.title()
                            ),
                        )
                        .help(format!("write `{name}` into the dimension WebACL"))
                        .related(rule.place(), "the rule")
                        .confidence(Confidence::Medium);
                }
                _ => {}
            }
        }
    }
}
