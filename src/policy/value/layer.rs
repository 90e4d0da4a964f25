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

bounded! {
    /// Bits of an IPv6 address that tell clients apart.
    PrefixLength, "a prefix of IPv6", 1, 128
}

bounded! {
    /// How long counts are added up before they are written, in seconds.
    FlushSeconds, "the pace of metrics", 0, 300
}

bounded! {
    /// Requests in a day, a week or a month.
    QuotaCount, "a quota", 1, 2_000_000_000
}

/// The id of a REST API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RestApi(pub String);

schema!(RestApi, json_schema!({ "type": "string", "pattern": "^[A-Za-z0-9]{1,64}$" }));

impl Read for RestApi {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let text = reader.text(node, "text, the id of a REST API")?;
        if (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Some(Self(text.to_owned()));
        }
        let problem = Problem::new(format!("`{}` is no id of a REST API", short(text)));
        reader.refuse(
            problem
                .at(node.span)
                .found("not the form of one")
                .help("such as `a1b2c3d4e5`: aws apigateway get-rest-apis lists them"),
        )
    }
}

/// The path of a resource of a REST API, below its root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourcePath(pub String);

schema!(
    ResourcePath,
    json_schema!({ "type": "string", "pattern": "^(/[A-Za-z0-9._:{}+-]+)+$", "maxLength": 255 })
);

impl Read for ResourcePath {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let text = reader.text(node, "text, the path of a resource")?;
        let known = |byte: u8| byte.is_ascii_alphanumeric() || b"._:{}+-".contains(&byte);
        let is_part = |part: &str| !part.is_empty() && part.bytes().all(known);
        let rest = text.strip_prefix('/').filter(|_| text.len() <= 255);
        if rest.is_some_and(|rest| rest.split('/').all(is_part)) {
            return Some(Self(text.to_owned()));
        }
        let problem = Problem::new(format!("`{}` is no resource below the root", short(text)));
        reader.refuse(problem.at(node.span).found("not allowed").help(
            "such as `/orders/{id}`: letters, digits, `.`, `_`, `:`, `{`, `}`, `+` and `-` between slashes, at most 255",
        ))
    }
}

/// A namespace of metrics in CloudWatch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MetricNamespace(pub String);

schema!(
    MetricNamespace,
    json_schema!({ "type": "string", "pattern": "^(?!AWS/)[A-Za-z0-9._/#:-]{1,255}$" })
);

impl Read for MetricNamespace {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let text = reader.text(node, "text, a namespace of metrics")?;
        // API, `Namespace` of PutMetricData; those with `AWS/` are AWS's own.
        let known = |byte: u8| byte.is_ascii_alphanumeric() || b"._/#:-".contains(&byte);
        let is_long = !(1..=255).contains(&text.len());
        if !is_long && text.bytes().all(known) && !text.starts_with("AWS/") {
            return Some(Self(text.to_owned()));
        }
        let problem = Problem::new(format!("`{}` is no namespace for metrics", short(text)));
        reader.refuse(problem.at(node.span).found("not allowed").help(
            "allowed: 1 to 255 letters, digits, `.`, `_`, `/`, `#`, `:` and `-`, and not `AWS/` first",
        ))
    }
}

/// The path of a page of this site, without a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PagePath(pub String);

schema!(
    PagePath,
    json_schema!({ "type": "string", "pattern": "^/(?!/)[A-Za-z0-9_./-]*$", "maxLength": 255 })
);

impl Read for PagePath {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let text = reader.text(node, "text, the path of a page")?;
        let known = |byte: u8| byte.is_ascii_alphanumeric() || b"_./-".contains(&byte);
        // `//host` is another site to a browser.
        let is_here = text.starts_with('/') && !text.starts_with("//");
        if is_here && text.len() <= 255 && text.bytes().all(known) {
            return Some(Self(text.to_owned()));
        }
        let problem = Problem::new(format!("`{}` is no page of this site", short(text)));
        reader.refuse(problem.at(node.span).found("not allowed").help(
            "such as `/captcha`: one slash, then letters, digits, `_`, `.`, `/` and `-`, at most 255",
        ))
    }
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
