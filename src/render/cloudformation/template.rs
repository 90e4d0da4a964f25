//! A template: resources by their logical ids.

use std::collections::BTreeSet;

use super::node::{Member, Node};

/// A template, ready to be printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// The comment at its top, a paragraph each; an empty one is an empty line.
    pub about: Vec<String>,
    /// Its description, for the console.
    pub description: String,
    /// Where it has to be deployed.
    pub region: String,
    /// Limits and windows that more than one place tells; else they stand where they are used.
    pub settings: Vec<Setting>,
    /// In the order in which they are read: what is named stands before what names it.
    pub resources: Vec<Resource>,
    /// What other templates need of it.
    pub outputs: Vec<Output>,
}

/// Limit and window of a rule whose answers tell them as well: they stand once, so that a changed limit is
/// a changed line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The rule's name as a logical id.
    pub id: String,
    /// Comments before it, a paragraph each.
    pub about: Vec<String>,
    /// Requests of one client per window.
    pub limit: u32,
    /// Seconds.
    pub window: u32,
}

impl Setting {
    /// The mapping that holds them.
    pub const MAPPING: &'static str = "RateLimits";
    /// The member with the limit.
    pub const LIMIT: &'static str = "Limit";
    /// The member with the window.
    pub const WINDOW: &'static str = "Window";

    /// Both numbers under their names.
    #[must_use]
    pub fn numbers(&self) -> [(&'static str, u32); 2] {
        [(Self::LIMIT, self.limit), (Self::WINDOW, self.window)]
    }
}

/// A resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// Its logical id: letters and digits.
    pub id: String,
    /// Its type.
    pub kind: Kind,
    /// Its properties.
    pub properties: Vec<Member>,
    /// Comments before it, a paragraph each.
    pub about: Vec<String>,
    /// Resources that have to be there before, but are not named by it.
    pub depends_on: Vec<String>,
    /// Whether it outlives its template.
    pub retain: bool,
}

impl Resource {
    pub(super) fn new(id: &str, kind: Kind, properties: Vec<Member>) -> Self {
        Self {
            id: id.to_owned(),
            kind,
            properties,
            about: Vec::new(),
            depends_on: Vec::new(),
            retain: false,
        }
    }

    pub(super) fn about(mut self, about: impl IntoIterator<Item = String>) -> Self {
        self.about.extend(about);
        self
    }
}

/// A value that other templates, or people, need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Its logical id.
    pub id: String,
    /// What it is for.
    pub description: String,
    /// The value.
    pub value: Node,
}

/// A type of resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kind {
    /// The service as CloudFormation spells it, such as `WAFv2`.
    pub service: &'static str,
    /// The resource, such as `WebACL`.
    pub resource: &'static str,
}

impl Kind {
    const fn new(service: &'static str, resource: &'static str) -> Self {
        Self { service, resource }
    }

    pub(super) const IP_SET: Self = Self::new("WAFv2", "IPSet");
    pub(super) const WEB_ACL: Self = Self::new("WAFv2", "WebACL");
    pub(super) const RULE_GROUP: Self = Self::new("WAFv2", "RuleGroup");
    pub(super) const ASSOCIATION: Self = Self::new("WAFv2", "WebACLAssociation");
    pub(super) const LOGGING: Self = Self::new("WAFv2", "LoggingConfiguration");
    pub(super) const LOG_GROUP: Self = Self::new("Logs", "LogGroup");
    pub(super) const ALARM: Self = Self::new("CloudWatch", "Alarm");
    pub(super) const DASHBOARD: Self = Self::new("CloudWatch", "Dashboard");
    pub(super) const TOPIC: Self = Self::new("SNS", "Topic");
    pub(super) const TOPIC_POLICY: Self = Self::new("SNS", "TopicPolicy");
    pub(super) const MANAGED_POLICY: Self = Self::new("IAM", "ManagedPolicy");
    pub(super) const SECRET: Self = Self::new("SecretsManager", "Secret");

    /// Its module in the CDK, such as `wafv2`.
    #[must_use]
    pub fn module(self) -> String {
        self.service.to_ascii_lowercase()
    }

    /// Such as `AWS::WAFv2::WebACL`.
    #[must_use]
    pub fn cloudformation(self) -> String {
        format!("AWS::{}::{}", self.service, self.resource)
    }
}

/// Makes logical ids out of names: each is given once.
#[derive(Debug, Default)]
pub(super) struct Ids {
    given: BTreeSet<String>,
}

impl Ids {
    /// `acl-qa-v4` and `IpSet` become `AclQaV4IpSet`; a number is added where that is taken.
    pub(super) fn of(&mut self, name: &str, what: &str) -> String {
        let mut id = String::with_capacity(name.len() + what.len());
        for word in name.split(|c: char| !c.is_ascii_alphanumeric()) {
            let mut characters = word.chars();
            id.extend(characters.next().map(|first| first.to_ascii_uppercase()));
            id.push_str(characters.as_str());
        }
        id.push_str(what);
        // An id begins with a letter where it is a variable.
        if !id.starts_with(|first: char| first.is_ascii_alphabetic()) {
            id.insert(0, 'N');
        }
        let mut unique = id.clone();
        let mut number = 1;
        while !self.given.insert(unique.clone()) {
            number += 1;
            unique = format!("{id}X{number}");
        }
        unique
    }
}
