//! Names of resources that stand around a web ACL.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::schema;
use crate::policy::problem::Problem;
use crate::policy::reader::{Read, Reader, short};
use crate::policy::yaml::{Node, Value};

/// The ARN of a load balancer or an API stage. Which of them a web ACL can stand before is checked where
/// the stack is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceArn(pub String);

schema!(
    ResourceArn,
    json_schema!({ "type": "string", "pattern": "^arn:aws[a-z-]*:[a-z0-9-]+:[a-z0-9-]+:[0-9]*:[A-Za-z0-9._/:-]+$" })
);

impl Read for ResourceArn {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let text = reader.text(node, "text, the ARN of a load balancer or an API stage")?;
        let parts: Vec<&str> = text.splitn(6, ':').collect();
        let word = |text: &str| {
            !text.is_empty()
                && text
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
        };
        match parts.as_slice() {
            ["arn", partition, service, region, account, resource]
                if partition.starts_with("aws")
                    && partition.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')
                    && word(service)
                    && word(region)
                    && account.bytes().all(|byte| byte.is_ascii_digit())
                    && !resource.is_empty()
                    && resource
                        .bytes()
                        .all(|byte| byte.is_ascii_alphanumeric() || b"._/:-".contains(&byte)) =>
            {
                Some(Self(text.to_owned()))
            }
            _ => reader.refuse(
                Problem::new(format!("`{}` is no ARN of a resource", short(text)))
                    .at(node.span)
                    .found("not the form of one")
                    .help("such as `arn:aws:elasticloadbalancing:eu-central-1:123456789012:loadbalancer/app/api/50dc6c495c0c9188`"),
            ),
        }
    }
}

/// The name of a log destination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogName(pub String);

/// How the name of every destination begins.
const PREFIX: &str = "aws-waf-logs-";

schema!(
    LogName,
    json_schema!({ "type": "string", "pattern": "^aws-waf-logs-[A-Za-z0-9._/#-]{1,499}$" })
);

impl Read for LogName {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let text = reader.text(node, "text, the name of a log destination")?;
        let rest = text.strip_prefix(PREFIX).unwrap_or_default();
        let known = |byte: u8| byte.is_ascii_alphanumeric() || b"._/#-".contains(&byte);
        if (1..=499).contains(&rest.len()) && rest.bytes().all(known) {
            return Some(Self(text.to_owned()));
        }
        let problem = Problem::new(format!("WAF cannot log to `{}`", short(text))).at(node.span);
        reader.refuse(
            problem
                .found("not a name that AWS WAF logs to")
                .help("the name begins with `aws-waf-logs-`, such as `aws-waf-logs-acl`"),
        )
    }
}

/// The name of an SSM parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterName(pub String);

schema!(
    ParameterName,
    json_schema!({ "type": "string", "pattern": "^(/[A-Za-z0-9._-]{1,100}){1,10}$" })
);

impl Read for ParameterName {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let text = reader.text(node, "text, the name of an SSM parameter")?;
        let known = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
        let is_part = |part: &str| (1..=100).contains(&part.len()) && part.bytes().all(known);
        let parts: Vec<&str> =
            text.strip_prefix('/').map(|rest| rest.split('/').collect()).unwrap_or_default();
        let first = parts.first().copied().unwrap_or_default().to_ascii_lowercase();
        if (1..=10).contains(&parts.len())
            && parts.iter().all(|part| is_part(part))
            && !first.starts_with("aws")
            && !first.starts_with("ssm")
        {
            return Some(Self(text.to_owned()));
        }
        let problem = Problem::new(format!("`{}` cannot name an SSM parameter", short(text)));
        reader.refuse(problem.at(node.span).found("not allowed").help(
            "such as `/acl/origin-secret`: it begins with a slash, and not with `aws` or `ssm`",
        ))
    }
}

/// Yes or no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flag(pub bool);

schema!(Flag, json_schema!({ "type": "boolean" }));

impl Read for Flag {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        match node.value {
            Value::Bool(value) => Some(Self(value)),
            _ => {
                let found = format!("this is {}", reader.describe(node));
                let problem = Problem::new("expected `true` or `false`").at(node.span);
                reader.refuse(problem.found(found))
            }
        }
    }
}

/// Days that records of a log group are kept: those that CloudWatch Logs offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetentionDays(pub u32);

const RETENTIONS: [u32; 22] = [
    1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1_096, 1_827, 2_192, 2_557,
    2_922, 3_288, 3_653,
];

schema!(RetentionDays, json_schema!({ "enum": RETENTIONS.as_slice() }));

impl Read for RetentionDays {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let days = match node.value {
            Value::Integer(number) => u32::try_from(number).ok(),
            _ => None,
        };
        days.filter(|days| RETENTIONS.contains(days)).map(Self).or_else(|| {
            let known = RETENTIONS.map(|days| days.to_string()).join(", ");
            let found = format!("this is {}", reader.describe(node));
            let problem = Problem::new("CloudWatch Logs does not offer this retention");
            reader.refuse(problem.at(node.span).found(found).help(format!("allowed: {known}")))
        })
    }
}

/// A sentence for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence(pub String);

/// Longer ones are no reason but a story.
const MOST_SENTENCE: usize = 200;

schema!(Sentence, json_schema!({ "type": "string", "minLength": 1, "maxLength": MOST_SENTENCE }));

impl Read for Sentence {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let text = reader.text(node, "text, a sentence")?;
        if (1..=MOST_SENTENCE).contains(&text.chars().count()) {
            return Some(Self(text.to_owned()));
        }
        let problem = Problem::new("a reason is a sentence").at(node.span);
        reader.refuse(problem.found("it is empty or too long").help("allowed: 1 to 200 characters"))
    }
}
