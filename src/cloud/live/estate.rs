//! Everything that checks look at: web ACLs as they are, and what stands around them. Reads only.

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};

use super::account::Account;
use super::error::Error;
use super::read::{List, parse, text};
use super::wire::call;
use crate::wafv2::Scope;

/// A web ACL, as its ARN names it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arn {
    /// Where it lives.
    pub region: String,
    /// In front of what.
    pub scope: Scope,
    /// Its name.
    pub name: String,
    id: String,
    whole: String,
}

impl Arn {
    /// Takes `arn:aws:wafv2:us-east-1:123456789012:global/webacl/prod/ID` apart; `kind` is `webacl`.
    /// Form: Service Authorization Reference, "Resource types defined by AWS WAF V2".
    #[must_use]
    pub fn parse(arn: &str, kind: &str) -> Option<Self> {
        let parts: Vec<&str> = arn.splitn(6, ':').collect();
        let ["arn", _, "wafv2", region, _, resource] = parts.as_slice() else { return None };
        let parts: Vec<&str> = resource.split('/').collect();
        let [scope, found, name, id] = parts.as_slice() else { return None };
        let scope = match *scope {
            "global" => Scope::CloudFront,
            "regional" => Scope::Regional,
            _ => return None,
        };
        (*found == kind && !name.is_empty() && !id.is_empty()).then(|| Self {
            region: (*region).to_owned(),
            scope,
            name: (*name).to_owned(),
            id: (*id).to_owned(),
            whole: arn.to_owned(),
        })
    }

    fn body(&self) -> String {
        json!({ "Name": self.name, "Scope": self.scope.api_name(), "Id": self.id }).to_string()
    }
}

/// What was read, and what could not be.
#[derive(Clone, Debug, Default)]
pub struct Estate {
    /// CloudFormation's name of a kind, and what the API says of one of it; alarms as `DescribeAlarms` tells
    /// them, distributions and associations in CloudFormation's members.
    pub resources: Vec<(&'static str, Json)>,
    /// Kinds of which there may be some that were not read, and why.
    pub unread: Vec<(&'static str, String)>,
}

const WEB_ACL: &str = "AWS::WAFv2::WebACL";
const IP_SET: &str = "AWS::WAFv2::IPSet";
const RULE_GROUP: &str = "AWS::WAFv2::RuleGroup";
const LOGGING: &str = "AWS::WAFv2::LoggingConfiguration";
const ALARM: &str = "AWS::CloudWatch::Alarm";
const DISTRIBUTION: &str = "AWS::CloudFront::Distribution";
const ASSOCIATION: &str = "AWS::WAFv2::WebACLAssociation";

/// What `ListResourcesForWebACL` has to be asked for one by one (API reference, "ResourceType").
const PROTECTED: [&str; 7] = [
    "APPLICATION_LOAD_BALANCER",
    "API_GATEWAY",
    "APPSYNC",
    "COGNITO_USER_POOL",
    "APP_RUNNER_SERVICE",
    "VERIFIED_ACCESS_INSTANCE",
    "AMPLIFY",
];

impl Account {
    /// All web ACLs of a scope in the account's region, by name.
    ///
    /// # Errors
    /// When they may not be listed.
    pub fn web_acls(&self, scope: Scope) -> Result<Vec<Arn>, Error> {
        let listed = self.listed(scope, List::WebAcls, |_| true)?;
        let mut all: Vec<Arn> =
            listed.iter().filter_map(|one| Arn::parse(&text(one, "ARN"), "webacl")).collect();
        all.sort();
        Ok(all)
    }

    /// Reads web ACLs of one scope and region, and what stands around them. What the account may not read
    /// is said.
    ///
    /// # Errors
    /// When a web ACL cannot be read, or AWS does not answer.
    pub fn estate(&self, web_acls: &[Arn]) -> Result<Estate, Error> {
        let mut estate = Estate::default();
        let mut groups = BTreeSet::new();
        let mut sets = BTreeSet::new();
        for arn in web_acls {
            let answer = call!(self, get_web_acl, "wafv2:GetWebACL", &arn.name, arn.body())?;
            let answer = parse(&answer, "wafv2:GetWebACL")?;
            let acl = answer["WebACL"].clone();
            references(&acl, &mut groups, &mut sets);
            if ["Pre", "Post"].iter().any(|when| {
                let name = format!("{when}ProcessFirewallManagerRuleGroups");
                acl[&name].as_array().is_some_and(|list| !list.is_empty())
            }) {
                let what = format!("rule groups of Firewall Manager in {}", arn.name);
                estate.unread.push((RULE_GROUP, what));
            }
            estate.resources.push((WEB_ACL, acl));
        }
        self.rule_groups(&groups, &mut sets, &mut estate)?;
        self.sets(&sets, &mut estate)?;
        for arn in web_acls {
            self.logging(arn, &mut estate)?;
            match arn.scope {
                Scope::CloudFront => match self.distributions_of(&arn.whole) {
                    Ok(found) => {
                        let found = found.into_iter().map(|one| (DISTRIBUTION, one));
                        estate.resources.extend(found);
                    }
                    Err(error) => estate.pass(DISTRIBUTION, error)?,
                },
                Scope::Regional => self.protected(arn, &mut estate)?,
            }
        }
        match self.all_alarms() {
            Ok((alarms, is_whole)) => {
                estate.resources.extend(alarms.into_iter().map(|one| (ALARM, one)));
                if !is_whole {
                    estate.unread.push((ALARM, "more alarms than are asked for".to_owned()));
                }
            }
            Err(error) => estate.pass(ALARM, error)?,
        }
        Ok(estate)
    }

    fn rule_groups(
        &self,
        groups: &BTreeSet<String>,
        sets: &mut BTreeSet<String>,
        estate: &mut Estate,
    ) -> Result<(), Error> {
        for whole in groups {
            let Some(arn) = Arn::parse(whole, "rulegroup") else { continue };
            let body = json!({ "ARN": whole }).to_string();
            match call!(self, get_rule_group, "wafv2:GetRuleGroup", &arn.name, body) {
                Ok(answer) => {
                    let group = parse(&answer, "wafv2:GetRuleGroup")?["RuleGroup"].clone();
                    // A group refers to no other group.
                    references(&group, &mut BTreeSet::new(), sets);
                    estate.resources.push((RULE_GROUP, group));
                }
                Err(error) => estate.pass(RULE_GROUP, error)?,
            }
        }
        Ok(())
    }

    fn sets(&self, sets: &BTreeSet<String>, estate: &mut Estate) -> Result<(), Error> {
        for whole in sets {
            let Some(arn) = Arn::parse(whole, "ipset") else { continue };
            match call!(self, get_ip_set, "wafv2:GetIPSet", &arn.name, arn.body()) {
                Ok(answer) => {
                    let set = parse(&answer, "wafv2:GetIPSet")?["IPSet"].clone();
                    estate.resources.push((IP_SET, set));
                }
                Err(error) => estate.pass(IP_SET, error)?,
            }
        }
        Ok(())
    }

    fn logging(&self, arn: &Arn, estate: &mut Estate) -> Result<(), Error> {
        let body = json!({ "ResourceArn": arn.whole }).to_string();
        let action = "wafv2:GetLoggingConfiguration";
        match call!(
            self,
            get_logging_configuration,
            "wafv2:GetLoggingConfiguration",
            &arn.name,
            body
        ) {
            Ok(answer) => {
                let logging = parse(&answer, action)?["LoggingConfiguration"].clone();
                estate.resources.push((LOGGING, logging));
                Ok(())
            }
            // That is how the API says that there is none.
            Err(error) if error.is_missing() => Ok(()),
            Err(error) => estate.pass(LOGGING, error),
        }
    }

    /// One resource is enough to know that the web ACL stands before something.
    fn protected(&self, arn: &Arn, estate: &mut Estate) -> Result<(), Error> {
        for kind in PROTECTED {
            let body = json!({ "WebACLArn": arn.whole, "ResourceType": kind }).to_string();
            let action = "wafv2:ListResourcesForWebACL";
            let answer = call!(
                self,
                list_resources_for_web_acl,
                "wafv2:ListResourcesForWebACL",
                &arn.name,
                body
            );
            let answer = match answer {
                Ok(answer) => parse(&answer, action)?,
                Err(error) => {
                    estate.pass(ASSOCIATION, error)?;
                    continue;
                }
            };
            let found = answer["ResourceArns"].as_array().cloned().unwrap_or_default();
            let is_done = !found.is_empty();
            estate.resources.extend(
                found.into_iter().map(|one| {
                    (ASSOCIATION, json!({ "WebACLArn": arn.whole, "ResourceArn": one }))
                }),
            );
            if is_done {
                break;
            }
        }
        Ok(())
    }
}

impl Estate {
    /// Goes on without what the account may not read or what is gone meanwhile; anything else is an error.
    fn pass(&mut self, kind: &'static str, error: Error) -> Result<(), Error> {
        if error.is_denied() || error.is_missing() {
            self.unread.push((kind, error.to_string()));
            return Ok(());
        }
        Err(error)
    }
}

/// The rule groups and IP sets that a web ACL or a group refers to, by their ARNs.
fn references(value: &Json, groups: &mut BTreeSet<String>, sets: &mut BTreeSet<String>) {
    match value {
        Json::Array(values) => values.iter().for_each(|one| references(one, groups, sets)),
        Json::Object(members) => {
            for (name, value) in members {
                let found = match name.as_str() {
                    "IPSetReferenceStatement" => Some(&mut *sets),
                    "RuleGroupReferenceStatement" => Some(&mut *groups),
                    _ => None,
                };
                if let (Some(found), Some(arn)) = (found, value["ARN"].as_str()) {
                    found.insert(arn.to_owned());
                }
                references(value, groups, sets);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arn_is_taken_apart_or_refused() {
        let whole = "arn:aws-cn:wafv2:cn-north-1:123456789012:regional/webacl/prod/a1";
        let arn = Arn::parse(whole, "webacl").unwrap();
        assert_eq!((arn.region.as_str(), arn.name.as_str()), ("cn-north-1", "prod"));
        assert_eq!(arn.scope, Scope::Regional);
        let body: serde_json::Value = serde_json::from_str(&arn.body()).unwrap();
        assert_eq!(body, json!({ "Id": "a1", "Name": "prod", "Scope": "REGIONAL" }));
        for faulty in [
            "prod",
            "arn:aws:wafv2:us-east-1:123456789012:global/ipset/prod/a1",
            "arn:aws:wafv2:us-east-1:123456789012:global/webacl/prod",
            "arn:aws:wafv2:us-east-1:123456789012:world/webacl/prod/a1",
            "arn:aws:waf:us-east-1:123456789012:global/webacl/prod/a1",
        ] {
            assert_eq!(Arn::parse(faulty, "webacl"), None, "{faulty}");
        }
    }

    #[test]
    fn references_are_found_at_any_depth() {
        let acl = json!({ "Rules": [
            { "Statement": { "RateBasedStatement": { "ScopeDownStatement": { "NotStatement": { "Statement": {
                "IPSetReferenceStatement": { "ARN": "a" } } } } } } },
            { "Statement": { "RuleGroupReferenceStatement": { "ARN": "g" } } },
        ] });
        let (mut groups, mut sets) = (BTreeSet::new(), BTreeSet::new());
        references(&acl, &mut groups, &mut sets);
        assert_eq!((groups.len(), sets.len()), (1, 1));
        assert!(groups.contains("g") && sets.contains("a"));
    }
}
