//! The fake itself, spoken to in bytes.

pub mod client;
mod cloudwatch;
mod faults;
mod limiting;
mod refusals;
#[cfg(feature = "cloud")]
mod sdk;
mod web_acls;

use super::FakeAws;
use client::Client;
use serde_json::{Value, json};

/// A rate-based rule on a path, with what it does.
fn rule(name: &str, priority: u32, limit: u32, action: &Value) -> Value {
    json!({
        "Name": name,
        "Priority": priority,
        "Statement": { "RateBasedStatement": {
            "Limit": limit,
            "EvaluationWindowSec": 60,
            "AggregateKeyType": "IP",
            "ScopeDownStatement": { "ByteMatchStatement": {
                // /token
                "SearchString": "L3Rva2Vu",
                "FieldToMatch": { "UriPath": {} },
                "TextTransformations": [{ "Priority": 0, "Type": "NONE" }],
                "PositionalConstraint": "EXACTLY",
            } },
        } },
        "Action": action,
        "VisibilityConfig": visibility(&format!("metric-{name}")),
    })
}

fn visibility(metric: &str) -> Value {
    json!({ "SampledRequestsEnabled": true, "CloudWatchMetricsEnabled": true, "MetricName": metric })
}

/// What `CreateWebACL` and `UpdateWebACL` take.
fn settings(rules: &[Value]) -> Value {
    json!({
        "Name": "shop",
        "Scope": "CLOUDFRONT",
        "DefaultAction": { "Allow": {} },
        "VisibilityConfig": visibility("shop"),
        "Rules": rules,
    })
}

/// Settings with the id and the token that a write needs.
fn replacing(client: &mut Client, mut settings: Value) -> Value {
    let listed = client.waf("ListWebACLs", &json!({ "Scope": "CLOUDFRONT" })).ok();
    let summary =
        listed["WebACLs"].as_array().unwrap().iter().find(|it| it["Name"] == "shop").unwrap();
    (settings["Id"], settings["LockToken"]) = (summary["Id"].clone(), summary["LockToken"].clone());
    settings
}

/// A fake with a web ACL of these rules, and somebody to talk to it.
fn shop(rules: &[Value]) -> (FakeAws, Client) {
    let aws = FakeAws::start();
    let mut client = Client::new(&aws.url());
    client.waf("CreateWebACL", &settings(rules)).ok();
    (aws, client)
}
