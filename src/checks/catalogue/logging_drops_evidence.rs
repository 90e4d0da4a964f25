//! `logging-drops-evidence`: the log leaves out what the rate rules do.

use serde_json::Value;

use crate::checks::model::RuleEffect;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct LoggingDropsEvidence;

const ABOUT: About = About {
    id: "logging-drops-evidence",
    title: "The log leaves out what the rate rules do",
    severity: Severity::Warning,
    confidence: Confidence::High,
    page: include_str!("../../../docs/checks/logging-drops-evidence.md"),
};

impl Check for LoggingDropsEvidence {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let deployment = context.deployment;
        for logging in &deployment.loggings {
            let Some(acl) = deployment.web_acl(&logging.web_acl, &logging.item) else { continue };
            for (effect, action) in ACTIONS {
                let limits = acl
                    .rules
                    .iter()
                    .find(|rule| rule.rate().is_some() && rule.effect() == Some(effect));
                let Some(rule) = limits else { continue };
                if keeps(&logging.filter, action) == Some(false) {
                    findings
                        .add(
                            logging.place().member("LoggingFilter"),
                            format!(
                                "the log of {} leaves out {action}, which is what {} does",
                                acl.title(),
                                rule.title()
                            ),
                        )
                        .help(format!("keep {action}"))
                        .related(rule.place(), "its records are dropped");
                }
            }
        }
    }
}

/// What a log calls what rules do.
const ACTIONS: [(RuleEffect, &str); 4] = [
    (RuleEffect::Block, "BLOCK"),
    (RuleEffect::Count, "COUNT"),
    (RuleEffect::Captcha, "CAPTCHA"),
    (RuleEffect::Challenge, "CHALLENGE"),
];

/// Whether a filter keeps the records of an action; `None` if that depends on more than the action.
fn keeps(filter: &Value, action: &str) -> Option<bool> {
    if filter.is_null() {
        return Some(true);
    }
    let mut certain = true;
    for one in filter["Filters"].as_array()? {
        let conditions = one["Conditions"].as_array()?;
        let named =
            conditions.iter().any(|it| it["ActionCondition"]["Action"].as_str() == Some(action));
        if !named {
            let by_label = conditions.iter().any(|it| it["LabelNameCondition"].is_object());
            certain = certain && !by_label;
            continue;
        }
        // All conditions of several have to hold: that is more than the action.
        if one["Requirement"] == "MEETS_ALL" && conditions.len() > 1 {
            certain = false;
            continue;
        }
        return Some(one["Behavior"] == "KEEP");
    }
    let default = filter["DefaultBehavior"].as_str()? == "KEEP";
    certain.then_some(default)
}
