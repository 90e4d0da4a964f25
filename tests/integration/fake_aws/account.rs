//! What is in the account.

use std::collections::BTreeMap;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use ratewaf::units::Timestamp;
use serde_json::{Value, json};

use super::ACCOUNT;
use super::call::Call;
use super::cloudfront::Distribution;
use super::cloudwatch::{Alarm, Metrics};
use super::members::Members;
use super::traffic::Traffic;
use super::wafv2::ip_set;

#[derive(Debug)]
pub struct WebAcl {
    pub name: String,
    pub id: String,
    pub arn: String,
    pub scope: String,
    pub region: String,
    pub lock_token: String,
    /// The object `WebACL`.
    pub members: Members,
}

#[derive(Debug)]
pub struct IpSet {
    pub name: String,
    pub id: String,
    pub arn: String,
    pub scope: String,
    pub region: String,
    pub lock_token: String,
    pub version: String,
    pub description: Option<String>,
    pub addresses: Vec<String>,
}

impl IpSet {
    pub fn told(&self) -> Value {
        let mut told = json!({
            "Name": self.name,
            "Id": self.id,
            "ARN": self.arn,
            "IPAddressVersion": self.version,
            "Addresses": self.addresses,
        });
        if let Some(description) = &self.description {
            told["Description"] = description.as_str().into();
        }
        told
    }
}

#[derive(Debug)]
pub struct RuleGroup {
    pub name: String,
    pub id: String,
    pub arn: String,
    pub scope: String,
    pub region: String,
    pub lock_token: String,
    /// The object `RuleGroup`.
    pub members: Members,
}

#[derive(Debug, Default)]
pub struct Account {
    pub web_acls: Vec<WebAcl>,
    pub ip_sets: Vec<IpSet>,
    pub rule_groups: Vec<RuleGroup>,
    pub tags: BTreeMap<String, BTreeMap<String, String>>,
    /// By the ARN of the web ACL.
    pub logging: BTreeMap<String, Value>,
    /// ARNs of resources (not distributions) with that of their web ACL.
    pub associations: BTreeMap<String, String>,
    pub alarms: BTreeMap<String, Alarm>,
    pub metrics: Metrics,
    pub distributions: BTreeMap<String, Distribution>,
    pub traffic: Traffic,
    /// See [`super::FakeAws::settle_after`].
    pub settle_after: usize,
    /// ARNs that cannot be referred to yet, with the number of calls that have to come first.
    pub unsettled: BTreeMap<String, usize>,
    pub least_pause: Option<Duration>,
    pub last_write: Option<Instant>,
    pub no_custom_responses: bool,
    ids: u64,
    /// Seconds that the clock is ahead of the machine's.
    ahead: i64,
}

impl Account {
    /// An id or a lock token: looks like a UUID, and is a number that goes up.
    pub fn new_id(&mut self) -> String {
        self.ids += 1;
        format!("{:08x}-aaaa-4aaa-8aaa-{:012x}", self.ids, self.ids)
    }

    pub fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        Timestamp(i64::try_from(since.as_secs()).unwrap() + self.ahead)
    }

    pub fn set_clock(&mut self, now: Timestamp) {
        self.ahead += now.0 - self.now().0;
    }

    pub fn seed_web_acl(&mut self, json: &str, scope: &str) -> String {
        let given = Members::parse(json).unwrap();
        let name = given.text("Name").unwrap();
        let old = self.web_acls.iter().position(|acl| acl.name == name && acl.scope == scope);
        let (id, lock_token) = (self.new_id(), self.new_id());
        if let Some(old) = old {
            let acl = &mut self.web_acls[old];
            let mut members = Members::default();
            for own in ["Name", "Id", "ARN"] {
                members.set(own, acl.members.raw(own).unwrap().to_owned());
            }
            for other in
                given.names().filter(|it| !["Name", "Id", "ARN", "LabelNamespace"].contains(it))
            {
                members.set(other, given.raw(other).unwrap().to_owned());
            }
            members.set("LabelNamespace", acl.members.raw("LabelNamespace").unwrap().to_owned());
            (acl.members, acl.lock_token) = (members, lock_token);
            return acl.arn.clone();
        }
        let arn = arn("webacl", scope, "us-east-1", &name, &id);
        let mut members = Members::default();
        for (own, value) in [("Name", &name), ("Id", &id), ("ARN", &arn)] {
            members.set(own, Value::from(value.as_str()).to_string());
        }
        for other in given.names().filter(|it| !["Id", "ARN", "LabelNamespace"].contains(it)) {
            members.set(other, given.raw(other).unwrap().to_owned());
        }
        for (own, value) in [
            ("Capacity", json!(0)),
            ("ManagedByFirewallManager", json!(false)),
            ("RetrofittedByFirewallManager", json!(false)),
        ] {
            if members.raw(own).is_none() {
                members.set(own, value.to_string());
            }
        }
        members.set("LabelNamespace", json!(label_namespace(&name)).to_string());
        self.web_acls.push(WebAcl {
            name,
            id,
            arn: arn.clone(),
            scope: scope.to_owned(),
            region: "us-east-1".to_owned(),
            lock_token,
            members,
        });
        arn
    }

    pub fn seed_ip_set(&mut self, json: &str) -> String {
        let given: Value = serde_json::from_str(json).unwrap();
        let scope = given["Scope"].as_str().unwrap_or("CLOUDFRONT").to_owned();
        ip_set::put(self, &given, &scope, "us-east-1").unwrap()
    }

    /// Gives what a call writes to a new lock token, as if somebody else had written it.
    pub fn change_token(&mut self, call: &Call) {
        let (body, token) = (call.json(), self.new_id());
        let Some(id) = body["Id"].as_str() else { return };
        let tokens = (self.web_acls.iter_mut().map(|it| (&it.id, &mut it.lock_token)))
            .chain(self.ip_sets.iter_mut().map(|it| (&it.id, &mut it.lock_token)))
            .chain(self.rule_groups.iter_mut().map(|it| (&it.id, &mut it.lock_token)));
        for (_, old) in tokens.filter(|(own, _)| *own == id) {
            old.clone_from(&token);
        }
    }

    pub fn everything(&self) -> String {
        let mut lines = Vec::new();
        for acl in &self.web_acls {
            lines.push(format!("web ACL {}", acl.members.written()));
        }
        for group in &self.rule_groups {
            lines.push(format!("rule group {}", group.members.written()));
        }
        for set in &self.ip_sets {
            let mut told = set.told();
            let addresses = told["Addresses"].as_array_mut().unwrap();
            addresses.sort_by_key(ToString::to_string);
            lines.push(format!("IP set {told}"));
        }
        for (arn, tags) in self.tags.iter().filter(|(_, tags)| !tags.is_empty()) {
            lines.push(format!("tags of {arn}: {tags:?}"));
        }
        for (arn, configuration) in &self.logging {
            lines.push(format!("logging of {arn}: {configuration}"));
        }
        for (resource, acl) in &self.associations {
            lines.push(format!("{resource} is behind {acl}"));
        }
        for (name, alarm) in &self.alarms {
            lines.push(format!("alarm {name}: {}", alarm.written));
        }
        for (id, distribution) in &self.distributions {
            lines.push(format!("distribution {id} is behind {}", distribution.web_acl));
        }
        lines.sort();
        let ids = self.web_acls.iter().map(|it| (&it.id, &it.name));
        let ids = ids.chain(self.ip_sets.iter().map(|it| (&it.id, &it.name)));
        let ids = ids.chain(self.rule_groups.iter().map(|it| (&it.id, &it.name)));
        ids.fold(lines.join("\n"), |text, (id, name)| {
            text.replace(id.as_str(), &format!("ID-of-{name}"))
        })
    }
}

/// The ARN of a resource of WAF.
pub fn arn(kind: &str, scope: &str, region: &str, name: &str, id: &str) -> String {
    let place = if scope == "CLOUDFRONT" { "global" } else { "regional" };
    format!("arn:aws:wafv2:{region}:{ACCOUNT}:{place}/{kind}/{name}/{id}")
}

pub fn label_namespace(web_acl: &str) -> String {
    format!("awswaf:{ACCOUNT}:webacl:{web_acl}:")
}
