//! Places in AWS.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::schema;
use crate::policy::problem::Problem;
use crate::policy::reader::{Read, Reader, short};
use crate::policy::yaml::Node;
use crate::quotas;
use crate::rules::is_name;

/// An AWS Region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region(pub String);

schema!(Region, json_schema!({ "type": "string", "pattern": "^[a-z]{2}(-[a-z]+)+-[0-9]$" }));

/// Whether a text has the form of an AWS Region's name, such as `eu-central-1` or `us-gov-west-1`.
fn is_region(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [area, middle @ .., number] = parts.as_slice() else {
        return false;
    };
    let letters = |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase());
    area.len() == 2
        && letters(area)
        && !middle.is_empty()
        && middle.iter().all(letters)
        && number.len() == 1
        && number.bytes().all(|byte| byte.is_ascii_digit())
}

impl Read for Region {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let text = reader.text(node, "text, an AWS Region")?;
        if is_region(text) {
            return Some(Self(text.to_owned()));
        }
        let problem = Problem::new(format!("`{}` is no AWS Region", short(text))).at(node.span);
        reader.refuse(problem.found("not the form of one").help("such as `eu-central-1`"))
    }
}

/// The ARN of an SNS topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arn {
    /// All of it.
    pub text: String,
    /// Its Region.
    pub region: String,
}

schema!(
    Arn,
    json_schema!({
        "type": "string",
        "pattern": "^arn:aws(-[a-z]+)*:sns:[a-z0-9-]+:[0-9]{12}:[A-Za-z0-9_-]{1,256}(\\.fifo)?$",
    })
);

impl Read for Arn {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let text = reader.text(node, "text, the ARN of an SNS topic")?;
        let parts: Vec<&str> = text.split(':').collect();
        let topic = |name: &str| {
            let name = name.strip_suffix(".fifo").unwrap_or(name);
            (1..=256).contains(&name.len())
                && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
        };
        let partition = |text: &str| {
            text.strip_prefix("aws").is_some_and(|rest| {
                rest.is_empty()
                    || rest.starts_with('-')
                        && rest.split('-').skip(1).all(|part| {
                            !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase())
                        })
            })
        };
        match parts.as_slice() {
            ["arn", aws, "sns", region, account, name]
                if partition(aws)
                    && is_region(region)
                    && account.len() == 12
                    && account.bytes().all(|byte| byte.is_ascii_digit())
                    && topic(name) =>
            {
                Some(Self { text: text.to_owned(), region: (*region).to_owned() })
            }
            _ => {
                let problem = Problem::new("this is no ARN of an SNS topic").at(node.span);
                reader.refuse(
                    problem
                        .found("not the form of one")
                        .help("such as `arn:aws:sns:us-east-1:123456789012:alerts`"),
                )
            }
        }
    }
}

/// The name of a web ACL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebAclName(pub String);

schema!(WebAclName, json_schema!({ "type": "string", "pattern": "^[A-Za-z0-9_-]{1,128}$" }));

impl Read for WebAclName {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let text = reader.text(node, "the name of the web ACL as text")?;
        if is_name(text) {
            return Some(Self(text.to_owned()));
        }
        reader.refuse(
            Problem::new("this is no name of a web ACL")
                .at(node.span)
                .found("a character is not allowed, or the name is empty or too long")
                .help(format!(
                    "allowed: 1 to {} letters, digits, `-` and `_`",
                    quotas::NAME_CHARACTERS
                )),
        )
    }
}

/// Largest priority that still leaves room for ours behind it; AWS takes any 32-bit number.
const MOST_PRIORITY: u64 = 1_000_000;

/// The priority of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Priority(pub u32);

schema!(Priority, json_schema!({ "type": "integer", "minimum": 0, "maximum": MOST_PRIORITY }));

impl Read for Priority {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let number = reader.integer(node, 0, MOST_PRIORITY, "a priority")?;
        u32::try_from(number).ok().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_have_a_form() {
        for region in ["eu-central-1", "us-gov-west-1", "ap-southeast-2"] {
            assert!(is_region(region), "{region}");
        }
        for region in ["", "eu", "eu-1", "eu--1", "EU-central-1", "eu-central-12", "eu-central-x"] {
            assert!(!is_region(region), "{region}");
        }
    }
}
