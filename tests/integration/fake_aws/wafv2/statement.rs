//! Statements: what WAF refuses in them, and what it fills in.

use ratewaf::quotas;
use serde_json::Value;

use super::refusal::{self, invalid};
use crate::fake_aws::account::Account;
use crate::fake_aws::call::Refusal;

/// Where a statement stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Home {
    Rule,
    ScopeDown,
    Inside,
}

const ONE_OF: &str =
    "You have used none or multiple values for a field that requires exactly one value.";

pub fn check(account: &Account, statement: &Value, home: Home) -> Result<(), Refusal> {
    let members = statement.as_object().filter(|it| it.len() == 1).and_then(|it| it.iter().next());
    let Some((kind, inner)) = members else { return Err(invalid("STATEMENT", "", ONE_OF)) };
    match kind.as_str() {
        "AndStatement" | "OrStatement" => {
            let field = if kind == "AndStatement" { "AND_STATEMENT" } else { "OR_STATEMENT" };
            let parts = inner["Statements"].as_array().cloned().unwrap_or_default();
            if parts.len() < 2 {
                return Err(invalid(
                    field,
                    &parts.len().to_string(),
                    "The parameter is below the minimum threshold.",
                ));
            }
            parts.iter().try_for_each(|part| check(account, part, Home::Inside))
        }
        "NotStatement" => check(account, &inner["Statement"], Home::Inside),
        "RateBasedStatement" if home != Home::Rule => {
            Err(invalid("STATEMENT", "RateBasedStatement", "The statement cannot be nested."))
        }
        "RateBasedStatement" => rate_based(account, inner),
        "ManagedRuleGroupStatement" if home != Home::Rule => Err(invalid(
            "STATEMENT",
            "ManagedRuleGroupStatement",
            "The statement cannot be nested.",
        )),
        "IPSetReferenceStatement" => {
            exists(account.ip_sets.iter().map(|it| it.arn.as_str()), inner)
        }
        "RuleGroupReferenceStatement" => {
            exists(account.rule_groups.iter().map(|it| it.arn.as_str()), inner)
        }
        "ByteMatchStatement" => {
            let string = inner["SearchString"].as_str().unwrap_or_default();
            // Base64: four characters say three bytes.
            if string.is_empty() || string.len() > quotas::SEARCH_STRING_BYTES.div_ceil(3) * 4 {
                return Err(invalid(
                    "BYTE_MATCH_STATEMENT",
                    string,
                    "The search string is not valid.",
                ));
            }
            field(inner)?;
            transformations(&inner["TextTransformations"])
        }
        "RegexMatchStatement" => {
            let text = inner["RegexString"].as_str().unwrap_or_default();
            if text.is_empty() || text.len() > 512 {
                return Err(invalid("STATEMENT", text, "The regular expression is not valid."));
            }
            field(inner)?;
            transformations(&inner["TextTransformations"])
        }
        "GeoMatchStatement" => {
            let codes = inner["CountryCodes"].as_array().cloned().unwrap_or_default();
            match codes.iter().find(|code| *code == "ZZ") {
                None if !codes.is_empty() => Ok(()),
                _ => Err(invalid("GEO_MATCH_STATEMENT", "ZZ", "The country code is not valid.")),
            }
        }
        // Statements that this fake has never heard of, AWS may well have.
        _ => Ok(()),
    }
}

fn exists<'a>(mut arns: impl Iterator<Item = &'a str>, inner: &Value) -> Result<(), Refusal> {
    let arn = inner["ARN"].as_str().unwrap_or_default();
    // References into other accounts are theirs to keep.
    if arns.any(|known| known == arn) || !arn.contains(&format!(":{}:", crate::fake_aws::ACCOUNT)) {
        return Ok(());
    }
    Err(refusal::nonexistent())
}

fn rate_based(account: &Account, inner: &Value) -> Result<(), Refusal> {
    let refused =
        |parameter: &str, reason: &str| Err(invalid("RATE_BASED_STATEMENT", parameter, reason));
    let limit = inner["Limit"].as_u64().unwrap_or(0);
    if !(u64::from(quotas::MINIMUM_LIMIT)..=u64::from(quotas::MAXIMUM_LIMIT)).contains(&limit) {
        return refused(&limit.to_string(), "The rate limit is not valid.");
    }
    let window = &inner["EvaluationWindowSec"];
    if !window.is_null() && ![60, 120, 300, 600].iter().any(|known| window == known) {
        return refused(&window.to_string(), "The evaluation window is not valid.");
    }
    let keys = inner["CustomKeys"].as_array().cloned().unwrap_or_default();
    let kind = inner["AggregateKeyType"].as_str().unwrap_or_default();
    let scope_down = &inner["ScopeDownStatement"];
    match kind {
        "IP" | "FORWARDED_IP" | "CONSTANT" if !keys.is_empty() => {
            return Err(invalid("CUSTOM_KEYS", kind, "Custom keys need the type CUSTOM_KEYS."));
        }
        "FORWARDED_IP" if inner["ForwardedIPConfig"].is_null() => {
            return Err(invalid("FORWARDED_IP_CONFIG", "", "The configuration is missing."));
        }
        "CONSTANT" if scope_down.is_null() => {
            return Err(invalid("SCOPE_DOWN", "", "The scope-down statement is missing."));
        }
        "IP" | "FORWARDED_IP" | "CONSTANT" => {}
        "CUSTOM_KEYS" => {
            let is_address = |key: &Value| !key["IP"].is_null() || !key["ForwardedIP"].is_null();
            let is_alone = keys.len() == 1 && is_address(&keys[0]);
            if !(1..=quotas::CUSTOM_KEYS).contains(&keys.len()) || is_alone {
                let parameter = keys.len().to_string();
                return Err(invalid("CUSTOM_KEYS", &parameter, "The custom keys are not valid."));
            }
        }
        other => return refused(other, "The aggregate key type is not valid."),
    }
    if scope_down.is_null() { Ok(()) } else { check(account, scope_down, Home::ScopeDown) }
}

fn field(inner: &Value) -> Result<(), Refusal> {
    match inner["FieldToMatch"].as_object().map_or(0, serde_json::Map::len) {
        1 => Ok(()),
        _ => Err(invalid("FIELD_TO_MATCH", "", ONE_OF)),
    }
}

fn transformations(list: &Value) -> Result<(), Refusal> {
    let list = list.as_array().cloned().unwrap_or_default();
    let mut priorities: Vec<String> = list.iter().map(|it| it["Priority"].to_string()).collect();
    priorities.sort();
    let repeated = priorities.windows(2).find(|pair| pair[0] == pair[1]);
    if list.is_empty() || list.len() > 10 || repeated.is_some() {
        let parameter = repeated.map(|pair| pair[0].clone()).unwrap_or_default();
        return Err(invalid(
            "TEXT_TRANSFORMATION",
            &parameter,
            "The text transformations are not valid.",
        ));
    }
    Ok(())
}

/// How often a statement refers to a set or a group.
pub fn references(statement: &Value) -> usize {
    match statement {
        Value::Object(members) => members
            .iter()
            .map(|(name, inner)| {
                usize::from(name.ends_with("ReferenceStatement")) + references(inner)
            })
            .sum(),
        Value::Array(list) => list.iter().map(references).sum(),
        _ => 0,
    }
}

/// A rule as it is told after it was written: with the window that was left out, and names of headers
/// in lower case. Not a byte changes if there is nothing to fill in.
pub fn with_defaults(rule: &str) -> String {
    let Ok(mut value) = serde_json::from_str::<Value>(rule) else { return rule.to_owned() };
    let before = value.clone();
    if let Some(rate) =
        value.pointer_mut("/Statement/RateBasedStatement").and_then(Value::as_object_mut)
    {
        rate.entry("EvaluationWindowSec").or_insert(300.into());
    }
    lower_names(&mut value["Statement"]);
    if value == before { rule.to_owned() } else { value.to_string() }
}

fn lower_names(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (name, inner) in members {
                if ["SingleHeader", "SingleQueryArgument"].contains(&name.as_str())
                    && let Some(text) = inner["Name"].as_str()
                {
                    inner["Name"] = text.to_ascii_lowercase().into();
                }
                lower_names(inner);
            }
        }
        Value::Array(list) => list.iter_mut().for_each(lower_names),
        _ => {}
    }
}
