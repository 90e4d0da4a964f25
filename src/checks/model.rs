//! What is about to be deployed, whatever it was written in.

mod acl;
mod around;
mod build;
mod item;
mod rate;
mod request;
mod statement;

use crate::checks::marker;
use serde_json::Value;

pub use acl::{Acl, AclKind, Rule, RuleEffect};
pub use around::{
    Alarm, Association, Distribution, IpSet, Logging, Origin, Removed, Resource, TopicPolicy,
};
pub use build::build;
pub use item::{Change, Found, Item, Tool};
pub use rate::{KeyPart, Rate};
pub use request::{Sample, sample};
pub use statement::Statement;
pub(in crate::checks) use statement::all;

/// How `emit --format api-json` writes ARNs that there are not yet, and what they are of.
const STAND_INS: [(&str, &str); 3] =
    [("ip-set:", "ipset"), ("web-acl:", "webacl"), ("rule-group:", "rulegroup")];

/// Everything that was read, in the order of the inputs.
#[derive(Clone, Debug, Default)]
pub struct Deployment {
    /// Web ACLs and rule groups.
    pub acls: Vec<Acl>,
    /// IP sets.
    pub ip_sets: Vec<IpSet>,
    /// Metric alarms.
    pub alarms: Vec<Alarm>,
    /// Who may publish to which topic.
    pub topic_policies: Vec<TopicPolicy>,
    /// Logging of web ACLs.
    pub loggings: Vec<Logging>,
    /// Regional resources and their web ACL.
    pub associations: Vec<Association>,
    /// CloudFront distributions.
    pub distributions: Vec<Distribution>,
    /// Everything that was read, also what the lists above show in a better shape, by CloudFormation's
    /// name of its kind (`AWS::ApiGateway::RestApi`) and with CloudFormation's members.
    pub resources: Vec<Resource>,
    /// What the deployment takes away.
    pub removed: Vec<Removed>,
    /// What was named to be looked at: an item each, whose address is its name.
    pub inputs: Vec<Item>,
    /// What could not be read or resolved, in one sentence each: checks are blind there.
    pub blind: Vec<(Item, String)>,
    /// Inputs, and kinds of resources that could not be read of them: that there is none says nothing.
    pub unread: Vec<(String, String)>,
}

impl Deployment {
    /// All rate-based rules: the ACL or group, the rule, and the statement in it.
    pub fn rates(&self) -> impl Iterator<Item = (&Acl, &Rule, Rate<'_>)> {
        self.acls.iter().flat_map(|acl| {
            acl.rules.iter().filter_map(move |rule| Some((acl, rule, rule.rate()?)))
        })
    }

    /// Resources of a kind, such as `AWS::ApiGateway::RestApi`.
    pub fn of_kind<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Resource> {
        self.resources.iter().filter(move |resource| resource.kind == kind)
    }

    /// Whether the input of an item would show a resource of a kind if there were one.
    #[must_use]
    pub fn would_show(&self, kind: &str, from: &Item) -> bool {
        from.tool != Tool::Api
            && !self.unread.iter().any(|(input, unread)| *input == from.input && unread == kind)
    }

    /// The resource at an address.
    #[must_use]
    pub fn resource(&self, address: &str) -> Option<&Resource> {
        self.resources.iter().find(|resource| resource.item.address == address)
    }

    /// The IP set that a statement refers to by `ARN`: through a reference, an ARN that is known, or the
    /// name inside an ARN. `None`: it is not part of this deployment.
    #[must_use]
    pub fn ip_set(&self, arn: &Value, from: &Item) -> Option<&IpSet> {
        self.ip_sets
            .iter()
            .find(|set| self.is_meant(arn, from, &set.item, set.name.as_deref(), "ipset"))
    }

    /// The rule group that a statement refers to by `ARN`.
    #[must_use]
    pub fn rule_group(&self, arn: &Value, from: &Item) -> Option<&Acl> {
        let groups = self.acls.iter().filter(|acl| acl.kind == AclKind::RuleGroup);
        groups
            .into_iter()
            .find(|acl| self.is_meant(arn, from, &acl.item, acl.name.as_deref(), "rulegroup"))
    }

    /// Rules that refer to a rule group of this deployment: the web ACL, the rule, its reference, the group.
    pub fn group_references(&self) -> impl Iterator<Item = (&Acl, &Rule, &Value, &Acl)> {
        let rules = self.acls.iter().flat_map(|acl| acl.rules.iter().map(move |rule| (acl, rule)));
        rules.filter_map(|(acl, rule)| {
            let reference = rule.statement().of("RuleGroupReferenceStatement")?;
            Some((acl, rule, reference, self.rule_group(&reference["ARN"], &rule.item)?))
        })
    }

    /// Whether there may be rules that nobody has seen: in a web ACL or group whose rules could not all be read,
    /// or in a group that is not part of the deployment, if a rule that `asked` holds for refers to it.
    #[must_use]
    pub fn may_hide_rules(&self, asked: impl Fn(&Rule) -> bool) -> bool {
        let is_seen = |rule: &Rule| {
            let reference = rule.statement().of("RuleGroupReferenceStatement");
            reference.is_none_or(|it| self.rule_group(&it["ARN"], &rule.item).is_some())
        };
        let hides = |rule: &Rule| asked(rule) && !is_seen(rule);
        self.acls.iter().any(|acl| !acl.has_all_rules || acl.rules.iter().any(hides))
    }

    /// The web ACL that an ARN or a reference means.
    #[must_use]
    pub fn web_acl(&self, arn: &Value, from: &Item) -> Option<&Acl> {
        let acls = self.acls.iter().filter(|acl| acl.kind == AclKind::WebAcl);
        acls.into_iter()
            .find(|acl| self.is_meant(arn, from, &acl.item, acl.name.as_deref(), "webacl"))
    }

    /// The resource that a value refers to, by a reference or by an ARN that is known.
    #[must_use]
    pub fn referred(&self, value: &Value, from: &Item) -> Option<&Resource> {
        match (marker::resource(value), value.as_str()) {
            (Some((address, _)), _) => self
                .resources
                .iter()
                .find(|one| one.item.address == address && one.item.input == from.input),
            (None, Some(arn)) => self.resources.iter().find(|one| one.arn() == Some(arn)),
            (None, None) => None,
        }
    }

    fn is_meant(
        &self,
        value: &Value,
        from: &Item,
        item: &Item,
        name: Option<&str>,
        kind: &str,
    ) -> bool {
        if let Some((address, _)) = marker::resource(value) {
            return address == item.address && from.input == item.input;
        }
        let Some(arn) = value.as_str() else { return false };
        if self.resource(&item.address).and_then(Resource::arn) == Some(arn) {
            return true;
        }
        // …:global/ipset/NAME/ID, or the stand-in of what has no ARN yet: ip-set:NAME.
        let mut parts = arn.rsplit('/');
        let named = match (parts.next(), parts.next(), parts.next()) {
            (Some(_), Some(named), Some(found)) if found == kind => Some(named),
            _ => STAND_INS
                .iter()
                .filter(|(_, of)| *of == kind)
                .find_map(|(prefix, _)| arn.strip_prefix(prefix)),
        };
        named.is_some() && named == name
    }
}
