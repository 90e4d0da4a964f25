//! What is live, as AWS told it.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::error::Refusal;
use super::json::{Members, elements};
use super::record::{Record, key_of};

/// What is live.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Live {
    /// The web ACL, if there is one of the name.
    pub acl: Option<LiveAcl>,
    /// Its tags.
    pub tags: BTreeMap<String, String>,
    /// The IP sets whose names begin like ours.
    pub ip_sets: BTreeMap<String, LiveIpSet>,
    /// The alarms whose names begin like ours, as `PutMetricAlarm` would take them.
    pub alarms: BTreeMap<String, Json>,
    /// The distribution, if one was named.
    pub distribution: Option<Distribution>,
}

/// A web ACL.
#[derive(Clone, Debug, PartialEq)]
pub struct LiveAcl {
    /// Its name.
    pub name: String,
    /// Its id.
    pub id: String,
    /// Its ARN.
    pub arn: String,
    /// Of this reading; a write with another one is refused.
    pub lock_token: String,
    /// All of it, as AWS sent it.
    pub members: Members,
    /// In the order of AWS.
    pub rules: Vec<LiveRule>,
}

/// A rule.
#[derive(Clone, Debug, PartialEq)]
pub struct LiveRule {
    /// Its name.
    pub name: String,
    /// As AWS sent it.
    pub text: String,
    /// The same, read.
    pub json: Json,
}

/// An IP set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LiveIpSet {
    /// Its id.
    pub id: String,
    /// Its ARN.
    pub arn: String,
    /// Of this reading.
    pub lock_token: String,
    /// `IPV4` or `IPV6`.
    pub version: String,
    /// For people; it has to go back with every write.
    pub description: Option<String>,
    /// As AWS sent them.
    pub addresses: Vec<String>,
    /// Its tags.
    pub tags: BTreeMap<String, String>,
}

/// A CloudFront distribution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distribution {
    /// Its id.
    pub id: String,
    /// Of this reading.
    pub etag: String,
    /// The ARN of its web ACL; empty if it has none.
    pub web_acl: String,
}

impl LiveAcl {
    /// Reads the answer of `GetWebACL`.
    ///
    /// # Errors
    /// When it is none.
    pub fn parse(answer: &str) -> Result<Self, Refusal> {
        let fail = |what: String| Refusal::NotReadable(what);
        let outer = Members::parse(answer).map_err(|error| fail(error.to_string()))?;
        let lock_token =
            outer.string("LockToken").ok_or_else(|| fail("no LockToken".to_owned()))?;
        let text = outer.get("WebACL").ok_or_else(|| fail("no WebACL".to_owned()))?;
        Self::of(text, lock_token)
    }

    /// A web ACL as it stands in such an answer, and in undo files.
    ///
    /// # Errors
    /// When it is none.
    pub fn of(text: &str, lock_token: String) -> Result<Self, Refusal> {
        let fail = |what: String| Refusal::NotReadable(what);
        let members = Members::parse(text).map_err(|error| fail(error.to_string()))?;
        let string = |name: &str| members.string(name).ok_or_else(|| fail(format!("no {name}")));
        let (name, id, arn) = (string("Name")?, string("Id")?, string("ARN")?);
        let mut rules = Vec::new();
        for text in elements(members.get("Rules").unwrap_or("[]"))
            .map_err(|error| fail(error.to_string()))?
        {
            let json: Json =
                serde_json::from_str(&text).map_err(|error| fail(error.to_string()))?;
            let name =
                json["Name"].as_str().ok_or_else(|| fail("a rule without a name".to_owned()))?;
            rules.push(LiveRule { name: name.to_owned(), text: text.clone(), json });
        }
        Ok(Self { name, id, arn, lock_token, rules, members })
    }

    /// A rule by its name.
    #[must_use]
    pub fn rule(&self, name: &str) -> Option<&LiveRule> {
        self.rules.iter().find(|rule| rule.name == name)
    }

    /// The bodies of answers, by key.
    #[must_use]
    pub fn bodies(&self) -> BTreeMap<String, String> {
        let all =
            self.members.get("CustomResponseBodies").and_then(|text| Members::parse(text).ok());
        let all = all.unwrap_or_default();
        all.iter().map(|(key, text)| (key.to_owned(), text.to_owned())).collect()
    }

    /// Whether AWS Firewall Manager owns it.
    #[must_use]
    pub fn is_managed(&self) -> bool {
        ["ManagedByFirewallManager", "RetrofittedByFirewallManager"]
            .iter()
            .any(|name| self.members.get(name) == Some("true"))
    }
}

impl LiveRule {
    /// Whether it can be one of ours: rate-based.
    #[must_use]
    pub fn is_rate_based(&self) -> bool {
        self.json.pointer("/Statement/RateBasedStatement").is_some()
    }

    /// Made by Shield Advanced (`ShieldMitigationRuleGroup_ACCOUNT_…`): it comes and goes by itself.
    #[must_use]
    pub fn is_of_shield(&self) -> bool {
        self.name.starts_with("ShieldMitigationRuleGroup_")
    }
}

impl Live {
    /// What is remembered of a rule, if it was this owner who wrote it.
    #[must_use]
    pub fn record(&self, owner: &str, rule: &str) -> Option<Record> {
        let record = Record::parse(self.tags.get(&key_of(rule))?)?;
        (record.owner == owner).then_some(record)
    }

    /// The names of sets by their ARNs.
    #[must_use]
    pub fn set_names(&self) -> BTreeMap<String, String> {
        self.ip_sets.iter().map(|(name, set)| (set.arn.clone(), name.clone())).collect()
    }

    /// A fingerprint of all that was read.
    #[must_use]
    pub fn digest(&self) -> String {
        let mut all = String::new();
        if let Some(acl) = &self.acl {
            all.push_str(&acl.members.text());
        }
        for (name, set) in &self.ip_sets {
            all.push_str(&format!("\n{name} {} {:?}", set.arn, set.addresses));
        }
        for alarm in self.alarms.values() {
            all.push_str(&format!("\n{alarm}"));
        }
        format!("{:032x}", xxhash_rust::xxh3::xxh3_128(all.as_bytes()))
    }
}
