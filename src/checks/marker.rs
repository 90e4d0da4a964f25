//! What stands in JSON for a value that nobody may or can see.
//!
//! Markers are objects with one key that starts with `$`, so no accessor takes them for a text or a number, and
//! no member of AWS has that name.

use std::collections::BTreeSet;

use serde_json::{Value, json};

const UNKNOWN: &str = "$unknown";
const RESOURCE: &str = "$resource";
const ATTRIBUTE: &str = "$attribute";
const UNDECLARED: &str = "$undeclared";
const HIDDEN: &str = "$sensitive";
const WHY: &str = "$why";

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

/// A value that comes from a name which nobody declares.
#[must_use]
pub fn of_nothing(expression: &str, name: &str) -> Value {
    json!({ UNKNOWN: expression, UNDECLARED: name })
}

/// An unknown value, and why it is not known, as the end of a sentence.
#[must_use]
pub fn because(mut unknown: Value, why: &str) -> Value {
    unknown[WHY] = why.into();
    unknown
}

/// Why it is not known, if that was said.
#[must_use]
pub fn why(value: &Value) -> Option<&str> {
    value.get(WHY)?.as_str()
}

/// Names that nobody declares, each with the member that wants it, at any depth.
pub fn undeclared<'a>(value: &'a Value, into: &mut BTreeSet<(&'a str, &'a str)>) {
    search(value, "", into);
}

fn search<'a>(value: &'a Value, member: &'a str, into: &mut BTreeSet<(&'a str, &'a str)>) {
    match value {
        Value::Array(values) => values.iter().for_each(|one| search(one, member, into)),
        Value::Object(members) => {
            if let Some(name) = undeclared_name(value) {
                into.insert((name, member));
            }
            for (name, inner) in members {
                search(inner, name, into);
            }
        }
        _ => {}
    }
}

/// The name that nobody declares, if a value comes from one.
#[must_use]
pub fn undeclared_name(value: &Value) -> Option<&str> {
    value.get(UNDECLARED)?.as_str()
}

/// Takes away what is known about names that nobody declares.
pub fn forget_undeclared(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(forget_undeclared),
        Value::Object(members) => {
            members.remove(UNDECLARED);
            members.values_mut().for_each(forget_undeclared);
        }
        _ => {}
    }
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
