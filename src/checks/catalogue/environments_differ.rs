//! `environments-differ`: stage and production count different requests.

use serde_json::Value;

use crate::checks::marker;
use crate::checks::model::Rule;
use crate::checks::requests::canonical;
use crate::checks::{About, Check, Confidence, Context, Findings, Severity};

/// The check.
#[derive(Debug)]
pub struct EnvironmentsDiffer;

const ABOUT: About = About {
    id: "environments-differ",
    title: "Stage and production count different requests",
    severity: Severity::Warning,
    confidence: Confidence::Medium,
    page: include_str!("../../../docs/checks/environments-differ.md"),
};

impl Check for EnvironmentsDiffer {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn run(&self, context: &Context<'_>, findings: &mut Findings) {
        let rates: Vec<_> =
            context.rates().filter(|(acl, _, _)| acl.item.environment.is_some()).collect();
        for (place, (acl, rule, rate)) in rates.iter().enumerate() {
            let Some(name) = plain_name(rule) else { continue };
            let other = rates[..place].iter().find(|(other, twin, _)| {
                other.item.environment != acl.item.environment
                    && plain_name(twin).as_deref() == Some(name.as_str())
            });
            let Some((other, twin, before)) = other else { continue };
            let mut differs = Vec::new();
            if rate.window() != before.window() {
                differs.push("in their windows");
            }
            if rate.key_type() != before.key_type()
                || text(&rate.raw["CustomKeys"]) != text(&before.raw["CustomKeys"])
            {
                differs.push("in what they count by");
            }
            if text(&rate.raw["ScopeDownStatement"]) != text(&before.raw["ScopeDownStatement"]) {
                differs.push("in what they count");
            }
            if differs.is_empty() {
                continue;
            }
            let word = |it: &Option<String>| it.clone().unwrap_or_default();
            let message = format!(
                "{} of {} and {} of {} differ {}",
                twin.title(),
                word(&other.item.environment),
                rule.title(),
                word(&acl.item.environment),
                differs.join(" and ")
            );
            findings
                .add(rule.place().member("RateBasedStatement"), message)
                .help("emit both from one policy with environments")
                .related(twin.place(), "the other environment");
        }
    }
}

/// The name of a rule without the words for an environment.
fn plain_name(rule: &Rule) -> Option<String> {
    let name = rule.name.as_deref()?.to_ascii_lowercase();
    let words = name.split(['-', '_']).filter(|word| {
        !matches!(
            *word,
            "stage"
                | "staging"
                | "prod"
                | "production"
                | "dev"
                | "development"
                | "test"
                | "preprod"
                | "live"
        )
    });
    Some(words.collect::<Vec<_>>().join("-"))
}

/// A value as text that does not tell which sets it refers to: each environment has its own.
fn text(value: &Value) -> String {
    let mut value = value.clone();
    blur(&mut value);
    canonical(&value)
}

fn blur(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(blur),
        Value::Object(_) if !marker::is_known(value) => *value = Value::Null,
        Value::Object(members) => {
            for (name, value) in members {
                if name == "ARN" {
                    *value = Value::String("set".to_owned());
                } else {
                    blur(value);
                }
            }
        }
        _ => {}
    }
}
