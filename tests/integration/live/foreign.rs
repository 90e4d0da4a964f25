//! What is not ours goes back as it came, byte for byte, over the wire.

use serde_json::Value;

use super::{HOSTILE, Scene};

/// The texts of the rules in a request, as they were sent.
fn sent(scene: &Scene) -> Vec<String> {
    let calls = scene.aws.seen();
    calls
        .into_iter()
        .filter(|call| call.operation == "UpdateWebACL")
        .map(|call| call.body)
        .collect()
}

/// The whole web ACL, but for what AWS works out itself.
fn without_capacity(scene: &Scene) -> String {
    let text = scene.aws.web_acl("prod").unwrap();
    regex::Regex::new("\"Capacity\":[0-9]+").unwrap().replace(&text, "").into_owned()
}

#[test]
fn bytes_of_others_are_on_the_wire_as_they_came() {
    let scene = Scene::attached();
    let (before, whole) = (scene.foreign(), without_capacity(&scene));
    assert_eq!(before.len(), 2);
    scene.ok(&["apply", "--yes"]);
    let bodies = sent(&scene);
    assert_eq!(bodies.len(), 1);
    for text in before.iter().map(String::as_str).chain([
        r#""AnalyticsConfig":{"Mode":"DISABLED"}"#,
        r#""AssociationConfig":{"RequestBody":{"CLOUDFRONT":{"DefaultSizeInspectionLimit":"KB_64"}}}"#,
        r#""maintenance":{"ContentType":"TEXT_PLAIN","Content":"back soon \u00fc \/"}"#,
        r#""TokenDomains":["shop.example"]"#,
    ]) {
        assert!(bodies[0].contains(text), "{text}\n{}", bodies[0]);
    }
    let order: Vec<Value> =
        serde_json::from_str::<Value>(&bodies[0]).unwrap()["Rules"].as_array().unwrap().clone();
    let names: Vec<&str> = order.iter().map(|rule| rule["Name"].as_str().unwrap()).collect();
    assert_eq!(names, ["managed", "acl-token", "acl-token-qa-runner", "acl-search", "odd"]);
    assert_eq!(scene.foreign(), before);

    // Some more, there and back again.
    for limit in [500, 60, 777, 10, 90] {
        scene.edit("limit: 6", &format!("limit: {limit} # 6"));
        scene.ok(&["apply", "--yes"]);
        assert_eq!(scene.foreign(), before);
        let text = scene.workspace.read("ratewaf.yaml");
        scene
            .workspace
            .write("ratewaf.yaml", text.replace(&format!("limit: {limit} # 6"), "limit: 6"));
    }
    let mut files = scene.undo_files();
    files.reverse();
    for file in &files {
        scene.ok(&["rollback", file, "--yes"]);
        assert_eq!(scene.foreign(), before, "{file}");
    }
    assert_eq!(without_capacity(&scene), whole);
    assert!(scene.aws.ip_sets().is_empty() && scene.aws.alarms().is_empty());
}

#[test]
fn settings_that_are_unknown_stop_the_write() {
    let scene = Scene::attached();
    scene.aws.put_web_acl(&HOSTILE.replace("\"AnalyticsConfig\"", "\"QuantumConfig\""));
    let before = scene.aws.web_acl("prod");
    let outcome = scene.run(&["apply", "--yes"]);
    assert_eq!(outcome.status, 2);
    for text in ["the setting `QuantumConfig`", "hint: update ratewaf"] {
        assert!(outcome.stderr.contains(text), "{text}: {}", outcome.stderr);
    }
    assert_eq!(scene.aws.web_acl("prod"), before);
    assert!(!scene.aws.writes().contains(&"UpdateWebACL".to_owned()));
}

#[test]
fn what_is_managed_elsewhere_is_not_fought() {
    let scene = Scene::attached();
    scene.aws.put_web_acl(&HOSTILE.replacen('{', "{\"ManagedByFirewallManager\":true,", 1));
    for arguments in [&["apply", "--yes"][..], &["plan"], &["demote", "--yes"]] {
        let outcome = scene.run(arguments);
        assert_eq!(outcome.status, 2, "{arguments:?}");
        assert!(outcome.stderr.contains("managed by AWS Firewall Manager"), "{}", outcome.stderr);
    }
    let shield = r#"[{"Name":"ShieldMitigationRuleGroup_123456789012_x","Priority":10000000,"Statement":{"RuleGroupReferenceStatement":{"ARN":"arn:aws:wafv2:us-east-1:123456789012:global/rulegroup/shield/1"}},"OverrideAction":{"None":{}},"VisibilityConfig":{"SampledRequestsEnabled":true,"CloudWatchMetricsEnabled":true,"MetricName":"s"}},"#;
    scene.aws.put_web_acl(&HOSTILE.replacen("\"Rules\":[", &format!("\"Rules\":{shield}"), 1));
    let plan = scene.ok(&["plan"]);
    assert!(plan.stdout.contains("AWS Shield's own among them"), "{}", plan.stdout);
    assert!(scene.aws.writes().is_empty());
}

#[test]
fn places_of_others_are_not_taken() {
    let scene = Scene::attached();
    scene.edit("priority: 100", "priority: 500");
    let outcome = scene.run(&["plan"]);
    assert_eq!(outcome.status, 2);
    assert!(
        outcome
            .stderr
            .contains("priority 500, which `acl-token` has to have, is that of the rule `odd`"),
        "{}",
        outcome.stderr
    );
    assert!(outcome.stderr.contains("hint: give the policy another place"), "{}", outcome.stderr);
}
