//! What WAF refuses although plans and validators let it pass.

use serde_json::{Value, json};

use super::{Client, replacing, rule, settings, shop};

/// The refusal of a web ACL of these rules; its field, or its kind if it has none.
fn refused(client: &mut Client, rules: &[Value]) -> String {
    let update = replacing(client, settings(rules));
    let told = client.waf("UpdateWebACL", &update);
    assert_eq!(told.status, 400, "{rules:?}");
    let field = told.json()["Field"].as_str().map(str::to_owned);
    field.unwrap_or_else(|| told.code())
}

fn changed(change: impl FnOnce(&mut Value)) -> Value {
    let mut one = rule("acl-token", 10, 100, &json!({ "Block": {} }));
    change(&mut one);
    one
}

#[test]
fn rules_that_waf_does_not_take() {
    let (aws, mut client) = shop(&[]);
    let rate = "/Statement/RateBasedStatement";
    let cases: Vec<(&str, Value)> = vec![
        ("RATE_BASED_STATEMENT", changed(|it| it.pointer_mut(rate).unwrap()["Limit"] = 9.into())),
        (
            "RATE_BASED_STATEMENT",
            changed(|it| it.pointer_mut(rate).unwrap()["EvaluationWindowSec"] = 90.into()),
        ),
        (
            "FORWARDED_IP_CONFIG",
            changed(|it| it.pointer_mut(rate).unwrap()["AggregateKeyType"] = "FORWARDED_IP".into()),
        ),
        (
            "CUSTOM_KEYS",
            changed(|it| it.pointer_mut(rate).unwrap()["AggregateKeyType"] = "CUSTOM_KEYS".into()),
        ),
        (
            "CUSTOM_KEYS",
            changed(|it| it.pointer_mut(rate).unwrap()["CustomKeys"] = json!([{ "IP": {} }])),
        ),
        (
            "SCOPE_DOWN",
            changed(|it| {
                it.pointer_mut(rate).unwrap()["AggregateKeyType"] = "CONSTANT".into();
                it.pointer_mut(rate).unwrap().as_object_mut().unwrap().remove("ScopeDownStatement");
            }),
        ),
        (
            "AND_STATEMENT",
            changed(|it| {
                let one = it.pointer(rate).unwrap()["ScopeDownStatement"].clone();
                it.pointer_mut(rate).unwrap()["ScopeDownStatement"] =
                    json!({ "AndStatement": { "Statements": [one] } });
            }),
        ),
        ("STATEMENT", changed(|it| it["Statement"] = json!({}))),
        (
            "FIELD_TO_MATCH",
            changed(|it| {
                it.pointer_mut(
                    "/Statement/RateBasedStatement/ScopeDownStatement/ByteMatchStatement",
                )
                .unwrap()["FieldToMatch"] = json!({});
            }),
        ),
        (
            "TEXT_TRANSFORMATION",
            changed(|it| {
                let twice = json!([{ "Priority": 0, "Type": "NONE" }, { "Priority": 0, "Type": "LOWERCASE" }]);
                it.pointer_mut(
                    "/Statement/RateBasedStatement/ScopeDownStatement/ByteMatchStatement",
                )
                .unwrap()["TextTransformations"] = twice;
            }),
        ),
        ("RULE_ACTION", changed(|it| it["Action"] = json!({ "Allow": {} }))),
        ("RULE_ACTION", changed(|it| it["Action"] = json!({ "Block": {}, "Count": {} }))),
        ("RULE_ACTION", changed(|it| it["OverrideAction"] = json!({ "None": {} }))),
        (
            "CUSTOM_RESPONSE",
            changed(|it| {
                it["Action"]["Block"] = json!({ "CustomResponse": { "ResponseCode": 418 } })
            }),
        ),
        (
            "CUSTOM_RESPONSE_BODY",
            changed(|it| {
                it["Action"]["Block"] = json!({ "CustomResponse": { "ResponseCode": 429, "CustomResponseBodyKey": "none" } });
            }),
        ),
        ("METRIC_NAME", changed(|it| it["VisibilityConfig"]["MetricName"] = "All".into())),
        ("ValidationException", changed(|it| it["Name"] = "a b".into())),
        (
            "WAFNonexistentItemException",
            changed(|it| {
                it["Statement"] = json!({ "IPSetReferenceStatement": { "ARN": "arn:aws:wafv2:us-east-1:123456789012:global/ipset/x/y" } });
            }),
        ),
        (
            "OVERRIDE_ACTION",
            changed(|it| {
                it["Statement"] =
                    json!({ "ManagedRuleGroupStatement": { "VendorName": "AWS", "Name": "x" } });
            }),
        ),
    ];
    for (field, rule) in cases {
        assert_eq!(refused(&mut client, std::slice::from_ref(&rule)), field, "{rule}");
    }
    let one = |name: &str, priority| rule(name, priority, 100, &json!({ "Block": {} }));
    assert_eq!(refused(&mut client, &[one("a", 1), one("b", 1)]), "RULE");
    assert_eq!(refused(&mut client, &[one("a", 1), one("a", 2)]), "WAFDuplicateItemException");
    let many: Vec<Value> = (0..11).map(|it| one(&format!("r{it}"), it)).collect();
    assert_eq!(refused(&mut client, &many), "WAFLimitsExceededException");
    let heavy: Vec<Value> = (0..8)
        .map(|it| {
            let mut group = one(&format!("g{it}"), it);
            group["Statement"] =
                json!({ "ManagedRuleGroupStatement": { "VendorName": "AWS", "Name": "x" } });
            group["OverrideAction"] = json!({ "None": {} });
            group.as_object_mut().unwrap().remove("Action");
            group
        })
        .collect();
    assert_eq!(refused(&mut client, &heavy), "WEB_ACL");
    assert!(aws.rules("shop").is_empty(), "nothing of it was taken");
}

#[test]
fn addresses_that_waf_does_not_take() {
    let (_aws, mut client) = shop(&[]);
    for (version, address) in [
        ("IPV4", "192.0.2.1"),
        ("IPV4", "0.0.0.0/0"),
        ("IPV4", "2001:db8::/32"),
        ("IPV4", "192.0.2.1/24"),
        ("IPV6", "192.0.2.0/24"),
    ] {
        let set = json!({ "Name": "qa", "Scope": "CLOUDFRONT", "IPAddressVersion": version, "Addresses": [address] });
        let told = client.waf("CreateIPSet", &set);
        assert_eq!(told.json()["Field"], "IP_ADDRESS", "{address}");
    }
    let set = json!({ "Name": "qa", "Scope": "CLOUDFRONT", "IPAddressVersion": "IPV6", "Addresses": ["2001:DB8:0::/48", "2001:db8:1::/48"] });
    client.waf("CreateIPSet", &set).ok();
}

#[test]
fn the_wrong_region_and_a_plan() {
    let (aws, mut client) = shop(&[]);
    client.region = "eu-central-1";
    let told = client.waf("ListWebACLs", &json!({ "Scope": "CLOUDFRONT" }));
    assert_eq!(told.json()["Field"], "SCOPE_VALUE");
    client.region = "us-east-1";
    aws.refuse_custom_responses();
    let answer =
        changed(|it| it["Action"]["Block"] = json!({ "CustomResponse": { "ResponseCode": 429 } }));
    assert_eq!(refused(&mut client, &[answer]), "WAFFeatureNotIncludedInPricingPlanException");
}

#[test]
fn capacity_is_told_before_anything_is_written() {
    let (aws, mut client) = shop(&[]);
    let rules = [changed(|_| {}), rule("b", 20, 100, &json!({ "Count": {} }))];
    let told = client.waf("CheckCapacity", &json!({ "Scope": "CLOUDFRONT", "Rules": rules })).ok();
    assert_eq!(told["Capacity"], 8);
    assert!(aws.rules("shop").is_empty());
}

#[test]
fn logs_go_to_one_place_of_the_right_name() {
    let (aws, mut client) = shop(&[]);
    let arn = aws.web_acl_arn("shop").unwrap();
    let put = |to: &str| json!({ "LoggingConfiguration": { "ResourceArn": arn, "LogDestinationConfigs": [to] } });
    let told = client.waf("PutLoggingConfiguration", &put("arn:aws:s3:::other"));
    assert_eq!(told.json()["Field"], "LOG_DESTINATION");
    client.waf("PutLoggingConfiguration", &put("arn:aws:s3:::aws-waf-logs-shop")).ok();
    assert!(aws.logging(&arn).is_some());
    client.waf("DeleteLoggingConfiguration", &json!({ "ResourceArn": arn })).ok();
    let gone = client.waf("GetLoggingConfiguration", &json!({ "ResourceArn": arn }));
    assert_eq!(gone.code(), "WAFNonexistentItemException");
}
