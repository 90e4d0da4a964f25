//! Blocks of the AWS provider to the API's members. The provider spells them alike but for case,
//! plurals and the lists that stand where the API has one thing; the exceptions are in the tables here
//! (`internal/service/wafv2/flex.go` of the provider).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

use super::ReadError;

/// Blocks that are lists in the API.
const LISTS: [(&str, &str); 8] = [
    ("text_transformation", "TextTransformations"),
    ("custom_key", "CustomKeys"),
    ("custom_keys", "CustomKeys"),
    ("response_header", "ResponseHeaders"),
    ("insert_header", "InsertHeaders"),
    ("rule_label", "RuleLabels"),
    ("rule_action_override", "RuleActionOverrides"),
    ("rule", "Rules"),
];

/// The one member of what stands for the value of a parameter, where only a text could stand.
pub(super) const SECRET: &str = "secret";

/// Names that are not spelled by their words.
const NAMES: [(&str, &str); 12] = [
    ("arn", "ARN"),
    ("ip", "IP"),
    ("asn", "ASN"),
    ("http_method", "HTTPMethod"),
    ("forwarded_ip", "ForwardedIP"),
    ("forwarded_ip_config", "ForwardedIPConfig"),
    ("ip_set_forwarded_ip_config", "IPSetForwardedIPConfig"),
    ("ip_set_reference_statement", "IPSetReferenceStatement"),
    ("ip_address_version", "IPAddressVersion"),
    ("ja3_fingerprint", "JA3Fingerprint"),
    ("ja4_fingerprint", "JA4Fingerprint"),
    ("cloudwatch_metrics_enabled", "CloudWatchMetricsEnabled"),
];

/// Arguments of a resource that the API has elsewhere or not at all.
const OF_TERRAFORM: [&str; 13] = [
    "id",
    "arn",
    "region",
    "tags",
    "tags_all",
    "lock_token",
    "capacity",
    "application_integration_url",
    "name_prefix",
    "rule_json",
    "rules_json",
    "timeouts",
    "tags_all",
];

/// What happens to a block that stands there more often than the API has members for it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Twice {
    /// It is an error.
    Refused,
    /// Its member becomes an array: for those who look for faults.
    Kept,
}

pub(super) fn web_acl(values: &Value, twice: Twice) -> Result<Value, ReadError> {
    let mut members = Map::new();
    for (name, value) in values.as_object().into_iter().flatten() {
        if OF_TERRAFORM.contains(&name.as_str()) {
            continue;
        }
        match (name.as_str(), value) {
            ("custom_response_body", Value::Array(bodies)) => {
                let mut all = Map::new();
                for body in bodies {
                    let key = body["key"].as_str().unwrap_or_default().to_owned();
                    let Value::Object(mut body) = object("custom_response_body", body, twice)?
                    else {
                        continue;
                    };
                    body.remove("Key");
                    all.insert(key, Value::Object(body));
                }
                all.sort_keys();
                if !all.is_empty() {
                    members.insert("CustomResponseBodies".to_owned(), Value::Object(all));
                }
            }
            _ => member(&mut members, "", name, value, twice)?,
        }
    }
    members.entry("Rules").or_insert_with(|| Value::Array(Vec::new()));
    Ok(Value::Object(members))
}

pub(super) fn rule_group(values: &Value, twice: Twice) -> Result<Value, ReadError> {
    let mut group = web_acl(values, twice)?;
    group["Capacity"] = values["capacity"].clone();
    Ok(group)
}

pub(super) fn ip_set(values: &Value) -> Value {
    let members = values.as_object().into_iter().flatten();
    let kept =
        members.filter(|(name, value)| !OF_TERRAFORM.contains(&name.as_str()) && !value.is_null());
    Value::Object(kept.map(|(name, value)| (api_name(name), value.clone())).collect())
}

/// The members of a block. `kind` is the block's name.
pub(super) fn object(kind: &str, block: &Value, twice: Twice) -> Result<Value, ReadError> {
    let mut members = Map::new();
    for (name, value) in block.as_object().into_iter().flatten() {
        member(&mut members, kind, name, value, twice)?;
    }
    Ok(Value::Object(members))
}

fn member(
    into: &mut Map<String, Value>,
    kind: &str,
    name: &str,
    value: &Value,
    twice: Twice,
) -> Result<(), ReadError> {
    let Value::Array(items) = value else {
        match value {
            Value::Null => {}
            // What a reader put there in place of a value that it cannot know.
            Value::Object(marker) if marker.keys().any(|key| key.starts_with('$')) => {
                into.insert(api_name(name), value.clone());
            }
            // The stand-in of a secret.
            Value::Object(secret) if name == "search_string" => {
                let secret = secret.get(SECRET).and_then(Value::as_str).unwrap_or_default();
                into.insert(api_name(name), Value::String(format!("secret:{secret}")));
            }
            // An argument with members of its own.
            Value::Object(_) => drop(into.insert(api_name(name), object(name, value, twice)?)),
            Value::String(text) if name == "search_string" => {
                // The provider encodes it for the API, where it is a blob.
                into.insert(api_name(name), Value::String(STANDARD.encode(text)));
            }
            other => drop(into.insert(api_name(name), other.clone())),
        }
        return Ok(());
    };
    if items.is_empty() {
        return Ok(());
    }
    if !items.iter().all(Value::is_object) {
        into.insert(api_name(name), value.clone());
        return Ok(());
    }
    let several = match (kind, name) {
        ("and_statement" | "or_statement", "statement") => Some("Statements"),
        _ => LISTS.iter().find(|(list, _)| *list == name).map(|(_, plural)| *plural),
    };
    if let Some(plural) = several {
        let mut items =
            items.iter().map(|item| object(name, item, twice)).collect::<Result<Vec<_>, _>>()?;
        // Sets in Terraform, in no order that means anything.
        match name {
            "rule" | "text_transformation" => items.sort_by_key(|item| item["Priority"].as_i64()),
            "response_header" | "insert_header" | "rule_label" => {
                items.sort_by_key(|item| item["Name"].as_str().map(str::to_owned));
            }
            _ => {}
        }
        into.insert(plural.to_owned(), Value::Array(items));
        return Ok(());
    }
    let member = match (items.as_slice(), twice) {
        ([item], _) => object(name, item, twice)?,
        (_, Twice::Refused) => return Err(ReadError::Twice(name.to_owned())),
        (several, Twice::Kept) => {
            several.iter().map(|item| object(name, item, twice)).collect::<Result<_, _>>()?
        }
    };
    into.insert(api_name(name), member);
    Ok(())
}

pub(super) fn api_name(name: &str) -> String {
    if let Some((_, known)) = NAMES.iter().find(|(block, _)| *block == name) {
        return (*known).to_owned();
    }
    name.split('_')
        .flat_map(|word| {
            let mut letters = word.chars();
            let first = letters.next().map(|letter| letter.to_ascii_uppercase());
            first.into_iter().chain(letters)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_are_those_of_the_api() {
        for (block, name) in [
            ("rate_based_statement", "RateBasedStatement"),
            ("ip_set_reference_statement", "IPSetReferenceStatement"),
            ("evaluation_window_sec", "EvaluationWindowSec"),
            ("ja4_fingerprint", "JA4Fingerprint"),
            ("cloudwatch_metrics_enabled", "CloudWatchMetricsEnabled"),
        ] {
            assert_eq!(api_name(block), name);
        }
    }

    #[test]
    fn sets_get_the_order_that_they_mean() {
        let values = json!({
            "name": "prod", "id": "x", "tags": {}, "description": null,
            "rule": [
                {"name": "b", "priority": 20, "action": [{"count": [{}], "block": []}]},
                {"name": "a", "priority": 3, "statement": [{"byte_match_statement": [{
                    "search_string": "/a", "field_to_match": [{"uri_path": [{}], "method": []}],
                    "text_transformation": [
                        {"priority": 1, "type": "LOWERCASE"}, {"priority": 0, "type": "URL_DECODE"}],
                }]}]},
            ],
        });
        let wanted = json!({
            "Name": "prod",
            "Rules": [
                {"Name": "a", "Priority": 3, "Statement": {"ByteMatchStatement": {
                    "SearchString": "L2E=", "FieldToMatch": {"UriPath": {}},
                    "TextTransformations": [
                        {"Priority": 0, "Type": "URL_DECODE"}, {"Priority": 1, "Type": "LOWERCASE"}],
                }}},
                {"Name": "b", "Priority": 20, "Action": {"Count": {}}},
            ],
        });
        assert_eq!(web_acl(&values, Twice::Refused).unwrap(), wanted);
    }

    #[test]
    fn two_where_one_may_be_is_refused() {
        let values = json!({"default_action": [{"allow": [{}]}, {"block": [{}]}]});
        let refused = web_acl(&values, Twice::Refused).unwrap_err();
        assert_eq!(refused, ReadError::Twice("default_action".to_owned()));
    }
}
