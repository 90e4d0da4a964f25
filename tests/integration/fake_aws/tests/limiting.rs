//! Rate-based rules on traffic.

use ratewaf::units::Timestamp;
use serde_json::{Value, json};

use super::{Client, replacing, rule, settings, shop};
use crate::fake_aws::{FakeAws, Visit};

fn block() -> Value {
    json!({ "Block": { "CustomResponse": {
        "ResponseCode": 429,
        "CustomResponseBodyKey": "slow",
        "ResponseHeaders": [{ "Name": "Retry-After", "Value": "60" }],
    } } })
}

fn with_body(rules: &[Value]) -> Value {
    let mut settings = settings(rules);
    settings["CustomResponseBodies"] =
        json!({ "slow": { "ContentType": "TEXT_PLAIN", "Content": "Slow down" } });
    settings
}

/// One request a second from a second on.
fn visits(client: &str, from: i64, seconds: i64) -> Vec<Visit> {
    (0..seconds).map(|it| Visit::new(Timestamp(from + it), client, "GET", "/token")).collect()
}

fn blocked(aws: &FakeAws, visits: &[Visit]) -> usize {
    aws.replay("shop", visits).iter().filter(|answer| answer.status == 429).count()
}

fn update(client: &mut Client, rules: &[Value]) {
    let body = replacing(client, with_body(rules));
    client.waf("UpdateWebACL", &body).ok();
}

#[test]
fn above_the_limit_the_answer_is_ours_until_the_rate_falls() {
    let (aws, mut client) = shop(&[]);
    update(&mut client, &[rule("acl-token", 10, 20, &block())]);
    let start = 1_790_000_000;
    let answers = aws.replay("shop", &visits("192.0.2.1", start, 120));
    assert!(
        answers[..21].iter().all(|answer| answer.status == 200),
        "a limit is no limit below it"
    );
    let first = answers.iter().position(|answer| answer.status == 429).unwrap();
    assert!((21..60).contains(&first), "{first}: a look every ten seconds, and a lag");
    assert!(answers[first..].iter().all(|answer| answer.status == 429), "while it goes on");
    assert_eq!(answers[first].body, "Slow down");
    assert!(answers[first].headers.contains(&("Retry-After".to_owned(), "60".to_owned())));
    // A quiet client is not met, nor another path.
    assert_eq!(blocked(&aws, &visits("198.51.100.7", start + 120, 15)), 0);
    let elsewhere = Visit::new(Timestamp(start + 136), "192.0.2.1", "GET", "/other");
    assert_eq!(blocked(&aws, &[elsewhere]), 0);
    // Two minutes later the rate has fallen.
    assert_eq!(blocked(&aws, &visits("192.0.2.1", start + 260, 10)), 0);
}

#[test]
fn counters_survive_another_action_and_not_another_limit() {
    let start = 1_790_000_000;
    let count = json!({ "Count": {} });
    for (limit, survives) in [(20, true), (21, false)] {
        let (aws, mut client) = shop(&[rule("acl-token", 10, 20, &count)]);
        assert_eq!(blocked(&aws, &visits("192.0.2.1", start, 60)), 0);
        update(&mut client, &[rule("acl-token", 10, limit, &block())]);
        let answers = aws.replay("shop", &visits("192.0.2.1", start + 60, 5));
        assert_eq!(answers.iter().all(|answer| answer.status == 429), survives, "{limit}");
    }
}

#[test]
fn who_is_limited_is_told_and_sampled() {
    let (aws, mut client) = shop(&[rule("acl-token", 10, 20, &json!({ "Count": {} }))]);
    let start = aws.now().0 - 60;
    let mut crowd = visits("192.0.2.1", start, 60);
    crowd.extend(visits("2001:db8::1", start, 60));
    crowd.extend(visits("198.51.100.7", start, 15));
    aws.replay("shop", &crowd);
    let listed = client.waf("ListWebACLs", &json!({ "Scope": "CLOUDFRONT" })).ok();
    let id = listed["WebACLs"][0]["Id"].clone();
    let asked = json!({ "Scope": "CLOUDFRONT", "WebACLName": "shop", "WebACLId": id, "RuleName": "acl-token" });
    let keys = client.waf("GetRateBasedStatementManagedKeys", &asked).ok();
    assert_eq!(keys["ManagedKeysIPV4"]["Addresses"], json!(["192.0.2.1/32"]));
    assert_eq!(keys["ManagedKeysIPV6"]["Addresses"], json!(["2001:db8::1/128"]));

    let asked = json!({
        "WebAclArn": aws.web_acl_arn("shop"), "RuleMetricName": "metric-acl-token", "Scope": "CLOUDFRONT",
        "TimeWindow": { "StartTime": start - 10, "EndTime": start + 90 }, "MaxItems": 100,
    });
    let sample = client.waf("GetSampledRequests", &asked).ok();
    let requests = sample["SampledRequests"].as_array().unwrap();
    assert!(!requests.is_empty() && requests.iter().all(|it| it["Action"] == "COUNT"));
    // An hour later nobody is.
    aws.set_clock(Timestamp(start + 3_600));
    let asked = json!({ "Scope": "CLOUDFRONT", "WebACLName": "shop", "WebACLId": id, "RuleName": "acl-token" });
    let keys = client.waf("GetRateBasedStatementManagedKeys", &asked).ok();
    assert_eq!(keys["ManagedKeysIPV4"]["Addresses"], json!([]));
}

#[test]
fn rules_of_a_group_act_and_send_their_own_figures() {
    let (aws, mut client) = shop(&[]);
    let group = json!({
        "Name": "limits", "Scope": "CLOUDFRONT", "Capacity": 50,
        "VisibilityConfig": super::visibility("limits"),
        "Rules": [rule("acl-token", 10, 20, &block())],
        "CustomResponseBodies": { "slow": { "ContentType": "TEXT_PLAIN", "Content": "From the group" } },
    });
    let arn = client.waf("CreateRuleGroup", &group).ok()["Summary"]["ARN"].clone();
    let reference = json!({
        "Name": "limits", "Priority": 5, "OverrideAction": { "None": {} },
        "Statement": { "RuleGroupReferenceStatement": { "ARN": arn } },
        "VisibilityConfig": super::visibility("limits-rule"),
    });
    let body = replacing(&mut client, settings(&[reference]));
    client.waf("UpdateWebACL", &body).ok();
    assert!(aws.web_acl("shop").unwrap().contains(r#""Capacity":50"#));
    assert_eq!(aws.rule_groups()["limits"]["ARN"], arn);
    let answers = aws.replay("shop", &visits("192.0.2.1", 1_790_000_000, 90));
    assert_eq!(answers[89].body, "From the group");
    let told = client.cloudwatch("ListMetrics", &json!({ "MetricName": "BlockedRequests" })).ok();
    let series = told["Metrics"].to_string();
    assert!(series.contains("RuleGroup") && series.contains("metric-acl-token"), "{series}");
}
