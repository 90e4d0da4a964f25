//! `terraform show -json` of a plan.
//!
//! A plan holds secrets in plain text and only marks them as sensitive: such values are replaced before
//! anything else looks at them.

mod configuration;
mod merge;

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Error, Input, Reading, spell};
use crate::checks::model::{Change, Found, Tool};
use configuration::{Configuration, Planned};

/// Reads a plan.
///
/// # Errors
/// When it is no plan of format 1, or one that failed or is not complete.
pub fn read_plan(input: &Input, plan: &Value) -> Result<Reading, Error> {
    whole(input, plan)?;
    let changes = match &plan["resource_changes"] {
        Value::Null => &Vec::new(),
        Value::Array(changes) => changes,
        _ => return Err(input.error("is no plan: `resource_changes` is no list")),
    };
    let configuration = Configuration::of(plan);
    let mut planned = Vec::new();
    for (place, change) in changes.iter().enumerate() {
        let fault =
            |what: &str| input.error(format!("is no plan: `resource_changes[{place}]` {what}"));
        let text = |name: &str| change[name].as_str().unwrap_or_default();
        if !change.is_object() {
            return Err(fault("is no object"));
        }
        let (kind, is_data) = (text("type"), change["mode"] == "data");
        if kind.is_empty() {
            return Err(fault("has no `type`"));
        }
        let wanted =
            if is_data { kind == "aws_iam_policy_document" } else { spell::is_known(kind) };
        if !wanted {
            continue;
        }
        if !change["change"].is_object() {
            return Err(fault("has no `change`"));
        }
        planned.push(Planned {
            address: text("address"),
            module: text("module_address"),
            kind,
            name: text("name"),
            index: &change["index"],
            is_data,
            change: &change["change"],
            configured: configuration.resource(text("module_address"), kind, text("name"), is_data),
        });
    }
    let arguments: Vec<Value> = planned.iter().map(merge::after).collect();
    let by_name: BTreeMap<(&str, &str), Vec<usize>> =
        planned.iter().enumerate().fold(BTreeMap::new(), |mut map, (place, one)| {
            map.entry((one.kind, one.name)).or_insert_with(Vec::new).push(place);
            map
        });
    let resolver = configuration::Resolver {
        configuration: &configuration,
        planned: &planned,
        arguments: &arguments,
        by_name,
        left: std::cell::Cell::new(configuration::VISITS),
        documents: std::cell::RefCell::default(),
    };
    let mut reading = Reading::default();
    for (one, raw) in planned.iter().zip(&arguments) {
        if one.is_data {
            continue;
        }
        let Some(change) = change(&one.change["actions"]) else { continue };
        let mut item = input.item(Tool::Plan, one.address);
        item.change = change.unwrap_or(Change::Nothing);
        let resolved = resolver.value(raw, one);
        item.region = resolved["region"]
            .as_str()
            .map(str::to_owned)
            .or_else(|| configuration.region(one.configured?));
        if let Some(fault) = change.and_then(|_| spell::fault(one.kind, &resolved)) {
            return Err(input.error(format!("cannot be checked: `{}` {fault}", one.address)));
        }
        let before = match &one.change["before"] {
            Value::Null => None,
            _ => Some(spell::values(one.kind, &merge::before(one))),
        };
        let values =
            if change.is_none() { Value::Null } else { spell::values(one.kind, &resolved) };
        reading.found.push(Found { item, kind: spell::kind(one.kind), values, before });
    }
    Ok(reading)
}

/// Refuses what is no whole plan.
fn whole(input: &Input, plan: &Value) -> Result<(), Error> {
    match plan["format_version"].as_str() {
        Some(version) if version == "1" || version.starts_with("1.") => {}
        Some(version) => {
            return Err(input.error(format!(
                "is a plan of format {version}, and this program reads format 1; a newer ratewaf may read it"
            )));
        }
        None => {
            return Err(
                input.error("has no `format_version`: it is no output of terraform show -json")
            );
        }
    }
    if plan.get("resource_changes").is_none() && plan.get("planned_values").is_none() {
        return Err(input.error(
            "holds a state, not a plan: run terraform plan -out=plan.tfplan, then terraform show -json plan.tfplan",
        ));
    }
    if plan["errored"] == true {
        return Err(input
            .error("is the plan of a run that failed (`errored`): it does not show everything"));
    }
    if plan["complete"] == false {
        return Err(
            input.error("is not complete (`complete` is false): something is planned later")
        );
    }
    Ok(())
}

/// What happens to a resource: `None` if it is only forgotten, `Some(None)` if it is taken away.
fn change(actions: &Value) -> Option<Option<Change>> {
    let actions: Vec<&str> =
        actions.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    match actions.as_slice() {
        ["create"] => Some(Some(Change::Create)),
        ["update"] => Some(Some(Change::Update)),
        ["delete"] => Some(None),
        ["delete", "create"] | ["create", "delete"] => Some(Some(Change::Replace)),
        ["forget"] => None,
        _ => Some(Some(Change::Nothing)),
    }
}

#[cfg(test)]
mod tests;
