//! CloudFormation: the stack as a template, in YAML with comments or in JSON.
//!
//! A template belongs to one Region. Where the guard of the origin lives in another one it gets a
//! template of its own.

mod alarms;
mod build;
mod guard;
mod json;
mod logging;
pub(super) mod node;
mod permissions;
pub(super) mod spelling;
pub(super) mod template;
mod waf;
mod yaml;

pub(super) use build::templates;

use super::Error;
use crate::stack::Stack;

/// Writes a stack as CloudFormation templates in YAML: `waf.yaml`, and `guard.yaml` where the origin is
/// guarded.
///
/// # Errors
/// When CloudFormation cannot express it.
pub fn cloudformation(stack: &Stack) -> Result<Vec<(String, String)>, Error> {
    let templates = templates(stack)?;
    Ok(templates
        .iter()
        .map(|(name, template)| (format!("{name}.yaml"), yaml::print(template)))
        .collect())
}

/// Writes a stack as CloudFormation templates in JSON, which has no comments: what a reader needs to
/// know stands in each resource's `Metadata`.
///
/// # Errors
/// When CloudFormation cannot express it.
pub fn cloudformation_json(stack: &Stack) -> Result<Vec<(String, String)>, Error> {
    let templates = templates(stack)?;
    Ok(templates
        .iter()
        .map(|(name, template)| (format!("{name}.json"), json::print(template)))
        .collect())
}
