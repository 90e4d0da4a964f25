//! The single values of a policy: each reads itself, says what is allowed, and describes itself to the
//! JSON Schema. What only AWS or the rest of the policy can tell is checked later.

use std::borrow::Cow;

use ipnet::IpNet;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::document::AlarmSettings;
use super::names;
use super::problem::Problem;
use super::reader::{Read, Reader, list, short};
use super::yaml::{Node, Value};
use crate::quotas;
use crate::rules::{canonical_cidr, is_host, is_method};
use crate::units::{Limit, Timestamp, Window};

/// Longest `Retry-After`: a day.
const MOST_RETRY_AFTER: u64 = 86_400;
/// Largest multiple of a twin's limit.
const MOST_TIMES: u64 = 100_000;

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

/// An address or a CIDR in canonical form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cidr(pub IpNet);

schema!(Cidr, json_schema!({ "type": "string", "pattern": "^[0-9A-Fa-f:.]+(/[0-9]{1,3})?$" }));

impl Read for Cidr {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let text = reader.text(node, "text, an address or a CIDR")?;
        let short = short(text);
        let help = "allowed: addresses such as `203.0.113.10` and `2001:db8::1`, and CIDRs such as `203.0.113.0/24` and `2001:db8:7::/64`";
        match canonical_cidr(text) {
            Some(net) if net.prefix_len() == 0 => reader.refuse(
                Problem::new(format!("`{short}` is everybody"))
                    .at(node.span)
                    .found("AWS WAF refuses `/0` in an IP set")
                    .help(help),
            ),
            // A CIDR whose address has bits behind the prefix is a slip more often than not: refuse it
            // rather than guess which of the two was meant.
            Some(net) if text.contains('/') && host_bits(text) => reader.refuse(
                Problem::new(format!("`{short}` has bits set behind its prefix"))
                    .at(node.span)
                    .found(format!("the network is `{net}`"))
                    .help(format!(
                        "write `{net}` for the network, or the address alone for one client"
                    )),
            ),
            Some(net) => Some(Self(net)),
            None => reader.refuse(
                Problem::new(format!("`{short}` is no address and no CIDR"))
                    .at(node.span)
                    .found("cannot be read")
                    .help(help),
            ),
        }
    }
}

fn host_bits(text: &str) -> bool {
    text.trim().parse::<IpNet>().is_ok_and(|net| net.trunc() != net)
}

/// A date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Date(pub Timestamp);

schema!(Date, json_schema!({ "type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$" }));

impl Read for Date {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let text = reader.text(node, "text, a date as YYYY-MM-DD")?;
        parse_date(text).map(Self).or_else(|| {
            let short = short(text);
            let problem = Problem::new(format!("`{short}` is no date")).at(node.span);
            reader.refuse(problem.found("not a day of the calendar").help("such as `2027-03-01`"))
        })
    }
}

/// Reads `YYYY-MM-DD`.
#[must_use]
pub fn parse_date(text: &str) -> Option<Timestamp> {
    let bytes = text.as_bytes();
    let digits = |from: usize, to: usize| {
        let part = text.get(from..to)?;
        part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse::<u32>().ok())?
    };
    if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
        return None;
    }
    Timestamp::from_date(digits(0, 4)?.into(), digits(5, 7)?, digits(8, 10)?)
}

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

/// Whether a node is `off`. YAML 1.1 tools turn the bare word into `false`.
fn is_off(node: &Node) -> bool {
    match &node.value {
        Value::Bool(value) => !value,
        Value::Text(text) => text == "off",
        _ => false,
    }
}

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

fn limit_schema(more: &Schema) -> Schema {
    json_schema!({ "oneOf": [
        { "type": "integer", "minimum": quotas::MINIMUM_LIMIT, "maximum": quotas::MAXIMUM_LIMIT },
        more,
    ] })
}

fn read_limit(node: &Node, reader: &mut Reader<'_>, what: &str) -> Option<Limit> {
    let (least, most) = (quotas::MINIMUM_LIMIT.into(), quotas::MAXIMUM_LIMIT.into());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_and_dates_have_a_form() {
        for region in ["eu-central-1", "us-gov-west-1", "ap-southeast-2"] {
            assert!(is_region(region), "{region}");
        }
        for region in
            ["", "eu", "eu-1", "eu--1", "EU-central-1", "eu-central-12", "global", "eu-central-x"]
        {
            assert!(!is_region(region), "{region}");
        }
        assert_eq!(
            parse_date("2028-02-29").map(Timestamp::date_text).as_deref(),
            Some("2028-02-29")
        );
        for date in ["2027-02-29", "2027-3-1", "+027-03-01", "2027-03-1é", "20270301", ""] {
            assert_eq!(parse_date(date), None, "{date}");
        }
    }
}
