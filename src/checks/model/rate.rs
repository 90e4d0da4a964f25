//! A rate-based statement as it is written, faults included.

use serde_json::Value;

use super::statement::Statement;
use crate::checks::marker;

/// A rate-based statement.
#[derive(Clone, Copy, Debug)]
pub struct Rate<'a> {
    /// The members of `RateBasedStatement`.
    pub raw: &'a Value,
}

/// A part of a custom key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyPart<'a> {
    /// `Header`, `Cookie`, `QueryArgument`, `IP`, `ForwardedIP`, `UriPath`, `JA4Fingerprint`, `ASN` and so on.
    pub kind: &'a str,
    /// The name of the header, cookie or argument; the label namespace.
    pub name: Option<&'a str>,
    /// Its members.
    pub raw: &'a Value,
}

/// A whole number; Terraform and CloudFormation also take it in quotes.
fn whole(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_str()?.parse().ok())
}

impl<'a> Rate<'a> {
    pub(super) fn of(rule: &'a Value) -> Option<Self> {
        let raw = &rule["Statement"]["RateBasedStatement"];
        (raw.is_object() && !marker::is_unknown(raw) && !marker::is_hidden(raw))
            .then_some(Self { raw })
    }

    /// Requests per window; `None` if unknown or absent.
    #[must_use]
    pub fn limit(self) -> Option<i64> {
        whole(&self.raw["Limit"])
    }

    /// Seconds; AWS's default of 300 if absent, `None` if unknown.
    #[must_use]
    pub fn window(self) -> Option<i64> {
        match &self.raw["EvaluationWindowSec"] {
            // The provider of version 5 writes 0 for a window that is left out.
            Value::Null => Some(300),
            value => whole(value).map(|seconds| if seconds == 0 { 300 } else { seconds }),
        }
    }

    /// `500 per 5 minutes`, for messages.
    #[must_use]
    pub fn in_words(self) -> String {
        let limit = match self.limit() {
            Some(limit) => crate::units::thousands(limit.unsigned_abs()),
            None => "an unknown number".to_owned(),
        };
        match self.window() {
            Some(60) => format!("{limit} per minute"),
            Some(seconds) if seconds % 60 == 0 => format!("{limit} per {} minutes", seconds / 60),
            Some(seconds) => format!("{limit} per {seconds} seconds"),
            None => format!("{limit} per unknown window"),
        }
    }

    /// `IP` (also if absent), `FORWARDED_IP`, `CUSTOM_KEYS` or `CONSTANT`; `None` if unknown.
    #[must_use]
    pub fn key_type(self) -> Option<&'a str> {
        match &self.raw["AggregateKeyType"] {
            Value::Null => Some("IP"),
            value => value.as_str(),
        }
    }

    /// The parts of a custom key.
    #[must_use]
    pub fn key_parts(self) -> Vec<KeyPart<'a>> {
        let parts = self.raw["CustomKeys"].as_array();
        let parts = parts.into_iter().flatten().filter_map(Value::as_object);
        parts
            .flatten()
            .map(|(kind, raw)| KeyPart {
                kind,
                name: raw["Name"].as_str().or_else(|| raw["Namespace"].as_str()),
                raw,
            })
            .collect()
    }

    /// The header that the forwarded address stands in.
    #[must_use]
    pub fn forwarded_header(self) -> Option<&'a str> {
        self.raw["ForwardedIPConfig"]["HeaderName"].as_str()
    }

    /// Which requests it counts; `None`: all, or nobody knows.
    #[must_use]
    pub fn scope_down(self) -> Option<Statement<'a>> {
        let inner = &self.raw["ScopeDownStatement"];
        (inner.is_object() && marker::is_known(inner)).then_some(Statement(inner))
    }

    /// Whether it has a scope-down, known or not.
    #[must_use]
    pub fn is_scoped(self) -> bool {
        !self.raw["ScopeDownStatement"].is_null()
    }
}
