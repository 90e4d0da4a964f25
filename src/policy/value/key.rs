//! Aggregation keys.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::schema;
use crate::policy::problem::Problem;
use crate::policy::reader::{Read, Reader, list, short};
use crate::policy::yaml::{Node, Value};
use crate::quotas;
use crate::rules::KeyPart;

/// Parts that are a word.
const WORDS: [&str; 8] =
    ["ip", "forwarded_ip", "method", "query_string", "path", "ja3", "ja4", "asn"];
/// Parts that have a name.
const NAMED: [&str; 4] = ["header", "cookie", "query_argument", "label_namespace"];
/// What the name of a header or a query argument may be. AWS takes more, but writes it in lower case,
/// and then every plan shows a difference.
const LOWER: &str = "^[a-z0-9_-]{1,64}$";
const ANY_CASE: &str = "^[A-Za-z0-9._-]{1,64}$";
const NAMESPACE: &str = "^([0-9A-Za-z_-]{1,128}:)+$";

/// What requests are counted by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyChoice(pub Vec<KeyPart>);

impl JsonSchema for KeyChoice {
    fn schema_name() -> Cow<'static, str> {
        "Key".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let named = |key: &str, pattern: &str| {
            serde_json::json!({
                "type": "object",
                "properties": { key: { "type": "string", "pattern": pattern } },
                "required": [key],
                "additionalProperties": false,
            })
        };
        let part = serde_json::json!({ "oneOf": [
            { "enum": WORDS },
            named("header", LOWER),
            named("cookie", ANY_CASE),
            named("query_argument", LOWER),
            named("label_namespace", NAMESPACE),
        ] });
        json_schema!({
            "description": "A word, a mapping with one key, or a list of up to five of them.",
            "oneOf": [
                part.clone(),
                {
                    "type": "array",
                    "items": part,
                    "minItems": 1,
                    "maxItems": quotas::CUSTOM_KEYS,
                    "uniqueItems": true,
                },
            ],
        })
    }
}

impl Read for KeyChoice {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let Value::List(items) = &node.value else {
            return Some(Self(vec![part(node, reader)?]));
        };
        if !(1..=quotas::CUSTOM_KEYS).contains(&items.len()) {
            let found = format!("this list has {}", items.len());
            let problem = Problem::new("a key has one to five parts").at(node.span).found(found);
            return reader.refuse(problem.help("a request is counted by all of them together"));
        }
        let mut parts = Vec::with_capacity(items.len());
        let mut is_whole = true;
        for item in items {
            match part(item, reader) {
                Some(part) if parts.contains(&part) => {
                    let problem = Problem::new("a part of the key comes twice").at(item.span);
                    reader.problems.push(problem.found("the second one").help("remove it"));
                    is_whole = false;
                }
                Some(part) => parts.push(part),
                None => is_whole = false,
            }
        }
        is_whole.then_some(Self(parts))
    }
}

fn part(node: &Node, reader: &mut Reader<'_>) -> Option<KeyPart> {
    if let Value::Map(_) = &node.value {
        let (place, name) = reader.one_key(node, "a part of a key", &NAMED, "a name as text")?;
        return named(NAMED[place], &name.value, node, reader);
    }
    let place = reader.word(node, &WORDS, "key")?;
    Some(match WORDS[place] {
        "ip" => KeyPart::Ip,
        "forwarded_ip" => KeyPart::ForwardedIp,
        "method" => KeyPart::Method,
        "query_string" => KeyPart::QueryString,
        "path" => KeyPart::Path,
        "ja3" => KeyPart::Ja3,
        "ja4" => KeyPart::Ja4,
        _ => KeyPart::Asn,
    })
}

fn named(kind: &str, name: &str, node: &Node, reader: &mut Reader<'_>) -> Option<KeyPart> {
    let (is_right, help) = match kind {
        "label_namespace" => (
            is_namespace(name),
            "such as `awswaf:managed:aws:bot-control:bot:name:`: it ends with a colon",
        ),
        "cookie" => (is_word(name, true), "allowed: 1 to 64 letters, digits, `.`, `-` and `_`"),
        _ => (
            is_word(name, false),
            "allowed: 1 to 64 lower-case letters, digits, `-` and `_`; AWS compares without case and writes it in lower case",
        ),
    };
    if !is_right {
        let problem = Problem::new(format!("`{}` cannot name a {}", short(name), words(kind)));
        return reader.refuse(problem.at(node.span).found("not allowed here").help(help));
    }
    let name = name.to_owned();
    Some(match kind {
        "header" => KeyPart::Header(name),
        "cookie" => KeyPart::Cookie(name),
        "query_argument" => KeyPart::QueryArgument(name),
        _ => KeyPart::LabelNamespace(name),
    })
}

fn words(kind: &str) -> String {
    kind.replace('_', " ")
}

fn is_word(name: &str, any_case: bool) -> bool {
    let known = |byte: u8| {
        byte.is_ascii_lowercase()
            || byte.is_ascii_digit()
            || b"-_".contains(&byte)
            || any_case && (byte.is_ascii_uppercase() || byte == b'.')
    };
    (1..=quotas::CUSTOM_KEY_NAME).contains(&name.len()) && name.bytes().all(known)
}

fn is_namespace(name: &str) -> bool {
    let Some(parts) = name.strip_suffix(':') else { return false };
    let known = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    name.len() <= quotas::LABEL_NAMESPACE
        && parts.split(':').all(|part| (1..=128).contains(&part.len()) && part.bytes().all(known))
}

/// The name of a header, in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderName(pub String);

schema!(HeaderName, json_schema!({ "type": "string", "pattern": LOWER }));

impl Read for HeaderName {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let text = reader.text(node, "text, the name of a header")?;
        if is_word(text, false) {
            return Some(Self(text.to_owned()));
        }
        let problem = Problem::new(format!("`{}` cannot name a header here", short(text)));
        reader.refuse(problem.at(node.span).found("not allowed here").help(
            "allowed: 1 to 64 lower-case letters, digits, `-` and `_`; AWS compares without case and writes it in lower case",
        ))
    }
}

/// Something that WAF leaves out of its records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redacted(pub crate::rules::RedactedPart);

const REDACTED: [&str; 3] = ["method", "path", "query_string"];

schema!(
    Redacted,
    json_schema!({ "oneOf": [
        { "enum": REDACTED },
        {
            "type": "object",
            "properties": { "header": { "type": "string", "pattern": LOWER } },
            "required": ["header"],
            "additionalProperties": false,
        },
    ] })
);

impl Read for Redacted {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        use crate::rules::RedactedPart;
        if let Value::Map(_) = &node.value {
            let (_, name) =
                reader.one_key(node, "a redacted part", &["header"], "a name as text")?;
            if is_word(&name.value, false) {
                return Some(Self(RedactedPart::Header(name.value)));
            }
            let problem =
                Problem::new(format!("`{}` cannot name a header here", short(&name.value)));
            return reader.refuse(
                problem
                    .at(node.span)
                    .found("not allowed here")
                    .help("allowed: 1 to 64 lower-case letters, digits, `-` and `_`"),
            );
        }
        let place = reader.word(node, &REDACTED, "part of a record")?;
        Some(Self(match place {
            0 => RedactedPart::Method,
            1 => RedactedPart::Path,
            _ => RedactedPart::QueryString,
        }))
    }
}

/// Further headers of an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headers(pub Vec<(String, String)>);

schema!(
    Headers,
    json_schema!({
        "type": "object",
        "propertyNames": { "pattern": "^[A-Za-z0-9._$-]{1,64}$" },
        "additionalProperties": { "type": "string", "minLength": 1, "maxLength": 255 },
        "maxProperties": quotas::RESPONSE_HEADERS - 2,
    })
);

/// Headers that something else of the policy, or AWS, writes.
const TAKEN: [(&str, &str); 3] = [
    ("content-type", "AWS takes the type from the body"),
    ("retry-after", "`retry_after` writes it"),
    ("ratelimit-policy", "`rate_limit_policy` writes it"),
];

impl Read for Headers {
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self> {
        let entries = reader.entries(node, "a mapping from names of headers to texts")?;
        let mut out: Vec<(String, String)> = Vec::with_capacity(entries.len());
        let mut is_whole = true;
        for (key, value) in &entries {
            let refused = header_fault(&key.text, &out);
            if let Some((found, help)) = refused {
                let title = format!("`{}` cannot be a header of an answer", short(&key.text));
                reader.problems.push(Problem::new(title).at(key.span).found(found).help(help));
                is_whole = false;
                continue;
            }
            let Some(text) = reader.text(value, "text, what the header holds") else {
                is_whole = false;
                continue;
            };
            if (1..=quotas::RESPONSE_HEADER_VALUE).contains(&text.len())
                && text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
            {
                out.push((key.text.clone(), text.to_owned()));
            } else {
                let problem = Problem::new("this cannot stand in a header").at(value.span);
                reader.problems.push(
                    problem
                        .found("it is empty, too long, or not plain ASCII")
                        .help("allowed: 1 to 255 printable ASCII characters"),
                );
                is_whole = false;
            }
        }
        // Two more are written by other keys.
        if entries.len() > quotas::RESPONSE_HEADERS - 2 {
            let problem = Problem::new("an answer has too many headers").at(node.span);
            let found = format!("there are {}", entries.len());
            return reader
                .refuse(problem.found(found).help("allowed: 8 beside those of other keys"));
        }
        is_whole.then_some(Self(out))
    }
}

fn header_fault(name: &str, before: &[(String, String)]) -> Option<(&'static str, String)> {
    let known = |byte: u8| byte.is_ascii_alphanumeric() || b"._$-".contains(&byte);
    if !(1..=quotas::RESPONSE_HEADER_NAME).contains(&name.len()) || !name.bytes().all(known) {
        let help = "allowed: 1 to 64 letters, digits, `.`, `_`, `$` and `-`";
        return Some(("a character is not allowed, or there are too many", help.to_owned()));
    }
    if let Some((_, why)) = TAKEN.iter().find(|(taken, _)| name.eq_ignore_ascii_case(taken)) {
        return Some((
            "this one is taken",
            format!("{why}; remove it from {}", list(&["headers"])),
        ));
    }
    let twice = before.iter().any(|(other, _)| other.eq_ignore_ascii_case(name));
    twice.then(|| ("it would be sent twice", "remove one of the two".to_owned()))
}
