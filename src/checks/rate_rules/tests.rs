//! Web ACLs as people write them, and what becomes of their rules.

use serde_json::{Value, json};

use super::{Error, HeldRule, RateRules, rate_rules};
use crate::checks::model::{self, Deployment};
use crate::checks::read::{Input, read_text};
use crate::rules::Action;

fn deployment(json: &Value) -> Deployment {
    let text = json.to_string();
    let input = Input { name: "acl.json".to_owned(), environment: None, text };
    model::build(read_text(&input).unwrap().found)
}

fn of(rules: &Value) -> RateRules {
    let acl = json!({"Name": "prod", "DefaultAction": {"Allow": {}}, "Rules": rules});
    let sets = json!({"Name": "office", "ARN": "arn:aws:wafv2:us-east-1:123456789012:global/ipset/office/1",
        "IPAddressVersion": "IPV4", "Addresses": ["203.0.113.0/24"]});
    rate_rules(&deployment(&json!({"WebACL": acl, "IPSet": sets})), None).unwrap()
}

fn byte_match(field: &Value, constraint: &str, base64: &str, transformation: &str) -> Value {
    json!({"ByteMatchStatement": {"SearchString": base64, "PositionalConstraint": constraint,
        "FieldToMatch": field, "TextTransformations": [{"Priority": 0, "Type": transformation}]}})
}

/// `/api`, with case.
fn api() -> Value {
    byte_match(&json!({"UriPath": {}}), "STARTS_WITH", "L2FwaQ==", "NONE")
}

fn office() -> Value {
    json!({"IPSetReferenceStatement": {"ARN": "arn:aws:wafv2:us-east-1:123456789012:global/ipset/office/1"}})
}

fn rule(name: &str, priority: u32, action: &str, statement: &Value) -> Value {
    json!({"Name": name, "Priority": priority, "Action": {action: {}}, "Statement": statement,
        "VisibilityConfig": {"SampledRequestsEnabled": true, "CloudWatchMetricsEnabled": true, "MetricName": name}})
}

fn rate(scope: &Value) -> Value {
    let mut rate = json!({"Limit": 100, "AggregateKeyType": "IP"});
    if !scope.is_null() {
        rate["ScopeDownStatement"] = scope.clone();
    }
    json!({"RateBasedStatement": rate})
}

fn counts(rule: &HeldRule, method: &str, path: &str) -> bool {
    rule.condition.matches(path.as_bytes(), method.as_bytes(), Some(b"shop.example"))
}

fn why(scope: &Value) -> String {
    let found = of(&json!([rule("a", 1, "Block", &rate(scope))]));
    assert!(found.rules.is_empty());
    found.left_out[0].1.clone()
}

#[test]
fn a_scope_down_with_case_and_an_ip_set_is_exact() {
    let not_office = json!({"NotStatement": {"Statement": office()}});
    let post = byte_match(&json!({"Method": {}}), "EXACTLY", "UE9TVA==", "NONE");
    let scope = json!({"AndStatement": {"Statements": [api(), post, not_office]}});
    let found = of(&json!([rule("a", 1, "Block", &rate(&scope))]));
    assert_eq!(found.web_acl, "web ACL `prod`");
    let held = &found.rules[0];
    assert_eq!((held.limit.requests(), held.window.seconds()), (100, 300));
    assert_eq!((&*held.title, &held.action), ("POST /api*", &Action::Block));
    assert!(counts(held, "POST", "/api/x") && !counts(held, "POST", "/API/x"));
    assert!(!counts(held, "GET", "/api/x"));
    assert_eq!(held.but[0].name, "office");
    assert!(held.only.is_empty() && held.careful.is_empty());
}

#[test]
fn what_an_earlier_rule_ends_is_not_counted_and_what_nobody_knows_is_said() {
    let bots = json!({"ManagedRuleGroupStatement": {"VendorName": "AWS", "Name": "AWSManagedRulesBotControlRuleSet"}});
    let mut managed = rule("bots", 5, "Block", &bots);
    managed.as_object_mut().unwrap().remove("Action");
    managed["OverrideAction"] = json!({"None": {}});
    let geo = json!({"GeoMatchStatement": {"CountryCodes": ["DE"]}});
    let found = of(&json!([
        rule("office", 0, "Allow", &office()),
        rule("api", 1, "Allow", &api()),
        rule("count-germany", 2, "Count", &geo),
        rule("first", 3, "Block", &rate(&Value::Null)),
        managed,
        rule("second", 6, "Count", &rate(&Value::Null)),
    ]));
    let [first, second] = found.rules.as_slice() else { panic!("{found:?}") };
    assert_eq!(first.title, "every request");
    assert!(!counts(first, "GET", "/api") && counts(first, "GET", "/"));
    assert_eq!(first.but[0].name, "office");
    assert!(first.careful.is_empty());
    assert_eq!(second.action, Action::Count);
    assert!(second.careful[0].ends_with(": bots"), "{:?}", second.careful);
}

#[test]
fn what_cannot_be_decided_is_named_and_left_out() {
    let geo = json!({"GeoMatchStatement": {"CountryCodes": ["DE"]}});
    assert!(why(&geo).contains("GeoMatch"));
    let either = json!({"OrStatement": {"Statements": [office(), api()]}});
    assert!(why(&either).contains("told apart"));
    let header = json!({"SingleHeader": {"Name": "x-api-key"}});
    assert!(why(&byte_match(&header, "EXACTLY", "YQ==", "NONE")).contains("`x-api-key`"));
    let path = json!({"UriPath": {}});
    let html = byte_match(&path, "EXACTLY", "YQ==", "HTML_ENTITY_DECODE");
    assert!(why(&html).contains("HTML_ENTITY_DECODE"));
    assert!(why(&byte_match(&path, "CONTAINS_WORD", "YQ==", "NONE")).contains("CONTAINS_WORD"));
    assert!(why(&json!({"IPSetReferenceStatement": {"ARN": "arn:other"}})).contains("arn:other"));
    let forwarded = json!({"IPSetReferenceStatement": {"ARN": office()["IPSetReferenceStatement"]["ARN"],
        "IPSetForwardedIPConfig": {"HeaderName": "x-forwarded-for", "FallbackBehavior": "MATCH", "Position": "FIRST"}}});
    assert!(why(&forwarded).contains("in a header"));
    let mut deep = api();
    for _ in 0..40 {
        deep = json!({"AndStatement": {"Statements": [deep, api()]}});
    }
    assert!(why(&deep).contains("too deep"));
    let mut keyed = rate(&Value::Null);
    keyed["RateBasedStatement"]["AggregateKeyType"] = "FORWARDED_IP".into();
    let found = of(&json!([rule("a", 1, "Block", &keyed)]));
    assert!(found.left_out[0].1.contains("the address that connected"));
}

#[test]
fn a_rule_group_stands_where_it_is_referred_to() {
    let arn = "arn:aws:wafv2:us-east-1:123456789012:global/rulegroup/limits/1";
    let group = json!({"Name": "limits", "ARN": arn, "Capacity": 50, "Rules": [
        rule("a", 7, "Block", &rate(&Value::Null)), rule("b", 8, "Block", &rate(&api()))]});
    let reference = json!({"RuleGroupReferenceStatement": {"ARN": arn,
        "RuleActionOverrides": [{"Name": "b", "ActionToUse": {"Count": {}}}]}});
    let mut join = rule("join", 1, "Block", &reference);
    join.as_object_mut().unwrap().remove("Action");
    join["OverrideAction"] = json!({"None": {}});
    let acl = |overridden: &str| {
        let mut join = join.clone();
        join["OverrideAction"] = json!({overridden: {}});
        json!({"Name": "prod", "DefaultAction": {"Allow": {}}, "Rules": [join]})
    };
    let both = |overridden: &str| json!({"WebACL": acl(overridden), "RuleGroup": group});
    let actions = |json: &Value| -> Vec<(String, Action)> {
        let found = rate_rules(&deployment(json), None).unwrap();
        found.rules.into_iter().map(|rule| (rule.name, rule.action)).collect()
    };
    let named = |a, b| vec![("a".to_owned(), a), ("b".to_owned(), b)];
    assert_eq!(actions(&both("None")), named(Action::Block, Action::Count));
    assert_eq!(actions(&both("Count")), named(Action::Count, Action::Count));
    let alone = rate_rules(&deployment(&json!({"RuleGroup": group})), None).unwrap();
    assert!(alone.is_part && alone.rules.len() == 2);
    let without = rate_rules(&deployment(&json!({"WebACL": acl("None")})), None).unwrap();
    assert!(without.left_out[0].1.contains("not among what was read"));
}

#[test]
fn one_of_several_web_acls_has_to_be_chosen() {
    let acl = |name: &str| {
        json!({"Name": name, "DefaultAction": {"Allow": {}},
            "Rules": [rule("a", 1, "Block", &rate(&Value::Null))]})
    };
    let two = deployment(&json!({"WebACL": [acl("stage"), acl("prod")]}));
    let names = vec!["stage".to_owned(), "prod".to_owned()];
    assert_eq!(rate_rules(&two, None).unwrap_err(), Error::Several(names.clone()));
    assert_eq!(rate_rules(&two, Some("prod")).unwrap().web_acl, "web ACL `prod`");
    let unknown = Error::Unknown { name: "x".to_owned(), others: names };
    assert_eq!(rate_rules(&two, Some("x")).unwrap_err(), unknown);
    let none = json!({"WebACL": {"Name": "prod", "DefaultAction": {"Allow": {}}, "Rules": []}});
    assert_eq!(rate_rules(&deployment(&none), None).unwrap_err(), Error::None);
}
