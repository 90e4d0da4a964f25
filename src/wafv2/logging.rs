//! The logging of a web ACL, in the API's spelling.

use serde::{Deserialize, Serialize};

use super::statement::FieldToMatch;
use crate::rules::{LoggedRequests, RedactedPart};

/// Which requests are kept in the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct LoggingFilter {
    /// In order; the first that fits decides.
    pub filters: Vec<Filter>,
    /// What happens to the others.
    pub default_behavior: FilterBehavior,
}

/// One filter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Filter {
    /// What happens to a request that fits.
    pub behavior: FilterBehavior,
    /// Whether all conditions have to fit, or one.
    pub requirement: FilterRequirement,
    /// The conditions.
    pub conditions: Vec<Condition>,
}

/// Whether a record is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum FilterBehavior {
    /// It is.
    Keep,
    /// It is not.
    Drop,
}

impl FilterBehavior {
    /// Its name in the API.
    #[must_use]
    pub const fn api_name(self) -> &'static str {
        match self {
            Self::Keep => "KEEP",
            Self::Drop => "DROP",
        }
    }
}

/// How conditions go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FilterRequirement {
    /// One is enough.
    MeetsAny,
}

impl FilterRequirement {
    /// Its name in the API.
    #[must_use]
    pub const fn api_name(self) -> &'static str {
        match self {
            Self::MeetsAny => "MEETS_ANY",
        }
    }
}

/// A condition: what a rule did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Condition {
    /// The action.
    pub action_condition: ActionCondition,
}

/// What a rule did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct ActionCondition {
    /// The action.
    pub action: LoggedAction,
}

/// An action in a log record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum LoggedAction {
    /// Answered by a rule.
    Block,
    /// Counted by a rule.
    Count,
    /// Given a CAPTCHA.
    Captcha,
    /// Challenged.
    Challenge,
}

impl LoggedAction {
    /// All that a rate rule can do.
    pub const ALL: [Self; 4] = [Self::Block, Self::Count, Self::Captcha, Self::Challenge];

    /// Its name in the API.
    #[must_use]
    pub const fn api_name(self) -> &'static str {
        match self {
            Self::Block => "BLOCK",
            Self::Count => "COUNT",
            Self::Captcha => "CAPTCHA",
            Self::Challenge => "CHALLENGE",
        }
    }
}

impl LoggingFilter {
    /// The filter for what a policy keeps; `None`: everything is kept, and there is none.
    #[must_use]
    pub fn of(keep: LoggedRequests) -> Option<Self> {
        match keep {
            LoggedRequests::All => None,
            LoggedRequests::Limited => Some(Self {
                filters: vec![Filter {
                    behavior: FilterBehavior::Keep,
                    requirement: FilterRequirement::MeetsAny,
                    conditions: LoggedAction::ALL
                        .map(|action| Condition { action_condition: ActionCondition { action } })
                        .into(),
                }],
                default_behavior: FilterBehavior::Drop,
            }),
        }
    }
}

/// A part of the request that is left out of records.
#[must_use]
pub fn redacted_field(part: &RedactedPart) -> FieldToMatch {
    match part {
        RedactedPart::Method => FieldToMatch::Method {},
        RedactedPart::Path => FieldToMatch::UriPath {},
        RedactedPart::QueryString => FieldToMatch::QueryString {},
        RedactedPart::Header(name) => FieldToMatch::SingleHeader { name: name.clone() },
    }
}
