//! The numbers of rules, each beside its evidence.

use super::Given;
use crate::rules::{AggregationKey, RateRule, Role, Route};

/// What may change from one analysis to the next, and why it is what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// The rule's name.
    pub rule: String,
    /// Whom and what the rule is about: `acl-token: GET /oauth/token, everybody but qa-runner`.
    pub subject: String,
    /// Where the limit comes from, a line each. Holds no addresses.
    pub evidence: Vec<String>,
    /// Requests of one client per window.
    pub limit: u32,
    /// Seconds.
    pub window: u32,
}

pub(super) fn build(given: &Given<'_>) -> Vec<Numbers> {
    let numbers = |rule: &&RateRule| Numbers {
        rule: rule.name.clone(),
        subject: subject(rule),
        evidence: rule.evidence.clone(),
        limit: rule.limit.requests(),
        window: rule.window.seconds(),
    };
    given.rules.iter().map(numbers).collect()
}

fn subject(rule: &RateRule) -> String {
    let what = match &rule.role {
        Role::SharedTwin { routes, .. } => {
            routes.iter().map(Route::to_string).collect::<Vec<_>>().join(", ")
        }
        Role::Main | Role::Second { .. } | Role::Twin { .. } => rule.route.to_string(),
    };
    let who = match rule.role.network() {
        Some(network) => format!(", {network} only"),
        None if rule.except_networks.is_empty() => String::new(),
        None => format!(", everybody but {}", rule.except_networks.join(", ")),
    };
    let by = match &rule.key {
        AggregationKey::Ip => String::new(),
        key => format!(", by {key}"),
    };
    format!("{}: {what}{who}{by}", rule.name)
}

/// Which rules leave out which paths, also where the answer is none.
pub(super) fn never_limited(given: &Given<'_>) -> Vec<String> {
    let exemptions = given.set.exemptions.iter().zip(&given.waf.exempted);
    exemptions
        .map(|(exemption, exempted)| {
            let rules = if exempted.rules.is_empty() {
                "no rule looks at that path".to_owned()
            } else {
                format!("left out of {}", exempted.rules.join(", "))
            };
            format!("{} ({}): {rules}", exemption.path, exemption.name)
        })
        .collect()
}
