//! The answer to a blocked request.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::{is_off, schema};
use crate::policy::problem::Problem;
use crate::policy::reader::{Read, Reader};
use crate::policy::yaml::{Node, Value};
use crate::quotas;

/// Longest `Retry-After`: a day.
const MOST_RETRY_AFTER: u64 = 86_400;

/// A status of a custom response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status(pub u16);

schema!(Status, json_schema!({ "enum": quotas::RESPONSE_CODES.as_slice() }));

impl Read for Status {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let code = match node.value {
            Value::Integer(number) => u16::try_from(number).ok(),
            _ => None,
        };
        code.filter(|code| quotas::RESPONSE_CODES.contains(code)).map(Self).or_else(|| {
            let codes = quotas::RESPONSE_CODES.map(|code| code.to_string()).join(", ");
            let found = format!("this is {}", reader.describe(node));
            let problem = Problem::new("AWS WAF cannot answer with this status").at(node.span);
            reader.refuse(problem.found(found).help(format!("allowed: {codes}")))
        })
    }
}

/// The `Retry-After` header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetryAfter {
    /// No header.
    Off,
    /// Seconds.
    Seconds(u32),
}

schema!(
    RetryAfter,
    json_schema!({ "oneOf": [
        { "type": "integer", "minimum": 1, "maximum": MOST_RETRY_AFTER },
        { "enum": ["off", false] },
    ] })
);

impl Read for RetryAfter {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        if is_off(node) {
            return Some(Self::Off);
        }
        let seconds = reader.integer(node, 1, MOST_RETRY_AFTER, "`retry_after` (or `off`)")?;
        u32::try_from(seconds).ok().map(Self::Seconds)
    }
}

/// The body of a custom response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body(pub String);

schema!(Body, json_schema!({ "type": "string", "maxLength": quotas::RESPONSE_BODY_BYTES }));

impl Read for Body {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let text = reader.text(node, "text, a JSON document")?.trim_end();
        if text.len() > quotas::RESPONSE_BODY_BYTES {
            let bytes = text.len();
            return reader.refuse(
                Problem::new("the body is too long")
                    .at(node.span)
                    .found(format!("it has {bytes} bytes"))
                    .help(format!("allowed: {} bytes", quotas::RESPONSE_BODY_BYTES)),
            );
        }
        if !text.is_empty() && serde_json::from_str::<serde_json::Value>(text).is_err() {
            return reader.refuse(
                Problem::new("the body is no JSON")
                    .at(node.span)
                    .found("it is sent as application/json")
                    .help("such as '{\"error\":\"too many requests\"}', in single quotes"),
            );
        }
        Some(Self(text.to_owned()))
    }
}
