//! Statements, in the API's spelling.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::aggregate::{AggregateKeyType, CustomKey, FallbackBehavior, ForwardedIpConfig};
use super::ip_set::Arn;
use crate::rules::Transformation;

/// One condition of a rule. On the wire an object with one member, named after the kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Statement {
    /// Counts the requests that its scope-down matches and acts above a limit.
    #[serde(rename = "RateBasedStatement")]
    RateBased(RateBasedStatement),
    /// All parts match.
    #[serde(rename = "AndStatement")]
    And(AndStatement),
    /// Any part matches.
    #[serde(rename = "OrStatement")]
    Or(OrStatement),
    /// The part does not match.
    #[serde(rename = "NotStatement")]
    Not(NotStatement),
    /// A part of the request holds some bytes.
    #[serde(rename = "ByteMatchStatement")]
    ByteMatch(ByteMatchStatement),
    /// A regular expression is found in a part of the request.
    #[serde(rename = "RegexMatchStatement")]
    RegexMatch(RegexMatchStatement),
    /// The client address lies in an IP set.
    #[serde(rename = "IPSetReferenceStatement")]
    IpSetReference(IpSetReferenceStatement),
}

/// A rate-based statement: the limit, and which requests it counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct RateBasedStatement {
    /// Requests of one aggregation instance per window.
    pub limit: u32,
    /// Seconds: 60, 120, 300 or 600.
    pub evaluation_window_sec: u32,
    /// What an aggregation instance is.
    pub aggregate_key_type: AggregateKeyType,
    /// The parts of a key of the type [`AggregateKeyType::CustomKeys`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub custom_keys: Vec<CustomKey>,
    /// Where the address stands, if the key is one in a header.
    #[serde(rename = "ForwardedIPConfig", default, skip_serializing_if = "Option::is_none")]
    pub forwarded_ip_config: Option<ForwardedIpConfig>,
    /// Which requests are counted; all if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope_down_statement: Option<Box<Statement>>,
}

/// See [`Statement::And`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct AndStatement {
    /// Two or more; AWS refuses fewer.
    pub statements: Vec<Statement>,
}

/// See [`Statement::Or`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct OrStatement {
    /// Two or more; AWS refuses fewer.
    pub statements: Vec<Statement>,
}

/// See [`Statement::Not`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct NotStatement {
    /// What must not match.
    pub statement: Box<Statement>,
}

/// See [`Statement::ByteMatch`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct ByteMatchStatement {
    /// The bytes, 1 to 200 of them.
    pub search_string: SearchString,
    /// Where they are looked for.
    pub field_to_match: FieldToMatch,
    /// What is done to the part of the request first.
    pub text_transformations: Vec<TextTransformation>,
    /// How they have to lie in it.
    pub positional_constraint: PositionalConstraint,
}

/// How the search string lies in what is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum PositionalConstraint {
    /// It is the whole.
    Exactly,
    /// At the beginning.
    StartsWith,
    /// At the end.
    EndsWith,
    /// Anywhere.
    Contains,
}

impl PositionalConstraint {
    /// Its name in the API.
    #[must_use]
    pub const fn api_name(self) -> &'static str {
        match self {
            Self::Exactly => "EXACTLY",
            Self::StartsWith => "STARTS_WITH",
            Self::EndsWith => "ENDS_WITH",
            Self::Contains => "CONTAINS",
        }
    }
}

/// See [`Statement::RegexMatch`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct RegexMatchStatement {
    /// The expression; found anywhere unless it is anchored.
    pub regex_string: String,
    /// Where it is looked for.
    pub field_to_match: FieldToMatch,
    /// What is done to the part of the request first.
    pub text_transformations: Vec<TextTransformation>,
}

/// See [`Statement::IpSetReference`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpSetReferenceStatement {
    /// The set.
    #[serde(rename = "ARN")]
    pub arn: Arn,
    /// Where the address stands, if it is looked for in a header.
    #[serde(rename = "IPSetForwardedIPConfig", default, skip_serializing_if = "Option::is_none")]
    pub forwarded_ip_config: Option<IpSetForwardedIpConfig>,
}

/// Which address of which header is looked for in an IP set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct IpSetForwardedIpConfig {
    /// In lower case.
    pub header_name: String,
    /// For a request whose header holds no address.
    pub fallback_behavior: FallbackBehavior,
    /// Which of the addresses.
    pub position: ForwardedIpPosition,
}

/// Which of the addresses in a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum ForwardedIpPosition {
    /// The first, which is the one that a rate-based statement counts by.
    First,
}

impl ForwardedIpPosition {
    /// Its name in the API.
    #[must_use]
    pub const fn api_name(self) -> &'static str {
        match self {
            Self::First => "FIRST",
        }
    }
}

/// Which part of the request is looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FieldToMatch {
    /// The path as the client sent it, without the query.
    UriPath {},
    /// The method.
    Method {},
    /// The query string.
    QueryString {},
    /// One header.
    #[serde(rename_all = "PascalCase")]
    SingleHeader {
        /// Its name, in lower case.
        name: String,
    },
}

/// One transformation; they run by priority, lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct TextTransformation {
    /// Its place.
    pub priority: u32,
    /// Which one.
    #[serde(rename = "Type", serialize_with = "write_kind", deserialize_with = "read_kind")]
    pub kind: Transformation,
}

impl TextTransformation {
    /// Numbers transformations 0, 1, 2 in the order in which they run.
    #[must_use]
    pub fn list(kinds: &[Transformation]) -> Vec<Self> {
        (0..).zip(kinds).map(|(priority, &kind)| Self { priority, kind }).collect()
    }
}

// Serde hands a field by reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn write_kind<S: Serializer>(kind: &Transformation, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(kind.api_name())
}

fn read_kind<'de, D: Deserializer<'de>>(from: D) -> Result<Transformation, D::Error> {
    let name = String::deserialize(from)?;
    [
        Transformation::None,
        Transformation::Lowercase,
        Transformation::UrlDecode,
        Transformation::NormalizePath,
    ]
    .into_iter()
    .find(|kind| kind.api_name() == name)
    .ok_or_else(|| de::Error::custom(format!("unknown text transformation `{name}`")))
}

/// The bytes of a string match: a blob in the API, so base64 on the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchString {
    /// These.
    Bytes(Vec<u8>),
    /// A secret of this name, which no file of ours may hold. Until the API gets it, it is called by
    /// its name: `secret:acl-origin`, which is no base64.
    Secret(String),
}

const SECRET: &str = "secret:";

impl SearchString {
    /// The bytes; none for a secret.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::Secret(_) => &[],
        }
    }
}

impl Serialize for SearchString {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Bytes(bytes) => to.serialize_str(&STANDARD.encode(bytes)),
            Self::Secret(name) => to.serialize_str(&format!("{SECRET}{name}")),
        }
    }
}

impl<'de> Deserialize<'de> for SearchString {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        match text.strip_prefix(SECRET) {
            Some(name) => Ok(Self::Secret(name.to_owned())),
            None => STANDARD.decode(text).map(Self::Bytes).map_err(de::Error::custom),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_have_the_spelling_of_the_api() {
        let statement = Statement::RateBased(RateBasedStatement {
            limit: 300,
            evaluation_window_sec: 300,
            aggregate_key_type: AggregateKeyType::Ip,
            custom_keys: Vec::new(),
            forwarded_ip_config: None,
            scope_down_statement: Some(Box::new(Statement::And(AndStatement {
                statements: vec![
                    Statement::ByteMatch(ByteMatchStatement {
                        search_string: SearchString::Bytes(b"/oauth/token".to_vec()),
                        field_to_match: FieldToMatch::UriPath {},
                        text_transformations: TextTransformation::list(&[
                            Transformation::UrlDecode,
                            Transformation::Lowercase,
                        ]),
                        positional_constraint: PositionalConstraint::StartsWith,
                    }),
                    Statement::Not(NotStatement {
                        statement: Box::new(Statement::IpSetReference(IpSetReferenceStatement {
                            arn: Arn::of_ip_set("qa"),
                            forwarded_ip_config: None,
                        })),
                    }),
                    Statement::RegexMatch(RegexMatchStatement {
                        regex_string: "^a".to_owned(),
                        field_to_match: FieldToMatch::SingleHeader { name: "host".to_owned() },
                        text_transformations: TextTransformation::list(&[Transformation::None]),
                    }),
                ],
            }))),
        });
        let wanted = serde_json::json!({"RateBasedStatement": {
        "Limit": 300, "EvaluationWindowSec": 300, "AggregateKeyType": "IP",
        "ScopeDownStatement": {"AndStatement": {"Statements": [
            {"ByteMatchStatement": {
                "SearchString": "L29hdXRoL3Rva2Vu", "FieldToMatch": {"UriPath": {}},
                "TextTransformations": [
                    {"Priority": 0, "Type": "URL_DECODE"}, {"Priority": 1, "Type": "LOWERCASE"}],
                "PositionalConstraint": "STARTS_WITH"}},
            {"NotStatement": {"Statement": {"IPSetReferenceStatement": {"ARN": "ip-set:qa"}}}},
            {"RegexMatchStatement": {
                "RegexString": "^a", "FieldToMatch": {"SingleHeader": {"Name": "host"}},
                "TextTransformations": [{"Priority": 0, "Type": "NONE"}]}},
        ]}}}});
        assert_eq!(serde_json::to_value(&statement).unwrap(), wanted);
        assert_eq!(serde_json::from_value::<Statement>(wanted).unwrap(), statement);
    }
}
