//! What a text is.

use serde_json::Value;

use super::{Error, Input, Reading};

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
pub fn read_text(input: &Input) -> Result<Reading, Error> {
    let json = parse(input)?;
    match kind(input, &json)? {
        Kind::Plan => super::read_plan(input, &json),
        Kind::Template => super::read_template(input, &json),
        Kind::Api => super::read_api(input, &json).map(Reading::of),
    }
}

/// JSON is read as JSON, everything else as YAML.
pub(super) fn parse(input: &Input) -> Result<Value, Error> {
    if input.text.trim_start().starts_with(['{', '[']) {
        let error = match super::json::parse(&input.text) {
            Ok(json) => return Ok(json),
            Err(error) => error,
        };
        // YAML's flow style looks like it, too; of a broken plan JSON's error is the one to tell.
        return match super::yaml::parse(&input.text) {
            Ok(value) if !error.is_eof() => Ok(value),
            _ => Err(input.error(format!("is no JSON that can be read: {error}"))),
        };
    }
    super::yaml::parse(&input.text)
        .map_err(|reason| input.error(format!("is no YAML that can be read: {reason}")))
}
