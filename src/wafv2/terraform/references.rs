//! What unknown values will be: the ARN of a resource that is named beside it.

use serde_json::Value;

use super::Resource;
use super::blocks::SECRET;
use crate::wafv2::ip_set::Arn;

/// The values of a resource with stand-ins for the ARNs that it refers to. What cannot be told stays
/// null.
pub(super) fn resolved(resource: &Resource, all: &[Resource]) -> Value {
    let mut values = resource.values.clone();
    for (pointer, reference) in &resource.references {
        let stand_in = arn(reference, &resource.module, all)
            .map(|arn| Value::String(arn.0))
            .or_else(|| secret(reference));
        if let (Some(stand_in), Some(place)) = (stand_in, values.pointer_mut(pointer)) {
            *place = stand_in;
        }
    }
    values
}

/// `aws_wafv2_ip_set.LABEL.arn` to the stand-in of the set that has this label.
fn arn(reference: &str, module: &str, all: &[Resource]) -> Option<Arn> {
    let (address, _) = reference.rsplit_once('.').filter(|(_, member)| *member == "arn")?;
    let (kind, label) = address.split_once('.')?;
    let found = all
        .iter()
        .find(|other| other.module == module && other.kind == kind && other.label == label)?;
    let name = found.values["name"].as_str()?;
    (kind == "aws_wafv2_ip_set").then(|| Arn::of_ip_set(name))
}

/// `aws_ssm_parameter.LABEL.value` to a secret that is called by its label.
fn secret(reference: &str) -> Option<Value> {
    let label = reference.strip_prefix("aws_ssm_parameter.")?.strip_suffix(".value")?;
    Some(serde_json::json!({ SECRET: label }))
}
