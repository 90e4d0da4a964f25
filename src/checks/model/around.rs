//! What stands around web ACLs.

use std::collections::BTreeMap;

use serde_json::Value;

use super::acl::Rule;
use super::item::Item;
use crate::checks::finding::Place;
use crate::wafv2::Scope;

/// Any resource.
#[derive(Clone, Debug)]
pub struct Resource {
    /// What it is called.
    pub item: Item,
    /// CloudFormation's name of its kind.
    pub kind: String,
    /// Its members as CloudFormation spells them; those of a kind that this program does not know are
    /// spelled by their words.
    pub values: Value,
    /// What they were.
    pub before: Option<Value>,
}

/// An IP set.
#[derive(Clone, Debug)]
pub struct IpSet {
    /// What it is called.
    pub item: Item,
    /// Its name.
    pub name: Option<String>,
    /// Where it lives.
    pub scope: Option<Scope>,
    /// `IPV4` or `IPV6`.
    pub version: Option<String>,
    /// As they are written; `None`: not known yet.
    pub addresses: Option<Vec<String>>,
    /// As the API spells it.
    pub raw: Value,
    /// What it was.
    pub before: Option<Value>,
}

/// A metric alarm.
#[derive(Clone, Debug)]
pub struct Alarm {
    /// What it is called.
    pub item: Item,
    /// Its name.
    pub name: Option<String>,
    /// Such as `AWS/WAFV2`.
    pub namespace: Option<String>,
    /// Such as `BlockedRequests`.
    pub metric: Option<String>,
    /// By name: texts, or markers.
    pub dimensions: BTreeMap<String, Value>,
    /// The threshold.
    pub threshold: Option<f64>,
    /// What it tells: ARNs, or markers.
    pub actions: Vec<Value>,
    /// Whether it tells anything.
    pub has_actions_enabled: bool,
    /// As CloudFormation spells it (`Period`, `EvaluationPeriods`, `DatapointsToAlarm`, `TreatMissingData`, `Statistic`,
    /// `ComparisonOperator`, `Metrics` and so on).
    pub raw: Value,
}

/// Who may do what with topics.
#[derive(Clone, Debug)]
pub struct TopicPolicy {
    /// What it is called.
    pub item: Item,
    /// The topics: ARNs, or markers.
    pub topics: Vec<Value>,
    /// The policy document; null or a marker if it is not known yet.
    pub document: Value,
}

/// The logging of a web ACL.
#[derive(Clone, Debug)]
pub struct Logging {
    /// What it is called.
    pub item: Item,
    /// The web ACL: an ARN, or a marker.
    pub web_acl: Value,
    /// Where the records go: ARNs, or markers.
    pub destinations: Vec<Value>,
    /// `LoggingFilter`: `Filters` and `DefaultBehavior`; null if there is none.
    pub filter: Value,
    /// `RedactedFields`.
    pub redacted: Vec<Value>,
}

/// A regional resource and its web ACL.
#[derive(Clone, Debug)]
pub struct Association {
    /// What it is called.
    pub item: Item,
    /// The web ACL: an ARN, or a marker.
    pub web_acl: Value,
    /// What it protects: an ARN, or a marker.
    pub resource: Value,
}

/// A CloudFront distribution.
#[derive(Clone, Debug)]
pub struct Distribution {
    /// What it is called.
    pub item: Item,
    /// Its web ACL: an ARN, a marker, or null.
    pub web_acl: Value,
    /// Its own names.
    pub aliases: Vec<String>,
    /// Where it gets its answers; empty if they are not known or sensitive.
    pub origins: Vec<Origin>,
    /// Whether the origins are hidden, because a header of one is a secret.
    pub hides_origins: bool,
    /// `DistributionConfig` as CloudFormation spells it.
    pub raw: Value,
}

/// An origin of a distribution.
#[derive(Clone, Debug)]
pub struct Origin {
    /// Its id.
    pub id: Option<String>,
    /// Its domain name: a text, or a marker.
    pub domain: Value,
    /// The names of the headers that CloudFront adds. Their values are never read.
    pub headers: Vec<String>,
    /// As CloudFormation spells it, without the values of headers.
    pub raw: Value,
}

/// Something that the deployment takes away.
#[derive(Clone, Debug)]
pub struct Removed {
    /// What it is called.
    pub item: Item,
    /// CloudFormation's name of its kind.
    pub kind: String,
    /// What it was.
    pub before: Value,
}

impl Removed {
    /// The rules that it held, if it was a web ACL or a rule group.
    #[must_use]
    pub fn rules(&self) -> Vec<Rule> {
        let rules = self.before["Rules"].as_array().into_iter().flatten();
        rules.map(|rule| Rule::was(&self.item, rule)).collect()
    }
}

impl Resource {
    /// Its ARN, if it is known.
    #[must_use]
    pub fn arn(&self) -> Option<&str> {
        let values = &self.values;
        values["ARN"].as_str().or_else(|| values["Arn"].as_str())
    }

    /// Where it stands.
    #[must_use]
    pub fn place(&self) -> Place {
        Place::of(&self.item)
    }
}

macro_rules! places {
    ($($kind:ty),*) => {
        $(impl $kind {
            /// Where it stands.
            #[must_use]
            pub fn place(&self) -> Place {
                Place::of(&self.item)
            }
        })*
    };
}

places!(IpSet, Alarm, TopicPolicy, Logging, Association, Distribution);
