//! Values of the layers behind AWS WAF.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::schema;
use crate::policy::problem::Problem;
use crate::policy::reader::{Read, Reader, short};
use crate::policy::yaml::Node;

/// A whole number between bounds.
macro_rules! bounded {
    ($(#[doc = $about:literal])+ $name:ident, $what:literal, $least:literal, $most:literal) => {
        $(#[doc = $about])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(pub u32);

        schema!($name, json_schema!({ "type": "integer", "minimum": $least, "maximum": $most }));

        impl Read for $name {
            fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
                let number = reader.integer(node, $least, $most, $what)?;
                u32::try_from(number).ok().map(Self)
            }
        }
    };
}

bounded! {
    /// Requests that a limiter of ours lets through. Together with [`Seconds`] all its arithmetic stays
    /// below 2^53, which JavaScript's numbers hold exactly.
    RequestCount, "a limit of a layer", 1, 1_000_000
}

bounded! {
    /// A window of a limiter of ours, in seconds; at most 31 days.
    Seconds, "a window of a layer", 1, 2_678_400
}

bounded! {
    /// How long a store may take, in milliseconds.
    Milliseconds, "a timeout", 10, 5_000
}

/// The name of a DynamoDB table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableName(pub String);

schema!(TableName, json_schema!({ "type": "string", "pattern": "^[A-Za-z0-9_.-]{3,255}$" }));

impl Read for TableName {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let text = reader.text(node, "text, the name of a DynamoDB table")?;
        let known = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
        // API, `TableName` of CreateTable.
        if (3..=255).contains(&text.len()) && text.bytes().all(known) {
            return Some(Self(text.to_owned()));
        }
        let problem = Problem::new(format!("`{}` cannot name a DynamoDB table", short(text)));
        reader.refuse(
            problem
                .at(node.span)
                .found("not allowed")
                .help("allowed: 3 to 255 letters, digits, `_`, `.` and `-`"),
        )
    }
}
