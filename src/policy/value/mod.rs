//! The single values of a policy: each reads itself, says what is allowed, and describes itself to the
//! JSON Schema. What only the rest of the policy can tell is checked later.

mod aws;
mod key;
mod layer;
mod limit;
mod network;
mod request;
mod resource;
mod response;

pub use aws::{Arn, Priority, Region, WebAclName};
pub use key::{HeaderName, Headers, KeyChoice, Redacted};
pub use layer::{
    FlushSeconds, MetricNamespace, Milliseconds, PagePath, PrefixLength, QuotaCount, RequestCount,
    ResourcePath, RestApi, Seconds, TableName,
};
pub use limit::{LimitChoice, SecondLimit, TwinLimit, WindowSeconds};
pub use network::{Cidr, Date, parse_date};
pub use request::{Host, Method};
pub use resource::{Flag, LogName, ParameterName, ResourceArn, RetentionDays, Sentence};
pub use response::{Body, RetryAfter, Status};

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::document::{AlarmSettings, WebAclDocument};
use super::names;
use super::problem::Problem;
use super::reader::{Read, Reader};
use super::surroundings::LoggingDocument;
use super::yaml::{Node, Value};

/// Gives a type its place in the JSON Schema.
macro_rules! schema {
    ($name:ident, $schema:expr) => {
        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                $schema
            }
        }
    };
}

use schema;

/// The version of the format; there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version;

schema!(Version, json_schema!({ "const": 1 }));

impl Read for Version {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        match node.value {
            Value::Integer(1) => Some(Self),
            Value::Integer(number) if number > 1 => reader.refuse(
                Problem::new(format!("this policy has version {number}"))
                    .at(node.span)
                    .found("this ratewaf knows version 1 only")
                    .help("a newer ratewaf wrote it; update ratewaf"),
            ),
            _ => {
                let found = format!("this is {}", reader.describe(node));
                let problem = Problem::new("the version of a policy is 1").at(node.span);
                reader.refuse(problem.found(found).help("write `version: 1`"))
            }
        }
    }
}

/// A name that becomes part of AWS names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name(pub String);

schema!(Name, json_schema!({ "type": "string", "pattern": names::PATTERN }));

impl Read for Name {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let text = reader.text(node, "text, a name")?;
        names::check(text, node.span, reader).map(Self)
    }
}

/// Whether a node is `off`. YAML 1.1 tools turn the bare word into `false`.
fn is_off(node: &Node) -> bool {
    match &node.value {
        Value::Bool(value) => !value,
        Value::Text(text) => text == "off",
        _ => false,
    }
}

/// The number of requests that an alarm lets pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threshold(pub u32);

schema!(Threshold, json_schema!({ "type": "integer", "minimum": 0, "maximum": u32::MAX }));

impl Read for Threshold {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let number = reader.integer(node, 0, u32::MAX.into(), "an alarm's threshold")?;
        u32::try_from(number).ok().map(Self)
    }
}

/// Alarms or none.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "a policy has one of it")]
pub enum AlarmChoice {
    /// None.
    Off,
    /// These.
    On(AlarmSettings),
}

impl JsonSchema for AlarmChoice {
    fn schema_name() -> Cow<'static, str> {
        "AlarmChoice".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let settings = generator.subschema_for::<AlarmSettings>();
        json_schema!({ "oneOf": [settings, { "enum": ["off", false] }] })
    }
}

impl Read for AlarmChoice {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        if is_off(node) {
            return Some(Self::Off);
        }
        if !matches!(node.value, Value::Map(_)) {
            let found = format!("this is {}", reader.describe(node));
            let problem = Problem::new("`alarms` is `off` or a mapping").at(node.span).found(found);
            return reader.refuse(problem.help("such as `{ on: blocked, threshold: 0 }`"));
        }
        AlarmSettings::read(node, reader).map(Self::On)
    }
}

/// A log or none.
#[derive(Clone, Debug)]
pub enum LogChoice {
    /// None.
    Off,
    /// This.
    On(Box<LoggingDocument>),
}

impl JsonSchema for LogChoice {
    fn schema_name() -> Cow<'static, str> {
        "LogChoice".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let settings = generator.subschema_for::<LoggingDocument>();
        json_schema!({ "oneOf": [settings, { "enum": ["off", false] }] })
    }
}

impl Read for LogChoice {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        if is_off(node) {
            return Some(Self::Off);
        }
        LoggingDocument::read(node, reader).map(Box::new).map(Self::On)
    }
}

/// Whose web ACL it is: exactly one of `create` and `attach`.
#[derive(Clone, Debug)]
pub struct WebAcl(pub WebAclDocument);

impl JsonSchema for WebAcl {
    fn schema_name() -> Cow<'static, str> {
        "WebAcl".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = WebAclDocument::json_schema(generator);
        let choices = serde_json::json!([
            { "required": ["create"], "properties": { "form": false, "priority": false } },
            { "required": ["attach"] },
        ]);
        schema.insert("oneOf".to_owned(), choices);
        schema
    }
}

impl Read for WebAcl {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let before = reader.problems.len();
        let document = WebAclDocument::read(node, reader)?;
        let is_faulty = reader.problems.len() > before;
        let title = "`web_acl` either creates a web ACL or attaches to one";
        let mut refuse = |span, found: &str, help: &str| {
            reader.problems.push(Problem::new(title).at(span).found(found).help(help));
        };
        match (&document.create, &document.attach) {
            (Some(_), Some(attach)) => {
                refuse(attach.span, "this is one too many", "keep `create` or `attach`");
            }
            (Some(_), None) => {
                let form = document.form.as_ref().map(|form| form.span);
                let priority = document.priority.as_ref().map(|priority| priority.span);
                for span in [form, priority].into_iter().flatten() {
                    let help = "`form` and `priority` say how rules join somebody else's web ACL; remove them";
                    refuse(span, "this goes with `attach` only", help);
                }
            }
            (None, Some(_)) => {}
            // A faulty name has been noted.
            (None, None) if is_faulty => {}
            (None, None) => {
                let help = "such as `web_acl: { create: prod }`";
                refuse(node.span, "it has neither `create` nor `attach`", help);
            }
        }
        Some(Self(document))
    }
}
