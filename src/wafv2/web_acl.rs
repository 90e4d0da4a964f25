//! The web ACL and its rules, in the API's spelling.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::statement::Statement;

/// Where a web ACL or an IP set lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Scope {
    /// In front of CloudFront, in us-east-1.
    CloudFront,
    /// In front of regional resources.
    Regional,
}

impl Scope {
    /// Its name in the API.
    #[must_use]
    pub const fn api_name(self) -> &'static str {
        match self {
            Self::CloudFront => "CLOUDFRONT",
            Self::Regional => "REGIONAL",
        }
    }
}

/// An object without members, as the API writes an action that has nothing to say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Empty {}

/// A web ACL as `CreateWebACL` takes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct WebAcl {
    /// Its name; it cannot be changed later.
    pub name: String,
    /// Where it lives.
    pub scope: Scope,
    /// What happens to a request that no rule stops.
    pub default_action: DefaultAction,
    /// What it is, for people in the console.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// By priority.
    pub rules: Vec<Rule>,
    /// Its own metric; `WebACL` is a dimension of every rule's.
    pub visibility_config: VisibilityConfig,
    /// Bodies of custom responses, by key.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub custom_response_bodies: BTreeMap<String, CustomResponseBody>,
}

/// A rule group as `CreateRuleGroup` takes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct RuleGroup {
    /// Its name; it cannot be changed later.
    pub name: String,
    /// Where it lives.
    pub scope: Scope,
    /// Capacity units; they cannot be changed later, so there are more than the rules use now.
    pub capacity: u32,
    /// What it is, for people in the console.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// By priority.
    pub rules: Vec<Rule>,
    /// Its own metric; `RuleGroup` is a dimension of every rule's.
    pub visibility_config: VisibilityConfig,
    /// Bodies of custom responses, by key.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub custom_response_bodies: BTreeMap<String, CustomResponseBody>,
}

/// What happens to a request that no rule stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DefaultAction {
    /// It passes.
    Allow(Empty),
}

/// A rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Rule {
    /// Unique in the web ACL.
    pub name: String,
    /// Unique in the web ACL; lower goes first.
    pub priority: u32,
    /// Which requests it is about.
    pub statement: Statement,
    /// What it does.
    pub action: RuleAction,
    /// Its metric.
    pub visibility_config: VisibilityConfig,
}

/// What a rule does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RuleAction {
    /// Answers the request itself.
    Block(BlockAction),
    /// Counts it and lets it pass; it cannot carry a response.
    Count(Empty),
    /// A CAPTCHA.
    Captcha(Empty),
    /// A silent browser challenge.
    Challenge(Empty),
}

/// How a blocked request is answered: 403 without a body unless it says otherwise.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct BlockAction {
    /// The answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub custom_response: Option<CustomResponse>,
}

/// An answer of our own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct CustomResponse {
    /// One of [`crate::quotas::RESPONSE_CODES`].
    pub response_code: u16,
    /// One of [`WebAcl::custom_response_bodies`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub custom_response_body_key: Option<String>,
    /// Headers of the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub response_headers: Vec<CustomHttpHeader>,
}

/// A header of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct CustomHttpHeader {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// A body of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct CustomResponseBody {
    /// `APPLICATION_JSON`, `TEXT_HTML` or `TEXT_PLAIN`.
    pub content_type: String,
    /// The body.
    pub content: String,
}

/// The metric of a rule or a web ACL.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct VisibilityConfig {
    /// Whether samples of matching requests are kept (three hours).
    pub sampled_requests_enabled: bool,
    /// Whether there is a metric.
    pub cloud_watch_metrics_enabled: bool,
    /// Its name.
    pub metric_name: String,
}

impl VisibilityConfig {
    /// Samples and a metric of this name.
    #[must_use]
    pub fn new(metric_name: &str) -> Self {
        Self {
            sampled_requests_enabled: true,
            cloud_watch_metrics_enabled: true,
            metric_name: metric_name.to_owned(),
        }
    }
}
