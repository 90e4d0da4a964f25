//! What WAF refuses in rules, much of which plans and validators let pass.

use std::collections::BTreeSet;

use ratewaf::quotas;
use serde_json::Value;

use super::statement::{self, Home};
use super::{capacity, refusal};
use crate::fake_aws::account::Account;
use crate::fake_aws::call::Refusal;

/// Where rules stand, and what that allows.
pub struct Place {
    rate_rules: usize,
    references: usize,
    holds_groups: bool,
    /// Whether keys of bodies must be among the bodies given.
    knows_bodies: bool,
    field: &'static str,
}

pub const WEB_ACL: Place = Place {
    rate_rules: quotas::RATE_RULES_PER_WEB_ACL,
    references: quotas::REFERENCE_STATEMENTS_PER_WEB_ACL,
    holds_groups: true,
    knows_bodies: true,
    field: "WEB_ACL",
};
pub const RULE_GROUP: Place = Place {
    rate_rules: quotas::RATE_RULES_PER_RULE_GROUP,
    references: quotas::REFERENCE_STATEMENTS_PER_WEB_ACL,
    holds_groups: false,
    knows_bodies: true,
    field: "RULE_GROUP",
};
pub const CAPACITY: Place = Place { knows_bodies: false, ..WEB_ACL };

const ONE_OF: &str =
    "You have used none or multiple values for a field that requires exactly one value.";

/// Refuses what WAF would; gives the capacity that the rules use.
pub fn rules(
    account: &Account,
    rules: &Value,
    bodies: &Value,
    place: &Place,
) -> Result<u64, Refusal> {
    let rules = rules.as_array().cloned().unwrap_or_default();
    let (mut names, mut priorities, mut metrics) =
        (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let (mut used, mut rate_rules, mut references) = (0, 0, 0);
    for rule in &rules {
        let name = refusal::name(rule, "Name")?;
        // However the number is spelled.
        let priority = rule["Priority"].as_f64().filter(|it| it.fract() == 0.0).unwrap_or(-1.0);
        let priority = priority as i64;
        if priority < 0 {
            return Err(refusal::invalid("RULE", &name, "The priority is not valid."));
        }
        if !priorities.insert(priority) {
            let parameter = priority.to_string();
            return Err(refusal::invalid(
                "RULE",
                &parameter,
                "Rules in a list must have unique priorities.",
            ));
        }
        if !names.insert(name.clone()) {
            return Err(refusal::duplicate());
        }
        visibility(&rule["VisibilityConfig"])?;
        let metric = rule["VisibilityConfig"]["MetricName"].as_str().unwrap_or_default().to_owned();
        if !metrics.insert(metric.clone()) {
            return Err(refusal::invalid(
                "METRIC_NAME",
                &metric,
                "The metric name is already in use.",
            ));
        }
        let body_of = action(account, rule, place)?;
        let known = bodies
            .as_object()
            .is_some_and(|own| body_of.as_ref().is_some_and(|key| own.contains_key(key)));
        if let Some(key) = body_of.filter(|_| place.knows_bodies && !known) {
            let reason = "The custom response body key does not exist.";
            return Err(refusal::invalid("CUSTOM_RESPONSE_BODY", &key, reason));
        }
        let is_rate = !rule["Statement"]["RateBasedStatement"].is_null();
        rate_rules += usize::from(is_rate);
        statement::check(account, &rule["Statement"], Home::Rule)?;
        references += statement::references(&rule["Statement"]);
        used += capacity::of(account, &rule["Statement"]);
    }
    if rate_rules > place.rate_rules {
        return Err(refusal::limit("RATE_BASED_STATEMENT"));
    }
    if references > place.references {
        return Err(refusal::limit("REFERENCE_STATEMENT"));
    }
    if used > u64::from(quotas::WCU_PER_WEB_ACL) {
        let reason = "You exceeded the capacity limit for a rule group or web ACL.";
        return Err(refusal::invalid(place.field, &used.to_string(), reason));
    }
    Ok(used)
}

/// Checks what a rule does; gives the key of the body that it answers with.
fn action(account: &Account, rule: &Value, place: &Place) -> Result<Option<String>, Refusal> {
    let name = rule["Name"].as_str().unwrap_or_default();
    let is_group = !rule["Statement"]["ManagedRuleGroupStatement"].is_null()
        || !rule["Statement"]["RuleGroupReferenceStatement"].is_null();
    let (wanted, other) =
        if is_group { ("OverrideAction", "Action") } else { ("Action", "OverrideAction") };
    if is_group && !place.holds_groups {
        return Err(refusal::invalid("STATEMENT", name, "A rule group cannot hold a rule group."));
    }
    let kinds = rule[wanted].as_object().map_or(0, serde_json::Map::len);
    if kinds != 1 || !rule[other].is_null() {
        let field = if is_group { "OVERRIDE_ACTION" } else { "RULE_ACTION" };
        return Err(refusal::invalid(field, name, ONE_OF));
    }
    let is_rate = !rule["Statement"]["RateBasedStatement"].is_null();
    if is_rate && (!rule["Action"]["Allow"].is_null() || !rule["Action"]["Monetize"].is_null()) {
        let reason = "A rate-based rule cannot have this action.";
        return Err(refusal::invalid("RULE_ACTION", name, reason));
    }
    let response = &rule["Action"]["Block"]["CustomResponse"];
    if response.is_null() {
        return Ok(None);
    }
    if account.no_custom_responses {
        return Err(Refusal::new(
            400,
            "WAFFeatureNotIncludedInPricingPlanException",
            "The operation failed because the specified WAF feature isn't supported by the CloudFront pricing plan associated with the web ACL.",
        )
        .with("DisallowedFeatures", serde_json::json!([{ "Feature": "Custom response", "RequiredPricingPlan": "Pro" }])));
    }
    let code = response["ResponseCode"].as_u64().unwrap_or(0);
    if !quotas::RESPONSE_CODES.iter().any(|known| u64::from(*known) == code) {
        let reason = "The response code is not valid.";
        return Err(refusal::invalid("CUSTOM_RESPONSE", &code.to_string(), reason));
    }
    let mut seen = BTreeSet::new();
    for header in response["ResponseHeaders"].as_array().into_iter().flatten() {
        let name = header["Name"].as_str().unwrap_or_default().to_ascii_lowercase();
        if name == "content-type"
            || !seen.insert(name.clone())
            || seen.len() > quotas::RESPONSE_HEADERS
        {
            return Err(refusal::invalid("CUSTOM_RESPONSE", &name, "The header is not valid."));
        }
    }
    Ok(response["CustomResponseBodyKey"].as_str().map(str::to_owned))
}

/// Bodies of custom responses.
pub fn bodies(bodies: &Value) -> Result<(), Refusal> {
    let mut bytes = 0;
    for (key, body) in bodies.as_object().into_iter().flatten() {
        let content = body["Content"].as_str().unwrap_or_default();
        let kinds = ["TEXT_PLAIN", "TEXT_HTML", "APPLICATION_JSON"];
        if !kinds.contains(&body["ContentType"].as_str().unwrap_or_default()) {
            return Err(refusal::invalid(
                "RESPONSE_CONTENT_TYPE",
                key,
                "The content type is not valid.",
            ));
        }
        bytes += content.len();
        if !(1..=quotas::RESPONSE_BODY_BYTES).contains(&content.len())
            || bytes > quotas::RESPONSE_BODIES_BYTES
        {
            return Err(refusal::limit("CUSTOM_RESPONSE_BODY"));
        }
    }
    Ok(())
}

/// Metrics of a rule, a web ACL or a rule group.
pub fn visibility(config: &Value) -> Result<(), Refusal> {
    let metric = config["MetricName"].as_str().unwrap_or_default();
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-_#:./".contains(&byte);
    let is_taken = ["All", "Default_Action"].contains(&metric);
    if !(1..=255).contains(&metric.len()) || !metric.bytes().all(fits) || is_taken {
        return Err(refusal::invalid("METRIC_NAME", metric, "The metric name is not valid."));
    }
    for switch in ["SampledRequestsEnabled", "CloudWatchMetricsEnabled"] {
        if !config[switch].is_boolean() {
            let message = format!(
                "1 validation error detected: Value null at 'visibilityConfig.{switch}' failed to satisfy constraint: Member must not be null"
            );
            return Err(Refusal::new(400, "ValidationException", message));
        }
    }
    Ok(())
}
