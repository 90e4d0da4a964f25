use serde_json::json;

use super::*;
use crate::checks::marker;
use crate::checks::model::build;

fn input() -> Input {
    Input { name: "plan.json".into(), environment: None, text: String::new() }
}

fn read(plan: &Value) -> Reading {
    read_plan(&input(), plan).unwrap()
}

const PLAN: &str = r#"{
        "format_version": "1.2", "terraform_version": "1.11.4",
        "variables": { "region": { "value": "us-east-1" } },
        "resource_changes": [
            { "address": "module.sets.aws_wafv2_ip_set.qa[0]", "module_address": "module.sets",
              "mode": "managed", "type": "aws_wafv2_ip_set", "name": "qa", "index": 0,
              "change": { "actions": ["create"], "before": null,
                "after": { "name": "qa", "scope": "CLOUDFRONT", "ip_address_version": "IPV4", "addresses": ["192.0.2.0/24"] },
                "after_unknown": { "arn": true }, "after_sensitive": {} } },
            { "address": "module.edge[\"a.b\"].aws_wafv2_web_acl.this", "module_address": "module.edge[\"a.b\"]",
              "mode": "managed", "type": "aws_wafv2_web_acl", "name": "this",
              "change": { "actions": ["update"],
                "before": { "name": "prod", "rule": [{ "name": "token", "priority": 1, "statement": [{ "rate_based_statement": [{ "limit": 500 }] }] }] },
                "after": { "name": "prod", "scope": "CLOUDFRONT", "description": "", "rule": [
                    { "name": "guard", "priority": 2, "statement": [{ "byte_match_statement": [{ "search_string": "hunter2", "positional_constraint": "EXACTLY" }] }] },
                    { "name": "token", "priority": 1, "statement": [{ "rate_based_statement": [{ "limit": 200, "scope_down_statement": [
                        { "not_statement": [{ "statement": [{ "ip_set_reference_statement": [{}] }] }] }] }] }] }] },
                "after_unknown": { "rule": [{}, { "statement": [{ "rate_based_statement": [{ "scope_down_statement": [
                    { "not_statement": [{ "statement": [{ "ip_set_reference_statement": [{ "arn": true }] }] }] }] }] }] }] },
                "after_sensitive": { "rule": [{ "statement": [{ "byte_match_statement": [{ "search_string": true }] }] }, {}] } } },
            { "address": "aws_wafv2_ip_set.old", "mode": "managed", "type": "aws_wafv2_ip_set", "name": "old",
              "change": { "actions": ["delete"], "before": { "name": "old" }, "after": null } }
        ],
        "configuration": {
            "provider_config": { "aws.us": { "expressions": { "region": { "references": ["var.region"] } } } },
            "root_module": { "module_calls": {
                "sets": { "module": {
                    "outputs": { "arn": { "expression": { "references": ["aws_wafv2_ip_set.qa[0].arn", "aws_wafv2_ip_set.qa[0]"] } } },
                    "resources": [{ "mode": "managed", "type": "aws_wafv2_ip_set", "name": "qa", "provider_config_key": "aws.us" }] } },
                "edge": { "expressions": { "set": { "references": ["module.sets.arn", "module.sets"] } }, "module": {
                    "resources": [{ "mode": "managed", "type": "aws_wafv2_web_acl", "name": "this", "provider_config_key": "module.edge:aws.us",
                        "expressions": { "rule": [
                            { "name": { "constant_value": "token" }, "statement": [{ "rate_based_statement": [{ "scope_down_statement": [
                                { "not_statement": [{ "statement": [{ "ip_set_reference_statement": [{ "arn": { "references": ["var.set"] } }] }] }] }] }] }] },
                            { "name": { "constant_value": "guard" } }] } }] } }
            } } }
}"#;

/// A module whose web ACL gets the set of another module, and a secret.
fn plan() -> Value {
    serde_json::from_str(PLAN).unwrap()
}

#[test]
fn modules_unknown_and_sensitive_values() {
    let reading = read(&plan());
    assert!(!format!("{reading:?}").contains("hunter2"), "a secret must not be kept");
    let deployment = build(reading.found);
    let [acl] = deployment.acls.as_slice() else { panic!("one web ACL") };
    assert_eq!(acl.item.region.as_deref(), Some("us-east-1"));
    assert_eq!(acl.item.change, Change::Update);
    assert!(acl.raw.get("Description").is_none(), "an empty text is none");
    let token = acl.rule("token").unwrap();
    assert_eq!(token.rate().unwrap().limit(), Some(200));
    assert_eq!(token.rate_before().unwrap().limit(), Some(500));
    let reference = token.statement().all_of("IPSetReferenceStatement")[0];
    let set = deployment.ip_set(&reference["ARN"], &acl.item).unwrap();
    assert_eq!(set.item.address, "module.sets.aws_wafv2_ip_set.qa[0]");
    let guard = acl.rule("guard").unwrap();
    let matched = guard.statement().all_of("ByteMatchStatement")[0];
    assert!(marker::is_hidden(&matched["SearchString"]));
    assert!(guard.is_new());
    assert_eq!(deployment.removed[0].before["Name"], "old");
}

#[test]
fn a_secret_hides_the_whole_set_of_rules() {
    let mut plan = plan();
    plan["resource_changes"][1]["change"]["after_sensitive"] = json!({ "rule": true });
    let deployment = build(read(&plan).found);
    assert!(deployment.acls[0].is_hidden && !deployment.acls[0].has_all_rules);
    assert!(deployment.acls[0].rules.is_empty());
}

#[test]
fn what_is_no_whole_plan_is_refused() {
    for (change, wanted) in [
        (json!({ "format_version": "2.0" }), "format 2.0"),
        (json!({ "format_version": null }), "format_version"),
        (json!({ "errored": true }), "errored"),
        (json!({ "complete": false }), "complete"),
        (json!({ "resource_changes": {} }), "is no list"),
        (json!({ "resource_changes": [1] }), "resource_changes[0]"),
        (json!({ "resource_changes": [{ "type": "aws_wafv2_ip_set" }] }), "has no `change`"),
    ] {
        let mut plan = plan();
        for (name, value) in change.as_object().unwrap() {
            plan[name] = value.clone();
        }
        let error = read_plan(&input(), &plan).unwrap_err().to_string();
        assert!(error.contains(wanted), "{error}");
    }
    let state = json!({ "format_version": "1.0", "values": {} });
    assert!(read_plan(&input(), &state).unwrap_err().to_string().contains("state"));
}

/// A document that is made of itself, twice.
#[test]
fn circles_end() {
    let mut plan: Value = serde_json::from_str(CIRCLE).unwrap();
    read(&plan);
    let twice = serde_json::json!({ "references": ["data.aws_iam_policy_document.a.json"] });
    let own = &mut plan["configuration"]["root_module"]["resources"][0]["expressions"];
    own["override_json"] = twice;
    plan["resource_changes"][0]["change"]["after_unknown"]["override_json"] = true.into();
    read(&plan);
}

/// Documents of which each names the one before twice.
#[test]
fn documents_that_double_end() {
    let name = |number: usize| format!("data.aws_iam_policy_document.d{number}.json");
    let changes = (0..40).map(|number| {
        json!({ "address": format!("data.aws_iam_policy_document.d{number}"), "mode": "data",
            "type": "aws_iam_policy_document", "name": format!("d{number}"),
            "change": { "actions": ["read"], "before": null, "after": { "statement": [{ "effect": "Allow" }] },
                "after_unknown": { "statement": [{ "resources": [true, true] }] } } })
    });
    let resources = (0..40).map(|number: usize| {
        let before = name(number.saturating_sub(1));
        json!({ "mode": "data", "type": "aws_iam_policy_document", "name": format!("d{number}"),
            "expressions": { "statement": [{ "resources": { "references": [before, before] } }] } })
    });
    let mut plan: Value = serde_json::from_str(CIRCLE).unwrap();
    let whole = plan["resource_changes"].as_array_mut().unwrap();
    whole.extend(changes);
    whole[1]["change"]["after_unknown"] = json!({ "description": true });
    let whole = plan["configuration"]["root_module"]["resources"].as_array_mut().unwrap();
    whole.extend(resources);
    whole[1]["expressions"]["description"]["references"] = json!([name(39)]);
    assert_eq!(read(&plan).found.len(), 1);
}

const CIRCLE: &str = r#"{"format_version": "1.2", "terraform_version": "1.11.4", 
    "resource_changes": [{"address": "data.aws_iam_policy_document.a", "mode": "data", "type": "aws_iam_policy_document", "name": "a", "change": {"actions": ["read"], "before": null, "after": {}, "after_unknown": {"source_json": true}}}, {"address": "aws_wafv2_ip_set.s", "mode": "managed", "type": "aws_wafv2_ip_set", "name": "s", "change": {"actions": ["create"], "before": null, "after": {"name": "s"}, "after_unknown": {"description": true}, "after_sensitive": {}}}], 
    "configuration": {"root_module": {"resources": [{"mode": "data", "type": "aws_iam_policy_document", "name": "a", "expressions": {"source_json": {"references": ["data.aws_iam_policy_document.a.json", "data.aws_iam_policy_document.a"]}}}, {"mode": "managed", "type": "aws_wafv2_ip_set", "name": "s", "expressions": {"description": {"references": ["data.aws_iam_policy_document.a.json"]}}}]}}}"#;
