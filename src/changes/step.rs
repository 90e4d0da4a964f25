//! What is done, one write each.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::fields::Field;

/// One write.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "kebab-case")]
pub enum Step {
    /// `CreateIPSet`.
    CreateIpSet {
        /// Its name.
        name: String,
        /// `IPV4` or `IPV6`.
        version: String,
        /// All of them.
        addresses: Vec<String>,
    },
    /// `UpdateIPSet`.
    UpdateIpSet {
        /// Its name.
        name: String,
        /// New ones.
        added: Vec<String>,
        /// Those that go.
        removed: Vec<String>,
        /// All that it holds then.
        addresses: Vec<String>,
    },
    /// `CreateWebACL`, without rules.
    CreateWebAcl {
        /// As the API takes it.
        acl: Json,
    },
    /// `UpdateWebACL`.
    UpdateWebAcl {
        /// Ours.
        rules: Vec<RuleChange>,
        /// Bodies of answers, ours: null for one that goes.
        bodies: BTreeMap<String, Json>,
    },
    /// `TagResource`, of the web ACL or of a set: what was written, so that edits by hand are seen.
    Remember {
        /// The set; `None`: the web ACL.
        set: Option<String>,
        /// What of which rule; of a set, one entry with its own name. The moment is that of the write.
        digests: BTreeMap<String, Remembered>,
    },
    /// `UntagResource`, of the web ACL.
    Forget {
        /// Rules that are gone.
        rules: Vec<String>,
    },
    /// `PutMetricAlarm`.
    PutAlarm {
        /// Its name.
        name: String,
        /// What changes; empty if it is new.
        fields: Vec<Field>,
        /// As the API takes it.
        alarm: Json,
    },
    /// `DeleteAlarms`.
    DeleteAlarm {
        /// Its name.
        name: String,
    },
    /// `DeleteIPSet`.
    DeleteIpSet {
        /// Its name.
        name: String,
    },
    /// `AssociateDistributionWebACL`.
    Associate {
        /// The distribution's id.
        distribution: String,
    },
}

/// What is remembered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remembered {
    /// Of the meaning.
    pub digest: String,
    /// What the rule does; `None` for a set.
    pub mode: Option<super::Mode>,
    /// Since when, in seconds since 1970; `None`: since the write.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<i64>,
}

/// What happens to a rule of ours.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RuleChange {
    /// Its name.
    pub name: String,
    /// What happens.
    pub change: Change,
    /// What WAF has counted of its clients.
    pub counters: Counters,
    /// What changes; empty unless it is changed.
    pub fields: Vec<Field>,
    /// The rule as it is to be, IP sets by name; null if it goes.
    pub rule: Json,
    /// Somebody had edited it by hand, and `--take-over` puts it back.
    pub taken_over: bool,
}

/// What happens to something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// It is new.
    Added,
    /// Another action and nothing else.
    Action,
    /// It becomes another one.
    Changed,
    /// It goes.
    Removed,
}

/// What becomes of the counters of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Counters {
    /// They begin with the rule.
    New,
    /// They begin anew, and for up to a minute nobody is limited (guide, "…-rate-based-caveats").
    Reset,
    /// They stay.
    Survive,
    /// They end.
    Gone,
}

impl Step {
    /// The call, as in IAM.
    #[must_use]
    pub const fn action(&self) -> &'static str {
        match self {
            Self::CreateIpSet { .. } => "wafv2:CreateIPSet",
            Self::UpdateIpSet { .. } => "wafv2:UpdateIPSet",
            Self::CreateWebAcl { .. } => "wafv2:CreateWebACL",
            Self::UpdateWebAcl { .. } => "wafv2:UpdateWebACL",
            Self::Remember { .. } => "wafv2:TagResource",
            Self::Forget { .. } => "wafv2:UntagResource",
            Self::PutAlarm { .. } => "cloudwatch:PutMetricAlarm",
            Self::DeleteAlarm { .. } => "cloudwatch:DeleteAlarms",
            Self::DeleteIpSet { .. } => "wafv2:DeleteIPSet",
            Self::Associate { .. } => "cloudfront:AssociateDistributionWebACL",
        }
    }
}
