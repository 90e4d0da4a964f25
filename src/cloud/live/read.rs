//! Reading what is live.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use super::account::Account;
use super::error::Error;
use super::wire::call;
use crate::changes::{Live, LiveAcl, LiveIpSet};
use crate::wafv2::Scope;

/// What to look for.
#[derive(Clone, Debug)]
pub struct Sought {
    /// In front of what.
    pub scope: Scope,
    /// The web ACL's name.
    pub web_acl: String,
    /// Its ARN, if it is known: then lists need not be allowed.
    pub arn: Option<String>,
    /// Prefix of the names of rules, sets and alarms.
    pub owner: String,
    /// A distribution.
    pub distribution: Option<String>,
}

/// Pages of a list that are asked for before something must be wrong.
const PAGES: usize = 1_000;

pub(super) fn parse(text: &str, action: &'static str) -> Result<Json, Error> {
    serde_json::from_str(text).map_err(|error| Error::Answer { action, reason: error.to_string() })
}

pub(super) fn text(json: &Json, name: &str) -> String {
    json.get(name).and_then(Json::as_str).unwrap_or_default().to_owned()
}

impl Account {
    /// Reads everything that is compared. Each call reads anew.
    ///
    /// # Errors
    /// When AWS refuses, or sends what cannot be read.
    pub fn read(&self, sought: &Sought) -> Result<Live, Error> {
        let mut live = Live::default();
        if let Some(acl) = self.web_acl(sought)? {
            live.tags = self.tags(&acl.arn)?;
            live.acl = Some(acl);
        }
        // After the web ACL: a set is made before a rule refers to it, so that rules which another apply
        // writes just now never name a set that is not to be seen here.
        live.ip_sets = self.ip_sets(sought)?;
        live.alarms = self.alarms(&format!("{}-", sought.owner))?;
        if let Some(id) = &sought.distribution {
            live.distribution = Some(self.distribution(id)?);
        }
        Ok(live)
    }

    fn web_acl(&self, sought: &Sought) -> Result<Option<LiveAcl>, Error> {
        // `…:global/webacl/NAME/ID`.
        let known = sought.arn.as_deref().and_then(|arn| arn.rsplit('/').next()).map(str::to_owned);
        let id = match known {
            Some(id) => id,
            None => {
                let found =
                    self.listed(sought.scope, List::WebAcls, |name| name == sought.web_acl)?;
                let Some(found) = found.first() else { return Ok(None) };
                text(found, "Id")
            }
        };
        let body = json!({ "Name": sought.web_acl, "Scope": sought.scope.api_name(), "Id": id });
        let answer =
            call!(self, get_web_acl, "wafv2:GetWebACL", &sought.web_acl, body.to_string())?;
        Ok(Some(LiveAcl::parse(&answer)?))
    }

    /// The entries of a list whose names are wanted, from all its pages.
    pub(super) fn listed(
        &self,
        scope: Scope,
        list: List,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Result<Vec<Json>, Error> {
        let mut found = Vec::new();
        let mut marker: Option<String> = None;
        for _ in 0..PAGES {
            let mut body = json!({ "Scope": scope.api_name(), "Limit": 100 });
            if let Some(marker) = &marker {
                body["NextMarker"] = json!(marker);
            }
            let body = body.to_string();
            let (action, member) = list.names();
            let answer = match list {
                List::WebAcls => call!(self, list_web_acls, "wafv2:ListWebACLs", "*", body)?,
                List::IpSets => call!(self, list_ip_sets, "wafv2:ListIPSets", "*", body)?,
            };
            let answer = parse(&answer, action)?;
            let page = answer[member].as_array().cloned().unwrap_or_default();
            found.extend(page.into_iter().filter(|one| is_wanted(&text(one, "Name"))));
            let next = text(&answer, "NextMarker");
            // Some pages come with the marker that was sent.
            if next.is_empty() || marker.as_deref() == Some(&next) {
                break;
            }
            marker = Some(next);
        }
        Ok(found)
    }

    fn ip_sets(&self, sought: &Sought) -> Result<BTreeMap<String, LiveIpSet>, Error> {
        let prefix = format!("{}-", sought.owner);
        let mut sets = BTreeMap::new();
        for entry in self.listed(sought.scope, List::IpSets, |name| name.starts_with(&prefix))? {
            let (name, id) = (text(&entry, "Name"), text(&entry, "Id"));
            let body = json!({ "Name": name, "Scope": sought.scope.api_name(), "Id": id });
            let answer = call!(self, get_ip_set, "wafv2:GetIPSet", &name, body.to_string());
            let answer = match answer {
                // Removed between the list and now.
                Err(error) if error.is_missing() => continue,
                other => parse(&other?, "wafv2:GetIPSet")?,
            };
            let set = &answer["IPSet"];
            let arn = text(set, "ARN");
            let tags = self.tags(&arn)?;
            let addresses = set["Addresses"].as_array().into_iter().flatten();
            let addresses = addresses.filter_map(Json::as_str).map(str::to_owned).collect();
            let lock_token = text(&answer, "LockToken");
            let description = Some(text(set, "Description")).filter(|text| !text.is_empty());
            let version = text(set, "IPAddressVersion");
            sets.insert(
                name,
                LiveIpSet { id, arn, lock_token, version, description, addresses, tags },
            );
        }
        Ok(sets)
    }

    fn tags(&self, arn: &str) -> Result<BTreeMap<String, String>, Error> {
        let mut tags = BTreeMap::new();
        let mut marker: Option<String> = None;
        for _ in 0..PAGES {
            let mut body = json!({ "ResourceARN": arn, "Limit": 100 });
            if let Some(marker) = &marker {
                body["NextMarker"] = json!(marker);
            }
            let action = "wafv2:ListTagsForResource";
            let answer = call!(
                self,
                list_tags_for_resource,
                "wafv2:ListTagsForResource",
                arn,
                body.to_string()
            )?;
            let answer = parse(&answer, action)?;
            let list = answer.pointer("/TagInfoForResource/TagList").and_then(Json::as_array);
            tags.extend(
                list.into_iter().flatten().map(|tag| (text(tag, "Key"), text(tag, "Value"))),
            );
            let next = text(&answer, "NextMarker");
            if next.is_empty() || marker.as_deref() == Some(&next) {
                break;
            }
            marker = Some(next);
        }
        Ok(tags)
    }

    /// What rules use, as AWS counts it; `None` where AWS cannot tell now, with the reason.
    ///
    /// # Errors
    /// When AWS would refuse the rules.
    pub fn capacity(&self, rules: String) -> Result<Result<u64, String>, Error> {
        let answer = call!(self, check_capacity, "wafv2:CheckCapacity", "the rules", rules);
        match answer {
            Ok(answer) => {
                let answer = parse(&answer, "wafv2:CheckCapacity")?;
                Ok(answer["Capacity"].as_u64().ok_or_else(|| "no figure in the answer".to_owned()))
            }
            Err(error) if error.is_of_the_call() => Ok(Err(error.to_string())),
            Err(error) => Err(error),
        }
    }
}

#[derive(Clone, Copy)]
pub(super) enum List {
    WebAcls,
    IpSets,
}

impl List {
    const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::WebAcls => ("wafv2:ListWebACLs", "WebACLs"),
            Self::IpSets => ("wafv2:ListIPSets", "IPSets"),
        }
    }
}
