//! Traffic through a web ACL, judged as WAF judges it.

mod limiter;
mod rule;

use std::collections::BTreeMap;
use std::net::IpAddr;

use ratewaf::units::Timestamp;
use serde_json::{Value, json};

use super::account::Account;
use super::cloudwatch::Dimensions;
use limiter::Limiter;
use rule::{Judge, Verdict};

/// A request on its way to a web ACL.
#[derive(Clone, Debug)]
pub struct Visit {
    pub time: Timestamp,
    pub client: IpAddr,
    pub method: String,
    pub path: String,
    pub host: String,
    /// The first address of the header that rules with a forwarded address look at.
    pub forwarded: Option<IpAddr>,
    /// Other headers, names in lower case.
    pub headers: Vec<(String, String)>,
}

impl Visit {
    /// A request to `shop.example`.
    pub fn new(time: Timestamp, client: &str, method: &str, path: &str) -> Self {
        Self {
            time,
            client: client.parse().unwrap(),
            method: method.to_owned(),
            path: path.to_owned(),
            host: "shop.example".to_owned(),
            forwarded: None,
            headers: Vec::new(),
        }
    }
}

/// What a client gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// 200 if the web ACL lets it through.
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: String,
    /// The rule that answered.
    pub rule: Option<String>,
    /// The rules that counted it.
    pub counted_by: Vec<String>,
}

/// What of the traffic is remembered.
#[derive(Debug, Default)]
pub struct Traffic {
    /// By `WEB ACL ID/RULE` or `WEB ACL ID/GROUP RULE/RULE`.
    limiters: BTreeMap<String, Limiter>,
    /// By web ACL and metric of the rule, by time.
    samples: BTreeMap<(String, String), Vec<(i64, Value)>>,
}

impl Traffic {
    pub fn samples(&self, web_acl: &str, metric: &str) -> impl Iterator<Item = (i64, &Value)> {
        let key = (web_acl.to_owned(), metric.to_owned());
        self.samples.get(&key).into_iter().flatten().map(|(time, it)| (*time, it))
    }

    /// The keys that a rule limits at a time, fastest first.
    pub fn limited(&mut self, place: &str, now: i64) -> Vec<String> {
        self.limiters.get_mut(place).map(|limiter| limiter.limited(now)).unwrap_or_default()
    }
}

/// Forgets the counters of rules whose limit, window, key or scope is not what it was; those of rules
/// that changed their action alone survive.
pub fn forget_what_changed(account: &mut Account, web_acl: &str) {
    let Some(acl) = account.web_acls.iter().find(|acl| acl.id == web_acl) else { return };
    let rules = acl.members.value("Rules").unwrap_or_default();
    let keeps = |name: &str, limiter: &Limiter| {
        rules.as_array().into_iter().flatten().any(|rule| {
            rule["Name"] == name && limiter.counts_like(&rule["Statement"]["RateBasedStatement"])
        })
    };
    account.traffic.limiters.retain(|place, limiter| {
        let mut parts = place.split('/');
        let (own, first, inner) = (parts.next(), parts.next(), parts.next());
        own != Some(web_acl) || inner.is_some() || keeps(first.unwrap_or_default(), limiter)
    });
}

pub fn replay(account: &mut Account, web_acl: &str, visits: &[Visit]) -> Vec<Answer> {
    let place = account.web_acls.iter().position(|acl| acl.name == web_acl);
    let judge = Judge::new(account, place.unwrap());
    let mut order: Vec<usize> = (0..visits.len()).collect();
    order.sort_by_key(|place| visits[*place].time.0);
    let mut answers = vec![None; visits.len()];
    for place in order {
        let verdict = judge.judge(&visits[place], &mut account.traffic.limiters);
        remember(account, &judge, &visits[place], &verdict);
        answers[place] = Some(verdict.answer);
    }
    answers.into_iter().flatten().collect()
}

/// Sends the figures of a request, and keeps it as a sample.
fn remember(account: &mut Account, judge: &Judge, visit: &Visit, verdict: &Verdict) {
    let time = visit.time.0;
    for hit in &verdict.hits {
        let dimensions = judge.dimensions(hit);
        let metric = match hit.action.as_str() {
            "BLOCK" => "BlockedRequests",
            "COUNT" => "CountedRequests",
            "CAPTCHA" => "CaptchaRequests",
            "CHALLENGE" => "ChallengeRequests",
            _ => "AllowedRequests",
        };
        for dimensions in dimensions {
            account.metrics.add("AWS/WAFV2", metric, dimensions, time);
        }
        let key = (judge.web_acl_id.clone(), hit.metric.clone());
        let mut headers = vec![json!({ "Name": "Host", "Value": visit.host })];
        headers.extend(
            visit.headers.iter().map(|(name, value)| json!({ "Name": name, "Value": value })),
        );
        let mut sample = json!({
            "Request": {
                "ClientIP": visit.client.to_string(),
                "Country": "-",
                "URI": visit.path,
                "Method": visit.method,
                "HTTPVersion": "HTTP/2.0",
                "Headers": headers,
            },
            "Weight": 1,
            "Timestamp": time,
            "Action": hit.action,
        });
        if hit.action == "BLOCK" {
            sample["ResponseCodeSent"] = verdict.answer.status.into();
        }
        if let Some(inner) = &hit.in_group {
            sample["RuleNameWithinRuleGroup"] = inner.as_str().into();
        }
        account.traffic.samples.entry(key).or_default().push((time, sample));
    }
}

fn named(pairs: &[(&str, &str)]) -> Dimensions {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}
