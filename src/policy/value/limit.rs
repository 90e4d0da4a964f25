//! Limits and windows.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::schema;
use crate::policy::problem::Problem;
use crate::policy::reader::{Read, Reader, list, short};
use crate::policy::yaml::{Node, Value};
use crate::quotas;
use crate::units::{Limit, Window};

/// Largest multiple of a twin's limit.
const MOST_TIMES: u64 = 100_000;

/// An evaluation window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowSeconds(pub Window);

schema!(WindowSeconds, json_schema!({ "enum": Window::ALL.map(Window::seconds) }));

impl Read for WindowSeconds {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let seconds = match node.value {
            Value::Integer(number) => u32::try_from(number).ok(),
            _ => None,
        };
        seconds.and_then(|seconds| Window::new(seconds).ok()).map(Self).or_else(|| {
            let found = format!("this is {}", reader.describe(node));
            let problem = Problem::new("this is no evaluation window of AWS WAF").at(node.span);
            reader.refuse(problem.found(found).help("allowed: 60, 120, 300, 600 (seconds)"))
        })
    }
}

fn limit_schema(more: &Schema) -> Schema {
    json_schema!({ "oneOf": [
        { "type": "integer", "minimum": quotas::MINIMUM_LIMIT, "maximum": quotas::MAXIMUM_LIMIT },
        more,
    ] })
}

fn read_limit(node: &Node, reader: &mut Reader<'_>, what: &str) -> Option<Limit> {
    let (least, most) = (quotas::MINIMUM_LIMIT.into(), quotas::MAXIMUM_LIMIT.into());
    if let Value::Integer(number) = node.value {
        let what = format!("the limit {number}");
        return Limit::new(reader.integer(node, least, most, &what)?).ok();
    }
    Limit::new(reader.integer(node, least, most, what)?).ok()
}

/// A route's limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitChoice {
    /// That of the lock.
    Auto,
    /// A person's.
    Pinned(Limit),
}

schema!(LimitChoice, limit_schema(&json_schema!({ "const": "auto" })));

impl Read for LimitChoice {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        match &node.value {
            Value::Text(text) if text == "auto" => Some(Self::Auto),
            _ => read_limit(node, reader, "a limit (or `auto`)").map(Self::Pinned),
        }
    }
}

/// A twin's limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TwinLimit {
    /// The larger of ten times the main limit and twice the network's peak.
    Auto,
    /// A multiple of the main limit.
    Times(u32),
    /// A person's.
    Pinned(Limit),
}

schema!(
    TwinLimit,
    limit_schema(&json_schema!({ "type": "string", "pattern": "^(auto|[1-9][0-9]{0,4}x)$" }))
);

impl Read for TwinLimit {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let Value::Text(text) = &node.value else {
            return read_limit(node, reader, "a twin's limit (or `auto`, or `10x`)")
                .map(Self::Pinned);
        };
        if text == "auto" {
            return Some(Self::Auto);
        }
        let times = text.strip_suffix('x').filter(|digits| {
            digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0')
        });
        let times = times.and_then(|digits| digits.parse::<u64>().ok());
        match times.filter(|times| *times < MOST_TIMES).and_then(|times| u32::try_from(times).ok())
        {
            Some(times) => Some(Self::Times(times)),
            None => {
                let short = short(text);
                let problem = Problem::new(format!("`{short}` is no twin's limit")).at(node.span);
                reader.refuse(problem.found("unknown").help(format!(
                    "allowed: {}, or a number of requests per window",
                    list(&["auto", "10x"])
                )))
            }
        }
    }
}

/// The limit of the second rule before a main rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecondLimit {
    /// A multiple of the main limit, 2 or more.
    Times(u32),
    /// A person's.
    Pinned(Limit),
}

schema!(
    SecondLimit,
    limit_schema(&json_schema!({ "type": "string", "pattern": "^([2-9]|[1-9][0-9]{1,4})x$" }))
);

impl Read for SecondLimit {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let Value::Text(text) = &node.value else {
            return read_limit(node, reader, "a second limit (or `2x`)").map(Self::Pinned);
        };
        let times = text.strip_suffix('x').filter(|digits| {
            digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0')
        });
        let times = times.and_then(|digits| digits.parse::<u64>().ok());
        let times = times.filter(|times| (2..MOST_TIMES).contains(times));
        match times.and_then(|times| u32::try_from(times).ok()) {
            Some(times) => Some(Self::Times(times)),
            None => {
                let short = short(text);
                let problem = Problem::new(format!("`{short}` is no second limit")).at(node.span);
                reader.refuse(problem.found("unknown").help(
                    "allowed: a multiple of the main limit from `2x` on, or a number of requests per window",
                ))
            }
        }
    }
}
