//! The words of WAF's refusals.

use serde_json::Value;

use crate::fake_aws::call::Refusal;

/// A value that is not taken, with the field of the model's list.
pub fn invalid(field: &str, parameter: &str, reason: &str) -> Refusal {
    let message = format!("Error reason: {reason}, field: {field}, parameter: {parameter}");
    Refusal::new(400, "WAFInvalidParameterException", message)
        .with("Field", field)
        .with("Parameter", parameter)
        .with("Reason", reason)
}

pub fn nonexistent() -> Refusal {
    Refusal::new(
        400,
        "WAFNonexistentItemException",
        "AWS WAF couldn\u{2019}t perform the operation because your resource doesn\u{2019}t exist.",
    )
}

pub fn stale() -> Refusal {
    Refusal::new(
        400,
        "WAFOptimisticLockException",
        "AWS WAF couldn\u{2019}t save your changes because someone changed the resource after you started to edit it. Reapply your changes.",
    )
}

pub fn duplicate() -> Refusal {
    Refusal::new(
        400,
        "WAFDuplicateItemException",
        "AWS WAF couldn\u{2019}t perform the operation because some resource in your request is a duplicate of an existing one.",
    )
}

pub fn associated() -> Refusal {
    Refusal::new(
        400,
        "WAFAssociatedItemException",
        "AWS WAF couldn\u{2019}t perform the operation because your resource is being used by another resource or it\u{2019}s associated with another resource.",
    )
}

pub fn limit(source: &str) -> Refusal {
    Refusal::new(
        400,
        "WAFLimitsExceededException",
        "AWS WAF couldn\u{2019}t perform the operation because you exceeded your resource limit.",
    )
    .with("SourceType", source)
}

/// A name of 1 to 128 letters, digits, `-` and `_`.
pub fn name(body: &Value, member: &str) -> Result<String, Refusal> {
    let name = body[member].as_str().unwrap_or_default();
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    if (1..=128).contains(&name.len()) && name.bytes().all(fits) {
        return Ok(name.to_owned());
    }
    let message = format!(
        "1 validation error detected: Value '{name}' at '{member}' failed to satisfy constraint: Member must satisfy regular expression pattern: ^[\\w\\-]+$"
    );
    Err(Refusal::new(400, "ValidationException", message))
}

/// A description has three characters or more, and few kinds of them.
pub fn description(body: &Value) -> Result<Option<String>, Refusal> {
    let Some(text) = body["Description"].as_str() else { return Ok(None) };
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"_+=:#@/-,. ".contains(&byte);
    let ends = [text.bytes().next(), text.bytes().last()];
    if (3..=256).contains(&text.len()) && text.bytes().all(fits) && !ends.contains(&Some(b' ')) {
        return Ok(Some(text.to_owned()));
    }
    let message = "1 validation error detected: Value at 'description' failed to satisfy constraint: Member must satisfy regular expression pattern: ^[\\w+=:#@/\\-,\\.][\\w+=:#@/\\-,\\.\\s]+[\\w+=:#@/\\-,\\.]$";
    Err(Refusal::new(400, "ValidationException", message))
}
