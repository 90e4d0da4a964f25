//! Aggregation keys: whose requests are counted together.

use std::fmt;

/// What a rate rule counts by. Every distinct value has a count of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum AggregationKey {
    /// The client's address as AWS sees it.
    #[default]
    Ip,
    /// The first address in a header that a proxy in front writes.
    ForwardedIp(ForwardedIp),
    /// One to five parts of the request; a request without one of them is not counted at all.
    Custom {
        /// In the order of the policy; not the address alone.
        parts: Vec<KeyPart>,
        /// Where the address stands if one of the parts is [`KeyPart::ForwardedIp`].
        forwarded: Option<ForwardedIp>,
    },
}

/// Which header holds the client's address, and what counts where it cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ForwardedIp {
    /// In lower case.
    pub header: String,
    /// What happens to a request whose header holds no address. One without the header is never
    /// counted, whatever this says (`WAFv2` API, `ForwardedIPConfig`).
    pub fallback: Fallback,
}

/// What a request counts as whose key cannot be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Fallback {
    /// All such requests are one client.
    #[default]
    Match,
    /// Such requests are not counted.
    NoMatch,
}

/// A part of a custom key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum KeyPart {
    /// The client's address.
    Ip,
    /// The address in a header.
    ForwardedIp,
    /// The HTTP method.
    Method,
    /// A header, by its name in lower case.
    Header(String),
    /// A cookie.
    Cookie(String),
    /// A query argument, by its name in lower case.
    QueryArgument(String),
    /// The whole query string.
    QueryString,
    /// The path: every path has a count of its own.
    Path,
    /// The TLS fingerprint JA3.
    Ja3,
    /// The TLS fingerprint JA4.
    Ja4,
    /// The number of the network operator.
    Asn,
    /// The labels of a namespace, which earlier rules set.
    LabelNamespace(String),
}

impl KeyPart {
    /// Whether a client can leave it out, or make it up anew for each request.
    #[must_use]
    pub const fn is_client_made(&self) -> bool {
        matches!(
            self,
            Self::Header(_) | Self::Cookie(_) | Self::QueryArgument(_) | Self::QueryString
        )
    }
}

impl AggregationKey {
    /// Its parts, an address key being one of one part.
    #[must_use]
    pub fn parts(&self) -> Vec<KeyPart> {
        match self {
            Self::Ip => vec![KeyPart::Ip],
            Self::ForwardedIp(_) => vec![KeyPart::ForwardedIp],
            Self::Custom { parts, .. } => parts.clone(),
        }
    }

    /// Where the address stands, if the key looks at a header for it.
    #[must_use]
    pub const fn forwarded(&self) -> Option<&ForwardedIp> {
        match self {
            Self::Ip => None,
            Self::ForwardedIp(forwarded) => Some(forwarded),
            Self::Custom { forwarded, .. } => forwarded.as_ref(),
        }
    }
}

/// As in a sentence: `header x-api-key and address`.
impl fmt::Display for AggregationKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, part) in self.parts().iter().enumerate() {
            if place > 0 {
                f.write_str(" and ")?;
            }
            part.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for KeyPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ip => f.write_str("address"),
            Self::ForwardedIp => f.write_str("forwarded address"),
            Self::Method => f.write_str("method"),
            Self::Header(name) => write!(f, "header {name}"),
            Self::Cookie(name) => write!(f, "cookie {name}"),
            Self::QueryArgument(name) => write!(f, "query argument {name}"),
            Self::QueryString => f.write_str("query string"),
            Self::Path => f.write_str("path"),
            Self::Ja3 => f.write_str("JA3 fingerprint"),
            Self::Ja4 => f.write_str("JA4 fingerprint"),
            Self::Asn => f.write_str("network operator (ASN)"),
            Self::LabelNamespace(name) => write!(f, "labels of {name}"),
        }
    }
}
