//! Which resources belong together.

use serde_json::Value;

use super::marker;
use super::model::Deployment;

/// Whether a value is made of the resource that another one refers to: an origin's name of a load balancer's, or of an
/// API's through its stage.
#[must_use]
pub fn mentions(deployment: &Deployment, value: &Value, target: &Value) -> bool {
    let Some(address) = address(target) else { return false };
    let Some(wanted) = base(deployment, &address) else { return false };
    let mut found = Vec::new();
    if let Some((address, _)) = marker::resource(value) {
        found.push(address.to_owned());
    }
    if let Some(expression) = marker::expression(value) {
        let words =
            expression.split(|it: char| !(it.is_alphanumeric() || matches!(it, '_' | '.' | '-')));
        found.extend(words.filter_map(|word| {
            let mut parts = word.splitn(3, '.');
            Some(format!("{}.{}", parts.next()?, parts.next()?))
        }));
    }
    found
        .iter()
        .any(|one| *one == address || base(deployment, one).as_deref() == Some(wanted.as_str()))
}

fn address(value: &Value) -> Option<String> {
    marker::resource(value).map(|(address, _)| address.to_owned())
}

/// The API of a stage, else the resource itself.
fn base(deployment: &Deployment, address: &str) -> Option<String> {
    let resource = deployment.resource(address)?;
    let api = ["RestApiId", "ApiId", "RestAPIId"]
        .iter()
        .find_map(|member| self::address(&resource.values[*member]));
    Some(api.unwrap_or_else(|| address.to_owned()))
}
