//! What a rule means, whatever AWS or people write for it.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json, json};
use xxhash_rust::xxh3::xxh3_64;

use super::record::Mode;
use crate::wafv2::Arn;

/// A rule in one spelling: defaults filled in, what has no order sorted, what says nothing left out. ARNs of
/// sets of ours become their names.
pub(super) fn meaning(rule: &Json, names: &BTreeMap<String, String>) -> Json {
    let mut rule = rule.clone();
    if let Some(rate) =
        rule.pointer_mut("/Statement/RateBasedStatement").and_then(Json::as_object_mut)
    {
        // What the API takes for what is left out (API, `RateBasedStatement`).
        rate.entry("EvaluationWindowSec").or_insert(json!(300));
        rate.entry("AggregateKeyType").or_insert(json!("IP"));
    }
    // Last, as it sorts: a fingerprint is one of a text.
    clean(&rule, names)
}

fn clean(value: &Json, names: &BTreeMap<String, String>) -> Json {
    match value {
        Json::Object(members) => {
            let mut out: Vec<(String, Json)> = members
                .iter()
                .filter(|(_, value)| {
                    !value.is_null() && value.as_array().is_none_or(|list| !list.is_empty())
                })
                .map(|(name, value)| (name.clone(), member(name, clean(value, names), names)))
                .collect();
            out.sort_by(|a, b| a.0.cmp(&b.0));
            Json::Object(out.into_iter().collect::<Map<_, _>>())
        }
        Json::Array(list) => Json::Array(list.iter().map(|one| clean(one, names)).collect()),
        Json::Number(number) => whole(number).map_or_else(|| value.clone(), Json::from),
        _ => value.clone(),
    }
}

/// `3e2` is 300.
fn whole(number: &serde_json::Number) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    number.as_i64().or_else(|| {
        let value = number.as_f64()?;
        (value.fract() == 0.0 && value.abs() < EXACT).then_some(value as i64)
    })
}

fn member(name: &str, mut value: Json, names: &BTreeMap<String, String>) -> Json {
    match (name, &mut value) {
        ("ARN", Json::String(text)) => {
            if let Some(own) = names.get(text) {
                *text = Arn::of_ip_set(own).0;
            }
        }
        // They are one by one or all at once; neither asks for an order.
        ("Statements", Json::Array(list)) => list.sort_by_key(Json::to_string),
        ("TextTransformations", Json::Array(list)) => {
            list.sort_by_key(|one| one.get("Priority").and_then(Json::as_i64));
        }
        // Every name is told in lower case.
        (
            "SingleHeader" | "Header" | "SingleQueryArgument" | "QueryArgument",
            Json::Object(inside),
        ) => {
            if let Some(Json::String(text)) = inside.get_mut("Name") {
                *text = text.to_ascii_lowercase();
            }
        }
        _ => {}
    }
    value
}

/// A fingerprint of a normalised rule or of addresses. Not cryptographic: it tells edits, not attacks.
#[must_use]
pub fn digest(value: &Json) -> String {
    format!("{:016x}", xxh3_64(value.to_string().as_bytes()))
}

/// What a rule does; `None` for an action that this version does not know.
#[must_use]
pub fn mode_of(rule: &Json) -> Option<Mode> {
    let action = rule.get("Action")?.as_object()?;
    match action.keys().next()?.as_str() {
        "Count" => Some(Mode::Count),
        "Block" => Some(Mode::Block),
        "Challenge" => Some(Mode::Challenge),
        "Captcha" => Some(Mode::Captcha),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelling_is_no_difference() {
        let names = BTreeMap::from([("arn:x".to_owned(), "acl-qa-v4".to_owned())]);
        let ours = json!({"Name": "r", "Priority": 10, "Statement": {"RateBasedStatement": {"Limit": 300,
            "EvaluationWindowSec": 300, "AggregateKeyType": "IP", "ScopeDownStatement": {"AndStatement": {"Statements": [
                {"IPSetReferenceStatement": {"ARN": "ip-set:acl-qa-v4"}}, {"GeoMatchStatement": {"CountryCodes": ["DE"]}}]}}}}});
        let theirs = json!({"Priority": 10.0, "Name": "r", "RuleLabels": [], "CaptchaConfig": null, "Statement": {
            "RateBasedStatement": {"Limit": 3e2, "ScopeDownStatement": {"AndStatement": {"Statements": [
                {"GeoMatchStatement": {"CountryCodes": ["DE"]}}, {"IPSetReferenceStatement": {"ARN": "arn:x"}}]}}}}});
        assert_eq!(meaning(&ours, &names), meaning(&theirs, &names));
        assert_eq!(digest(&meaning(&ours, &names)), digest(&meaning(&theirs, &names)));
        let mut other = ours.clone();
        other["Statement"]["RateBasedStatement"]["Limit"] = json!(301);
        assert_ne!(meaning(&ours, &names), meaning(&other, &names));
    }
}
