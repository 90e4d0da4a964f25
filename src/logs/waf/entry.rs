//! The shape of a WAF log record, as far as it matters (AWS WAF Developer Guide, "Log fields for
//! protection pack (web ACL) traffic"). Order and presence of keys vary; unknown ones are passed over.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};

/// A text, borrowed where it has no escapes. A number will do where AWS's own examples differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::logs) struct Text<'a>(pub(in crate::logs) Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;

        impl<'de> Visitor<'de> for Any {
            type Value = Text<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a text or a number")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }

            fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
                Ok(Text(Cow::Owned(number.to_string())))
            }

            fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
                Ok(Text(Cow::Owned(number.to_string())))
            }

            fn visit_f64<E: de::Error>(self, number: f64) -> Result<Self::Value, E> {
                Ok(Text(Cow::Owned(format!("{number:.3}"))))
            }
        }

        deserializer.deserialize_any(Any)
    }
}

/// One record.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Entry<'a> {
    #[serde(borrow)]
    pub(super) timestamp: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) action: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) terminating_rule_id: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) terminating_rule_type: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) http_source_name: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) http_request: Option<HttpRequest<'a>>,
    #[serde(borrow)]
    pub(super) rule_group_list: Option<Vec<RuleGroup<'a>>>,
    #[serde(borrow)]
    pub(super) rate_based_rule_list: Option<Vec<RateBasedRule<'a>>>,
    #[serde(borrow)]
    pub(super) non_terminating_matching_rules: Option<Vec<Rule<'a>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct HttpRequest<'a> {
    #[serde(borrow)]
    pub(super) client_ip: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) headers: Option<Vec<Header<'a>>>,
    #[serde(borrow)]
    pub(super) uri: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) http_method: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) request_id: Option<Text<'a>>,
    /// Newer records have the host here, too.
    #[serde(borrow)]
    pub(super) host: Option<Text<'a>>,
}

/// The name keeps the client's case; one of AWS's examples has no value.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Header<'a> {
    #[serde(borrow)]
    pub(super) name: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) value: Option<Text<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct RuleGroup<'a> {
    #[serde(borrow)]
    pub(super) terminating_rule: Option<Rule<'a>>,
    #[serde(borrow)]
    pub(super) non_terminating_matching_rules: Option<Vec<Rule<'a>>>,
    #[serde(borrow)]
    pub(super) excluded_rules: Option<Vec<Rule<'a>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Rule<'a> {
    #[serde(borrow)]
    pub(super) rule_id: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) action: Option<Text<'a>>,
    /// In place of an action where a rule of a group is overridden (older records).
    #[serde(borrow)]
    pub(super) exclusion_type: Option<Text<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct RateBasedRule<'a> {
    #[serde(borrow)]
    pub(super) rate_based_rule_name: Option<Text<'a>>,
    #[serde(borrow)]
    pub(super) limit_key: Option<Text<'a>>,
}

/// The text of an optional value; nothing for none.
pub(super) fn text<'a>(value: &'a Option<Text<'_>>) -> &'a str {
    value.as_ref().map_or("", |text| &*text.0)
}
