//! Aggregation keys, in the API's spelling.

use serde::{Deserialize, Serialize};

use super::statement::TextTransformation;
use crate::rules::{AggregationKey, Fallback, ForwardedIp, KeyPart, Transformation};

/// What an aggregation instance is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum AggregateKeyType {
    /// The client's address.
    Ip,
    /// The first address in a header.
    ForwardedIp,
    /// A tuple of parts of the request.
    CustomKeys,
}

impl AggregateKeyType {
    /// Its name in the API.
    #[must_use]
    pub const fn api_name(self) -> &'static str {
        match self {
            Self::Ip => "IP",
            Self::ForwardedIp => "FORWARDED_IP",
            Self::CustomKeys => "CUSTOM_KEYS",
        }
    }
}

/// Which header holds the client's address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct ForwardedIpConfig {
    /// In lower case.
    pub header_name: String,
    /// For a request whose header holds no address.
    pub fallback_behavior: FallbackBehavior,
}

/// What counts where something cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FallbackBehavior {
    /// It matches: all such requests are one instance.
    Match,
    /// It does not match.
    NoMatch,
}

impl FallbackBehavior {
    /// Its name in the API.
    #[must_use]
    pub const fn api_name(self) -> &'static str {
        match self {
            Self::Match => "MATCH",
            Self::NoMatch => "NO_MATCH",
        }
    }
}

/// A part of a custom key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CustomKey {
    /// The client's address.
    #[serde(rename = "IP")]
    Ip {},
    /// The address in the header of [`ForwardedIpConfig`].
    #[serde(rename = "ForwardedIP")]
    ForwardedIp {},
    /// The method.
    #[serde(rename = "HTTPMethod")]
    HttpMethod {},
    /// A header.
    Header(NamedKey),
    /// A cookie.
    Cookie(NamedKey),
    /// A query argument.
    QueryArgument(NamedKey),
    /// The query string.
    #[serde(rename_all = "PascalCase")]
    QueryString {
        /// What is done to it first.
        text_transformations: Vec<TextTransformation>,
    },
    /// The path.
    #[serde(rename_all = "PascalCase")]
    UriPath {
        /// What is done to it first.
        text_transformations: Vec<TextTransformation>,
    },
    /// A TLS fingerprint.
    #[serde(rename = "JA3Fingerprint", rename_all = "PascalCase")]
    Ja3Fingerprint {
        /// For a request that has none.
        fallback_behavior: FallbackBehavior,
    },
    /// A TLS fingerprint.
    #[serde(rename = "JA4Fingerprint", rename_all = "PascalCase")]
    Ja4Fingerprint {
        /// For a request that has none.
        fallback_behavior: FallbackBehavior,
    },
    /// The number of the network operator.
    #[serde(rename = "ASN")]
    Asn {},
    /// The labels of a namespace.
    #[serde(rename_all = "PascalCase")]
    LabelNamespace {
        /// It ends with a colon.
        namespace: String,
    },
}

/// A part of a request that has a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct NamedKey {
    /// Its name, at most 64 characters.
    pub name: String,
    /// What is done to it first.
    pub text_transformations: Vec<TextTransformation>,
}

impl NamedKey {
    fn new(name: &str) -> Self {
        let text_transformations = TextTransformation::list(&[Transformation::None]);
        Self { name: name.to_owned(), text_transformations }
    }
}

/// A key of the rules as the API has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Aggregation {
    pub kind: AggregateKeyType,
    pub forwarded: Option<ForwardedIpConfig>,
    pub custom_keys: Vec<CustomKey>,
}

impl Aggregation {
    pub(super) fn of(key: &AggregationKey, path: &[Transformation]) -> Self {
        let (kind, custom_keys) = match key {
            AggregationKey::Ip => (AggregateKeyType::Ip, Vec::new()),
            AggregationKey::ForwardedIp(_) => (AggregateKeyType::ForwardedIp, Vec::new()),
            AggregationKey::Custom { parts, .. } => {
                let keys = parts.iter().map(|part| custom(part, path)).collect();
                (AggregateKeyType::CustomKeys, keys)
            }
        };
        Self { kind, forwarded: key.forwarded().map(forwarded), custom_keys }
    }
}

pub(super) fn forwarded(forwarded: &ForwardedIp) -> ForwardedIpConfig {
    ForwardedIpConfig {
        header_name: forwarded.header.clone(),
        fallback_behavior: match forwarded.fallback {
            Fallback::Match => FallbackBehavior::Match,
            Fallback::NoMatch => FallbackBehavior::NoMatch,
        },
    }
}

/// `path`: the transformations of the route's own path, so that the spellings of one path share a
/// count as they share the rule.
fn custom(part: &KeyPart, path: &[Transformation]) -> CustomKey {
    // A request without a fingerprint is no TLS that WAF could read: it is counted with its like.
    let fallback_behavior = FallbackBehavior::Match;
    match part {
        KeyPart::Ip => CustomKey::Ip {},
        KeyPart::ForwardedIp => CustomKey::ForwardedIp {},
        KeyPart::Method => CustomKey::HttpMethod {},
        KeyPart::Header(name) => CustomKey::Header(NamedKey::new(name)),
        KeyPart::Cookie(name) => CustomKey::Cookie(NamedKey::new(name)),
        KeyPart::QueryArgument(name) => CustomKey::QueryArgument(NamedKey::new(name)),
        KeyPart::QueryString => CustomKey::QueryString {
            text_transformations: TextTransformation::list(&[Transformation::None]),
        },
        KeyPart::Path => {
            CustomKey::UriPath { text_transformations: TextTransformation::list(path) }
        }
        KeyPart::Ja3 => CustomKey::Ja3Fingerprint { fallback_behavior },
        KeyPart::Ja4 => CustomKey::Ja4Fingerprint { fallback_behavior },
        KeyPart::Asn => CustomKey::Asn {},
        KeyPart::LabelNamespace(namespace) => {
            CustomKey::LabelNamespace { namespace: namespace.clone() }
        }
    }
}
