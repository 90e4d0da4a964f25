//! What stands in JSON for a value that nobody may or can see.
//!
//! Markers are objects with one key that starts with `$`, so no accessor takes them for a text or a number, and
//! no member of AWS has that name.

use serde_json::{Value, json};

const UNKNOWN: &str = "$unknown";
const RESOURCE: &str = "$resource";
const ATTRIBUTE: &str = "$attribute";
const HIDDEN: &str = "$sensitive";

/// A value that is known only once it is deployed; `expression` is how the file writes it.
#[must_use]
pub fn unknown(expression: &str) -> Value {
    json!({ UNKNOWN: expression })
}

/// A value that a resource will have: `attribute` in CloudFormation's spelling, such as `Arn`.
#[must_use]
pub fn of_resource(expression: &str, address: &str, attribute: &str) -> Value {
    json!({ UNKNOWN: expression, RESOURCE: address, ATTRIBUTE: attribute })
}

/// A sensitive value.
#[must_use]
pub fn hidden() -> Value {
    json!({ HIDDEN: true })
}

/// Whether a value is known only once it is deployed.
#[must_use]
pub fn is_unknown(value: &Value) -> bool {
    value.get(UNKNOWN).is_some()
}

/// Whether a value is sensitive.
#[must_use]
pub fn is_hidden(value: &Value) -> bool {
    value.get(HIDDEN).is_some()
}

/// Whether a value is there and can be read.
#[must_use]
pub fn is_known(value: &Value) -> bool {
    !value.is_null() && !is_unknown(value) && !is_hidden(value)
}

/// Whether any value below is unknown or sensitive.
#[must_use]
pub fn any(value: &Value) -> bool {
    match value {
        Value::Array(values) => values.iter().any(any),
        Value::Object(members) => {
            is_unknown(value) || is_hidden(value) || members.values().any(any)
        }
        _ => false,
    }
}

/// How the file writes an unknown value.
#[must_use]
pub fn expression(value: &Value) -> Option<&str> {
    value.get(UNKNOWN)?.as_str()
}

/// The address of the resource that an unknown value comes from, and the attribute.
#[must_use]
pub fn resource(value: &Value) -> Option<(&str, &str)> {
    Some((value.get(RESOURCE)?.as_str()?, value.get(ATTRIBUTE)?.as_str()?))
}
