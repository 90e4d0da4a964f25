//! What a request is recognised by, besides its path.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::schema;
use crate::policy::problem::Problem;
use crate::policy::reader::{Read, Reader, short};
use crate::policy::yaml::Node;
use crate::quotas;
use crate::rules::{is_host, is_method};

/// An HTTP method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method(pub String);

schema!(Method, json_schema!({ "type": "string", "pattern": "^[A-Z_-]{1,32}$" }));

impl Read for Method {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let text = reader.text(node, "text, an HTTP method")?;
        if is_method(text) {
            return Some(Self(text.to_owned()));
        }
        let short = short(text);
        let upper = short.to_ascii_uppercase();
        let found = if is_method(&upper) {
            format!("did you mean `{upper}`?")
        } else {
            "not a method".to_owned()
        };
        reader.refuse(
            Problem::new(format!("`{short}` is no HTTP method")).at(node.span).found(found).help(
                "allowed: capital letters, such as `GET`, because methods are compared with case",
            ),
        )
    }
}

/// A Host header, in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host(pub String);

schema!(Host, json_schema!({ "type": "string", "pattern": "^[A-Za-z0-9._:\\[\\]-]{1,253}$" }));

impl Read for Host {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let text = reader.text(node, "text, a host name")?;
        // AWS WAF compares at most 200 bytes of search string.
        if is_host(text) && text.len() <= quotas::SEARCH_STRING_BYTES {
            return Some(Self(text.to_ascii_lowercase()));
        }
        let short = short(text);
        let problem = Problem::new(format!("`{short}` is no host name")).at(node.span);
        reader.refuse(
            problem
                .found("not what a Host header holds")
                .help("such as `api.example.com`: no scheme, no path, no `*`"),
        )
    }
}
