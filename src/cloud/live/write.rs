//! One write each.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use super::account::Account;
use super::error::Error;
use super::read::{Sought, parse, text};
use super::wire::call;
use crate::changes::{
    Live, LiveIpSet, Mode, Record, RuleChange, Step, create_body, set_tag, tag_of, update_body,
};
use crate::units::Timestamp;
use crate::wafv2::Scope;

/// Our name in descriptions.
const MADE_BY: &str = "Written by ratewaf";

impl Account {
    /// Does one step; what is made becomes part of `live`.
    pub(super) fn write(
        &self,
        step: &Step,
        sought: &Sought,
        live: &mut Live,
        now: Timestamp,
    ) -> Result<(), Error> {
        match step {
            Step::CreateIpSet { name, version, addresses } => {
                self.create_ip_set(sought, live, name, version, addresses)
            }
            Step::UpdateIpSet { name, addresses, .. } => {
                self.update_ip_set(sought.scope, live, name, addresses)
            }
            Step::CreateWebAcl { acl } => self.create_web_acl(acl),
            Step::UpdateWebAcl { rules, bodies } => {
                self.update_web_acl(sought.scope, live, rules, bodies)
            }
            Step::Remember { set: Some(name), digests } => {
                let Some(set) = live.ip_sets.get(name) else { return Ok(()) };
                let tags = digests.values().map(|one| set_tag(&one.digest)).collect();
                self.tag(&set.arn, tags)
            }
            Step::Remember { set: None, digests } => {
                let Some(acl) = &live.acl else { return Ok(()) };
                let tags = digests.iter().map(|(rule, remembered)| {
                    let mode = remembered.mode.unwrap_or(Mode::Count);
                    let digest = remembered.digest.clone();
                    // What was there before with the same meaning has been there since then.
                    let known = live.record(&sought.owner, rule);
                    let known = known.filter(|old| old.digest == digest && old.mode == mode);
                    let since = remembered
                        .since
                        .map(Timestamp)
                        .or_else(|| Some(known?.since))
                        .unwrap_or(now);
                    let record = Record { owner: sought.owner.clone(), mode, since, digest };
                    (tag_of(rule), record.text())
                });
                self.tag(&acl.arn, tags.collect())
            }
            Step::Forget { rules } => {
                let Some(acl) = &live.acl else { return Ok(()) };
                let keys: Vec<String> = rules.iter().map(|rule| tag_of(rule)).collect();
                let body = json!({ "ResourceARN": acl.arn, "TagKeys": keys }).to_string();
                call!(self, untag_resource, "wafv2:UntagResource", &acl.arn, body).map(drop)
            }
            Step::PutAlarm { alarm, .. } => self.put_alarm(alarm),
            Step::DeleteAlarm { name } => self.delete_alarm(name),
            Step::DeleteIpSet { name } => self.delete_ip_set(sought.scope, live, name),
            Step::Associate { .. } => match (&live.distribution, &live.acl) {
                (Some(distribution), Some(acl)) => self.associate(distribution, &acl.arn),
                _ => Ok(()),
            },
        }
    }

    fn create_ip_set(
        &self,
        sought: &Sought,
        live: &mut Live,
        name: &str,
        version: &str,
        addresses: &[String],
    ) -> Result<(), Error> {
        let tag = crate::changes::set_digest(&sought.owner, addresses);
        let (key, value) = set_tag(&tag);
        let body = json!({
            "Name": name, "Scope": sought.scope.api_name(), "IPAddressVersion": version,
            "Description": MADE_BY, "Addresses": addresses, "Tags": [{ "Key": key, "Value": value }],
        });
        let answer = call!(self, create_ip_set, "wafv2:CreateIPSet", name, body.to_string())?;
        let summary = &parse(&answer, "wafv2:CreateIPSet")?["Summary"];
        let set = LiveIpSet {
            id: text(summary, "Id"),
            arn: text(summary, "ARN"),
            lock_token: text(summary, "LockToken"),
            version: version.to_owned(),
            description: Some(MADE_BY.to_owned()),
            addresses: addresses.to_vec(),
            tags: BTreeMap::from([(key, value)]),
        };
        live.ip_sets.insert(name.to_owned(), set);
        Ok(())
    }

    fn update_ip_set(
        &self,
        scope: Scope,
        live: &Live,
        name: &str,
        addresses: &[String],
    ) -> Result<(), Error> {
        let Some(set) = live.ip_sets.get(name) else { return Ok(()) };
        let mut body = json!({
            "Name": name, "Scope": scope.api_name(), "Id": set.id, "Addresses": addresses,
            "LockToken": set.lock_token,
        });
        if let Some(description) = &set.description {
            body["Description"] = json!(description);
        }
        call!(self, update_ip_set, "wafv2:UpdateIPSet", &set.arn, body.to_string()).map(drop)
    }

    fn delete_ip_set(&self, scope: Scope, live: &Live, name: &str) -> Result<(), Error> {
        let Some(set) = live.ip_sets.get(name) else { return Ok(()) };
        let body = json!({ "Name": name, "Scope": scope.api_name(), "Id": set.id, "LockToken": set.lock_token });
        match call!(self, delete_ip_set, "wafv2:DeleteIPSet", &set.arn, body.to_string()) {
            Err(error) if error.is_missing() => Ok(()),
            other => other.map(drop),
        }
    }

    fn create_web_acl(&self, acl: &Json) -> Result<(), Error> {
        let name = text(acl, "Name");
        call!(self, create_web_acl, "wafv2:CreateWebACL", &name, create_body(acl)).map(drop)
    }

    fn update_web_acl(
        &self,
        scope: Scope,
        live: &Live,
        rules: &[RuleChange],
        bodies: &BTreeMap<String, Json>,
    ) -> Result<(), Error> {
        let Some(acl) = &live.acl else { return Ok(()) };
        let body = update_body(live, acl, scope, rules, bodies)?;
        call!(self, update_web_acl, "wafv2:UpdateWebACL", &acl.arn, body).map(drop)
    }

    fn tag(&self, arn: &str, tags: Vec<(String, String)>) -> Result<(), Error> {
        let tags: Vec<Json> =
            tags.into_iter().map(|(key, value)| json!({ "Key": key, "Value": value })).collect();
        let body = json!({ "ResourceARN": arn, "Tags": tags }).to_string();
        call!(self, tag_resource, "wafv2:TagResource", arn, body).map(drop)
    }
}
