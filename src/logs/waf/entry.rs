//! The shape of a WAF log record, as far as it matters (AWS WAF Developer Guide, "Log fields for
//! protection pack (web ACL) traffic"). Order and presence of keys vary; unknown ones are passed over.

use serde::Deserialize;

use crate::logs::json::Text;

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
