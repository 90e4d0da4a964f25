//! What a text is.

use serde_json::Value;

use super::{Error, Input};
use crate::checks::model::Found;

/// What a JSON or YAML text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `terraform show -json` of a plan.
    Plan,
    /// A CloudFormation template.
    Template,
    /// The API's JSON.
    Api,
}

/// Tells the kinds of JSON apart by their members.
///
/// # Errors
/// When it is none of them.
pub fn kind(input: &Input, json: &Value) -> Result<Kind, Error> {
    let has = |name: &str| json.get(name).is_some();
    if has("format_version") || has("resource_changes") || has("planned_values") {
        Ok(Kind::Plan)
    } else if has("Resources") || has("AWSTemplateFormatVersion") {
        Ok(Kind::Template)
    } else if has("WebACL") || has("RuleGroup") || has("Rules") || super::api::is_calls(json) {
        Ok(Kind::Api)
    } else {
        Err(input.error(
            "is neither a plan (terraform show -json), nor a template (Resources), nor a web ACL (aws wafv2 get-web-acl)",
        ))
    }
}

/// Reads JSON or YAML, whatever it is.
///
/// # Errors
/// When it is none of what [`kind`] knows, or faulty.
pub fn read_text(input: &Input) -> Result<Vec<Found>, Error> {
    let json: Value = serde_saphyr::from_str(&input.text)
        .map_err(|error| input.error(format!("is no JSON and no YAML: {error}")))?;
    match kind(input, &json)? {
        Kind::Plan => Err(input.error("is a plan")),
        Kind::Template => super::read_template(input, &json),
        Kind::Api => super::read_api(input, &json),
    }
}
