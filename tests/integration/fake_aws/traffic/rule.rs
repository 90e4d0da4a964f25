//! Rules of a web ACL, one after the other. Statements are read by the program's own reading of them;
//! those that it does not know match nothing.

use std::collections::BTreeMap;

use ratewaf::wafv2::{self, Arn, IpAddressVersion, IpSet, NetworkSet, Scope, Statement};
use serde_json::Value;

use super::limiter::Limiter;
use super::{Answer, Visit, named};
use crate::fake_aws::account::Account;
use crate::fake_aws::cloudwatch::Dimensions;

/// A web ACL, ready to judge.
pub struct Judge {
    pub web_acl_id: String,
    web_acl: String,
    /// `Some`: figures have a Region.
    region: Option<String>,
    rules: Vec<Rule>,
    sets: Vec<NetworkSet>,
    bodies: Value,
    default: String,
}

struct Rule {
    name: String,
    metric: String,
    /// Where its counters are.
    place: String,
    /// `None`: a statement that is not known.
    statement: Option<Statement>,
    json: Value,
    /// Name, metric and the rules of a group that it refers to.
    group: Option<(String, Vec<Self>, Value)>,
    action: String,
    response: Value,
}

/// A rule that a request met.
pub struct Hit {
    pub metric: String,
    /// `COUNT`, `BLOCK`, …
    pub action: String,
    /// The rule within a group.
    pub in_group: Option<String>,
    group_metric: Option<String>,
}

pub struct Verdict {
    pub answer: Answer,
    pub hits: Vec<Hit>,
}

impl Judge {
    pub fn new(account: &Account, place: usize) -> Self {
        let acl = &account.web_acls[place];
        let rules = acl.members.value("Rules").unwrap_or_default();
        let default = acl.members.value("DefaultAction").unwrap_or_default();
        Self {
            web_acl_id: acl.id.clone(),
            web_acl: acl.name.clone(),
            region: (acl.scope == "REGIONAL").then(|| acl.region.clone()),
            rules: read(account, &rules, &acl.id, false),
            sets: account.ip_sets.iter().map(network).collect(),
            bodies: acl.members.value("CustomResponseBodies").unwrap_or_default(),
            default: if default["Block"].is_null() { "ALLOW" } else { "BLOCK" }.to_owned(),
        }
    }

    pub fn judge(&self, visit: &Visit, limiters: &mut BTreeMap<String, Limiter>) -> Verdict {
        let mut hits = Vec::new();
        let mut counted_by = Vec::new();
        let ended = self.walk(&self.rules, None, visit, limiters, &mut hits, &mut counted_by);
        let answer = match ended {
            Some((rule, bodies)) => self.answer(rule, bodies, counted_by),
            None => {
                hits.push(Hit {
                    metric: "Default_Action".to_owned(),
                    action: self.default.clone(),
                    in_group: None,
                    group_metric: None,
                });
                let status = if self.default == "ALLOW" { 200 } else { 403 };
                Answer { status, headers: vec![], body: String::new(), rule: None, counted_by }
            }
        };
        Verdict { answer, hits }
    }

    /// The rule that ends it, with the bodies that it may answer with.
    fn walk<'a>(
        &'a self,
        rules: &'a [Rule],
        group: Option<&'a Rule>,
        visit: &Visit,
        limiters: &mut BTreeMap<String, Limiter>,
        hits: &mut Vec<Hit>,
        counted_by: &mut Vec<String>,
    ) -> Option<(&'a Rule, &'a Value)> {
        for rule in rules {
            if let Some((_, inner, bodies)) = &rule.group {
                let ended = self.walk(inner, Some(rule), visit, limiters, hits, counted_by);
                match ended {
                    Some((ending, _)) if rule.action == "NONE" => return Some((ending, bodies)),
                    _ => continue,
                }
            }
            if !self.acts(rule, visit, limiters) {
                continue;
            }
            let is_overridden = group.is_some_and(|group| group.action == "COUNT");
            let action = if is_overridden { "COUNT".to_owned() } else { rule.action.clone() };
            hits.push(Hit {
                metric: rule.metric.clone(),
                action: action.clone(),
                in_group: group.map(|_| rule.name.clone()),
                group_metric: group.and_then(|it| it.group.as_ref()).map(|it| it.0.clone()),
            });
            if action != "COUNT" {
                return Some((rule, &self.bodies));
            }
            counted_by.push(rule.name.clone());
        }
        None
    }

    fn acts(&self, rule: &Rule, visit: &Visit, limiters: &mut BTreeMap<String, Limiter>) -> bool {
        let Some(statement) = &rule.statement else { return false };
        let request = wafv2::Request {
            method: visit.method.as_bytes(),
            path: visit.path.as_bytes(),
            host: Some(visit.host.as_bytes()),
            address: visit.client,
            forwarded: visit.forwarded,
        };
        if !wafv2::matches(statement, &request, &self.sets) {
            return false;
        }
        let rate = &rule.json["RateBasedStatement"];
        if rate.is_null() {
            return true;
        }
        let Some(key) = key(rate, visit) else { return false };
        let limiter = limiters.entry(rule.place.clone()).or_insert_with(|| Limiter::new(rate));
        if !limiter.counts_like(rate) {
            *limiter = Limiter::new(rate);
        }
        limiter.arrives(&key, visit.time.0)
    }

    fn answer(&self, rule: &Rule, bodies: &Value, counted_by: Vec<String>) -> Answer {
        let response = &rule.response;
        let status = match rule.action.as_str() {
            "ALLOW" => 200,
            "CAPTCHA" => 405,
            "CHALLENGE" => 202,
            _ => response["ResponseCode"].as_u64().map_or(403, |code| u16::try_from(code).unwrap()),
        };
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let headers = response["ResponseHeaders"].as_array().into_iter().flatten();
        let mut headers: Vec<(String, String)> =
            headers.map(|it| (text(&it["Name"]), text(&it["Value"]))).collect();
        let body = &bodies[response["CustomResponseBodyKey"].as_str().unwrap_or_default()];
        let kind = match body["ContentType"].as_str() {
            Some("APPLICATION_JSON") => Some("application/json"),
            Some("TEXT_HTML") => Some("text/html"),
            Some(_) => Some("text/plain"),
            None => None,
        };
        headers.extend(kind.map(|kind| ("Content-Type".to_owned(), kind.to_owned())));
        Answer {
            status,
            headers,
            body: text(&body["Content"]),
            rule: Some(rule.name.clone()),
            counted_by,
        }
    }

    /// The series that a hit is sent to.
    pub fn dimensions(&self, hit: &Hit) -> Vec<Dimensions> {
        let acl = self.web_acl.as_str();
        let mut all = match &hit.group_metric {
            None => vec![named(&[("Rule", &hit.metric), ("WebACL", acl)])],
            // Counting rules of a group have no series with the web ACL.
            Some(group) => {
                let mut series = vec![named(&[("Rule", &hit.metric), ("RuleGroup", group)])];
                if hit.action != "COUNT" {
                    series.push(named(&[("RuleGroup", group), ("WebACL", acl)]));
                }
                series
            }
        };
        all.push(named(&[("Rule", "ALL"), ("WebACL", acl)]));
        if let Some(region) = &self.region {
            all.iter_mut().for_each(|it| drop(it.insert("Region".to_owned(), region.clone())));
        }
        all
    }
}

/// What a request is counted by; `None`: it is not.
fn key(rate: &Value, visit: &Visit) -> Option<String> {
    let forwarded = || match visit.forwarded {
        Some(address) => Some(address.to_string()),
        None => (rate["ForwardedIPConfig"]["FallbackBehavior"] == "MATCH").then(String::new),
    };
    match rate["AggregateKeyType"].as_str()? {
        "IP" => Some(visit.client.to_string()),
        "FORWARDED_IP" => forwarded(),
        "CONSTANT" => Some(String::new()),
        _ => {
            let parts: Option<Vec<String>> = rate["CustomKeys"]
                .as_array()?
                .iter()
                .map(|part| {
                    let (kind, settings) = part.as_object()?.iter().next()?;
                    match kind.as_str() {
                        "IP" => Some(visit.client.to_string()),
                        "ForwardedIP" => forwarded(),
                        "HTTPMethod" => Some(visit.method.clone()),
                        "UriPath" => Some(visit.path.clone()),
                        "Header" => {
                            let name = settings["Name"].as_str()?.to_ascii_lowercase();
                            if name == "host" {
                                return Some(visit.host.clone());
                            }
                            visit.headers.iter().find(|it| it.0 == name).map(|it| it.1.clone())
                        }
                        // A part that the request lacks: it is not counted.
                        _ => None,
                    }
                })
                .collect();
            Some(parts?.join("\n"))
        }
    }
}

fn read(account: &Account, rules: &Value, place: &str, in_group: bool) -> Vec<Rule> {
    let mut read: Vec<(i64, Rule)> = rules
        .as_array()
        .into_iter()
        .flatten()
        .map(|rule| {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let name = text(&rule["Name"]);
            let arn = &rule["Statement"]["RuleGroupReferenceStatement"]["ARN"];
            let own = format!("{place}/{name}");
            let group =
                account.rule_groups.iter().find(|it| !in_group && *arn == it.arn.as_str()).map(
                    |group| {
                        let member = |name: &str| group.members.value(name).unwrap_or_default();
                        let metric = text(&member("VisibilityConfig")["MetricName"]);
                        (
                            metric,
                            self::read(account, &member("Rules"), &own, true),
                            member("CustomResponseBodies"),
                        )
                    },
                );
            let action = rule["Action"].as_object().or_else(|| rule["OverrideAction"].as_object());
            let (kind, inner) = action.and_then(|it| it.iter().next()).unwrap();
            let rule = Rule {
                name,
                metric: text(&rule["VisibilityConfig"]["MetricName"]),
                place: own,
                statement: serde_json::from_str(&with_stand_ins(account, &rule["Statement"])).ok(),
                json: rule["Statement"].clone(),
                group,
                action: kind.to_ascii_uppercase(),
                response: inner["CustomResponse"].clone(),
            };
            (rule_priority(rules, &rule.name), rule)
        })
        .collect();
    read.sort_by_key(|(priority, _)| *priority);
    read.into_iter().map(|(_, rule)| rule).collect()
}

fn rule_priority(rules: &Value, name: &str) -> i64 {
    let rule = rules.as_array().into_iter().flatten().find(|rule| rule["Name"] == name);
    rule.and_then(|rule| rule["Priority"].as_i64()).unwrap_or(i64::MAX)
}

/// A statement that refers to IP sets as the program's reading of it does: by a stand-in for the ARN.
fn with_stand_ins(account: &Account, statement: &Value) -> String {
    account.ip_sets.iter().fold(statement.to_string(), |text, set| {
        text.replace(&format!("\"{}\"", set.arn), &format!("\"{}\"", Arn::of_ip_set(&set.id).0))
    })
}

/// A set with the name that stands in for its ARN.
fn network(set: &crate::fake_aws::account::IpSet) -> NetworkSet {
    NetworkSet {
        network: set.name.clone(),
        set: IpSet {
            name: set.id.clone(),
            scope: if set.scope == "REGIONAL" { Scope::Regional } else { Scope::CloudFront },
            ip_address_version: if set.version == "IPV6" {
                IpAddressVersion::IpV6
            } else {
                IpAddressVersion::IpV4
            },
            addresses: set.addresses.iter().map(|it| it.parse().unwrap()).collect(),
        },
    }
}
