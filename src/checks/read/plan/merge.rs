//! Planned values with markers for what is unknown or sensitive.

use serde_json::{Map, Value};

use super::configuration::Planned;
use crate::checks::marker;

/// What a resource will be. Markers of unknown values hold the reference as the configuration writes it.
pub(super) fn after(planned: &Planned<'_>) -> Value {
    let change = planned.change;
    let written = planned.configured.map_or(&Value::Null, |it| &it["expressions"]);
    merged(&change["after"], &change["after_unknown"], &change["after_sensitive"], written)
}

/// What it was.
pub(super) fn before(planned: &Planned<'_>) -> Value {
    let change = planned.change;
    merged(&change["before"], &Value::Null, &change["before_sensitive"], &Value::Null)
}

/// Blocks that are sets have another order in a plan than in the configuration; a rule is found by its name.
fn merged(value: &Value, unknown: &Value, sensitive: &Value, written: &Value) -> Value {
    if *unknown == true {
        let references = written["references"].as_array();
        let first = references.and_then(|list| list.first()?.as_str());
        return marker::unknown(first.unwrap_or("known after apply"));
    }
    if *sensitive == true && !value.is_null() {
        return marker::hidden();
    }
    match value {
        Value::Object(members) => {
            let mut out = Map::new();
            for (name, value) in members {
                let inner = merged(value, &unknown[name], &sensitive[name], &written[name]);
                out.insert(name.clone(), inner);
            }
            // What is not known yet has no member of its own.
            for (name, unknown) in unknown.as_object().into_iter().flatten() {
                if *unknown == true && !out.contains_key(name) {
                    let inner = merged(&Value::Null, unknown, &Value::Null, &written[name]);
                    out.insert(name.clone(), inner);
                }
            }
            Value::Object(out)
        }
        Value::Array(items) => items
            .iter()
            .enumerate()
            .map(|(place, value)| {
                let same = |block: &&Value| {
                    let name = &block["name"]["constant_value"];
                    name.is_string() && *name == value["name"]
                };
                let block = written
                    .as_array()
                    .and_then(|blocks| blocks.iter().find(same))
                    .unwrap_or_else(|| if written.is_array() { &written[place] } else { written });
                merged(value, &unknown[place], &sensitive[place], block)
            })
            .collect(),
        other => other.clone(),
    }
}
