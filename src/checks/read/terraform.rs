//! `.tf` files without a plan.

use serde_json::Value;

use super::{Error, Input, spell};
use crate::checks::marker;
use crate::checks::model::{Found, Tool};
use crate::wafv2::terraform::{Resource, read_hcl};

/// Reads the files of one folder together: they may refer to each other.
///
/// # Errors
/// When one of them is no HCL.
pub fn read_folder(files: &[Input]) -> Result<Vec<Found>, Error> {
    let mut resources: Vec<(&Input, Resource)> = Vec::new();
    for file in files {
        let read = read_hcl(&file.text).map_err(|error| file.error(error.to_string()))?;
        resources.extend(read.into_iter().map(|one| (file, one)));
    }
    let known: Vec<Resource> = resources.iter().map(|(_, one)| one.clone()).collect();
    Ok(resources
        .into_iter()
        .map(|(file, resource)| {
            let mut arguments = resource.values.clone();
            for (pointer, expression) in &resource.references {
                if let Some(place) = arguments.pointer_mut(pointer) {
                    *place = resolve(expression, &known);
                }
            }
            let mut item = file.item(Tool::Terraform, resource.address());
            item.file = Some(file.name.clone());
            item.region = arguments["region"].as_str().map(str::to_owned);
            let values = spell::values(&resource.kind, &arguments);
            Found { item, kind: spell::kind(&resource.kind), values, before: None }
        })
        .collect())
}

/// `aws_wafv2_ip_set.qa.arn` to the value that is written there, or a marker for what it will be.
fn resolve(expression: &str, known: &[Resource]) -> Value {
    let mut parts = expression.splitn(3, '.');
    let (Some(kind), Some(label), Some(attribute)) = (parts.next(), parts.next(), parts.next())
    else {
        return marker::unknown(expression);
    };
    let Some(resource) = known.iter().find(|one| one.kind == kind && one.label == label) else {
        return marker::unknown(expression);
    };
    match &resource.values[attribute] {
        value @ (Value::String(_) | Value::Number(_) | Value::Bool(_)) => value.clone(),
        _ => marker::of_resource(expression, &resource.address(), &spell::attribute(attribute)),
    }
}
