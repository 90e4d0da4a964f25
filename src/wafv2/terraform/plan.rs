//! `terraform show -json` of a plan to resources.

use serde_json::Value;

use super::{ReadError, Resource};

/// Reads what a plan wants the resources to be. Those that it destroys are left out.
///
/// # Errors
/// When it is no plan of format 1, or one that failed or is not complete.
pub fn read_plan(plan: &Value) -> Result<Vec<Resource>, ReadError> {
    let refuse = |why: &str| Err(ReadError::Plan(why.to_owned()));
    match plan["format_version"].as_str() {
        Some(version) if version == "1" || version.starts_with("1.") => {}
        Some(_) => return refuse("its format is newer than 1"),
        None => {
            return refuse("it has no `format_version`; it is what `terraform show -json` prints");
        }
    }
    if plan["errored"] == true {
        return refuse("`terraform plan` failed");
    }
    if plan["complete"] == false {
        return refuse("it is not complete: something is planned later");
    }
    let Some(changes) = plan["resource_changes"].as_array() else {
        return Ok(Vec::new());
    };
    let mut resources = Vec::new();
    for change in changes {
        let text = |name: &str| change[name].as_str().unwrap_or_default().to_owned();
        let after = &change["change"]["after"];
        if change["mode"] != "managed" || after.is_null() {
            continue;
        }
        let (module, kind, name) = (text("module_address"), text("type"), text("name"));
        let mut resource = Resource {
            label: match &change["index"] {
                Value::Null => name.clone(),
                index => format!("{name}[{index}]"),
            },
            values: after.clone(),
            references: std::collections::BTreeMap::new(),
            module,
            kind,
        };
        let unknown = &change["change"]["after_unknown"];
        if let Some(configured) = configured(plan, &resource.module, &resource.kind, &name) {
            walk(&mut resource, after, unknown, &configured["expressions"], "");
        }
        resources.push(resource);
    }
    Ok(resources)
}

/// The resource in the configuration that the plan was made of.
fn configured<'a>(plan: &'a Value, module: &str, kind: &str, name: &str) -> Option<&'a Value> {
    let mut place = &plan["configuration"]["root_module"];
    let mut steps = module.split('.').filter(|step| !step.is_empty());
    while let (Some("module"), Some(step)) = (steps.next(), steps.next()) {
        let step = step.split('[').next().unwrap_or(step);
        place = &place["module_calls"][step]["module"];
    }
    place["resources"]
        .as_array()?
        .iter()
        .find(|resource| resource["type"] == kind && resource["name"] == name)
}

/// Notes what the unknown values refer to. Sets of blocks have another order in a plan than in the
/// configuration; a rule is found by its name.
fn walk(resource: &mut Resource, value: &Value, unknown: &Value, configured: &Value, at: &str) {
    match unknown {
        Value::Bool(true) => {
            let references = configured["references"].as_array();
            if let Some(first) = references.and_then(|list| list.first()?.as_str()) {
                resource.references.insert(at.to_owned(), first.to_owned());
                // What is not known yet has no member; it gets one, so that it can be filled in.
                if let Some((parent, name)) = at.rsplit_once('/')
                    && let Some(Value::Object(members)) = resource.values.pointer_mut(parent)
                {
                    members.entry(name).or_insert(Value::Null);
                }
            }
        }
        Value::Object(members) => {
            for (name, unknown) in members {
                walk(resource, &value[name], unknown, &configured[name], &format!("{at}/{name}"));
            }
        }
        Value::Array(items) => {
            for (place, unknown) in items.iter().enumerate() {
                let value = &value[place];
                let same = |block: &&Value| {
                    block["name"]["constant_value"].is_string()
                        && block["name"]["constant_value"] == value["name"]
                };
                let block = configured
                    .as_array()
                    .and_then(|blocks| blocks.iter().find(same))
                    .unwrap_or(&configured[place]);
                walk(resource, value, unknown, block, &format!("{at}/{place}"));
            }
        }
        _ => {}
    }
}
