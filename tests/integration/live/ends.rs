//! Distributions, regions, and the permissions that it all takes.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{HOSTILE, Scene, outcome};
use crate::fake_aws::{Fault, On, Service};

#[test]
fn a_distribution_gets_the_web_acl_by_the_narrow_call() {
    let scene = Scene::own();
    scene.aws.put_distribution("E2EXAMPLE123", "");
    let apply = ["apply", "--yes", "--distribution", "E2EXAMPLE123"];
    scene.aws.fail(On::Next("AssociateDistributionWebACL"), Fault::StaleToken);
    scene.ok(&apply);
    assert_eq!(scene.aws.distribution("E2EXAMPLE123"), scene.aws.web_acl_arn("prod"));
    let calls = scene.aws.seen();
    assert!(
        calls
            .iter()
            .filter(|call| call.operation == "AssociateDistributionWebACL")
            .all(|call| call.if_match.is_some())
    );
    scene.aws.forget();
    assert!(scene.ok(&apply).stdout.contains("nothing to do"));
    assert!(scene.aws.writes().is_empty());
    // The web ACL is found by the distribution, so no list of web ACLs is needed.
    assert!(scene.aws.seen().iter().all(|call| call.operation != "ListWebACLs"));

    let other = scene.aws.put_web_acl(&HOSTILE.replace("\"prod\"", "\"theirs\""));
    scene.aws.put_distribution("E3", &other);
    let refused = scene.run(&["apply", "--yes", "--distribution", "E3"]);
    assert_eq!(refused.status, 2);
    for text in [
        "the distribution E3 has the web ACL `theirs` and not `prod`",
        "hint: write `web_acl: { attach: NAME }`",
    ] {
        assert!(refused.stderr.contains(text), "{text}: {}", refused.stderr);
    }
    let missing = scene.run(&["plan", "--distribution", "E4"]);
    assert_eq!(missing.status, 2);
    assert!(
        missing.stderr.contains("NoSuchDistribution")
            && missing.stderr.contains("hint: check the name"),
        "{}",
        missing.stderr
    );
}

#[test]
fn what_belongs_to_cloudfront_is_in_us_east_1_whatever_the_profile_says() {
    let scene = Scene::own();
    let mut command = scene.command(&["apply", "--yes", "--region", "eu-west-1"]);
    command.env("AWS_REGION", "ap-southeast-2");
    let told = outcome(command);
    assert_eq!(told.status, 0, "{}", told.stderr);
    assert!(told.stderr.contains("--region eu-west-1 is of no use here"), "{}", told.stderr);
    assert!(scene.aws.seen().iter().all(|call| call.region == "us-east-1"));
    let arn = scene.aws.web_acl_arn("prod").unwrap();
    assert!(scene.ok(&["plan", "--web-acl", &arn]).stdout.contains("nothing to do"));
    let wrong = scene.run(&["plan", "--web-acl", &arn.replace("prod", "stage")]);
    assert_eq!(wrong.status, 2);
    assert!(
        wrong.stderr.contains("is not the ARN of the policy's web ACL prod"),
        "{}",
        wrong.stderr
    );
}

#[test]
fn a_regional_web_acl_has_its_region_everywhere() {
    let scene = Scene::own();
    scene.aws.put_regional_web_acl(HOSTILE);
    scene.edit("name: acl\n", "name: acl\nscope: regional\nregion: us-east-1\n");
    scene.edit("create: prod", "attach: prod, priority: 100");
    scene.ok(&["apply", "--yes"]);
    assert!(scene.rule("acl-token").is_some());
    let dimensions = scene.aws.alarms()["acl-token-over-limit"]["Dimensions"].to_string();
    assert!(dimensions.contains("Region") && dimensions.contains("us-east-1"), "{dimensions}");
    assert!(scene.ok(&["plan"]).stdout.contains("nothing to do"));
    let wrong = scene.run(&["plan", "--region", "eu-west-1"]);
    assert_eq!(wrong.status, 2);
    assert!(wrong.stderr.contains("the policy is for us-east-1"), "{}", wrong.stderr);
    assert_eq!(scene.run(&["plan", "--distribution", "E1"]).status, 2);
}

#[test]
fn a_role_is_taken_on() {
    let scene = Scene::own();
    scene.ok(&["plan", "--assume-role", "arn:aws:iam::123456789012:role/night"]);
    let calls = scene.aws.seen();
    let assumed = calls.iter().find(|call| call.service == Service::Sts).unwrap();
    assert_eq!(assumed.operation, "AssumeRole");
    assert!(assumed.body.contains("night"));
}

/// Every call that is made is one that `emit --format iam` allows to ratewaf.
#[test]
fn the_permissions_are_those_of_the_calls() {
    let mut called = BTreeSet::new();
    for scene in [Scene::own(), Scene::attached()] {
        scene.aws.put_distribution("E1", "");
        scene.ok(&["plan"]);
        scene.ok(&["apply", "--yes", "--distribution", "E1"]);
        scene.ok(&["status"]);
        scene.ok(&["demote", "--yes"]);
        scene.run(&["promote", "--yes"]);
        scene.edit("limit: 600", "limit: 500");
        scene.edit("198.51.100.20/32", "198.51.100.21/32");
        scene.ok(&["apply", "--yes"]);
        scene.run(&["check", "--live"]);
        let group = r#"{"Name":"team","Capacity":2,"Rules":[]}"#;
        let group = scene.aws.put_rule_group(group, "CLOUDFRONT");
        let rule = format!(
            r#"{{"Name":"team","Priority":0,"Statement":{{"RuleGroupReferenceStatement":{{"ARN":"{group}"}}}},"OverrideAction":{{"None":{{}}}}}}"#
        );
        let other =
            format!(r#"{{"Name":"other","DefaultAction":{{"Allow":{{}}}},"Rules":[{rule}]}}"#);
        // Our own web ACL has no such rule: only in somebody else's may groups be read.
        if scene.workspace.read("ratewaf.yaml").contains("attach:") {
            let other = scene.aws.put_web_acl(&other);
            scene.run(&["check", "--live", "--web-acl", &other]);
        }
        for file in scene.undo_files().iter().rev() {
            scene.ok(&["rollback", file, "--yes"]);
        }
        let told: Value =
            serde_json::from_str(&scene.ok(&["emit", "--format", "iam"]).stdout).unwrap();
        let own = told.as_array().unwrap().iter().find(|one| one["Name"] == "acl-ratewaf").unwrap();
        let statements = own["Document"]["Statement"].as_array().unwrap();
        let allowed: BTreeSet<&str> = statements
            .iter()
            .flat_map(|one| one["Action"].as_array().unwrap())
            .map(|action| action.as_str().unwrap())
            .collect();
        for call in scene.aws.seen() {
            let service = match call.service {
                Service::Waf => "wafv2",
                Service::CloudWatch => "cloudwatch",
                Service::CloudFront => "cloudfront",
                Service::Sts => "sts",
            };
            let action = format!("{service}:{}", call.operation);
            assert!(allowed.contains(action.as_str()), "{action} is not among {allowed:?}");
            called.insert(action);
        }
        // And nothing is allowed that nothing calls.
        let idle: Vec<&&str> = allowed.iter().filter(|action| !called.contains(**action)).collect();
        assert!(idle.is_empty(), "{idle:?}");
    }
}

/// The rules need a body and sets that the first file took away.
#[test]
fn an_undo_file_works_out_of_order() {
    let scene = Scene::attached();
    scene.ok(&["apply", "--yes"]);
    let blocking: Vec<Value> = ["acl-token", "acl-token-qa-runner", "acl-search"]
        .map(|name| scene.rule(name).unwrap())
        .into();
    scene.ok(&["demote", "--yes"]);
    let files = scene.undo_files();
    assert_eq!(files.len(), 2);
    scene.ok(&["rollback", &files[0], "--yes"]);
    assert!(scene.rule("acl-token").is_none() && scene.aws.ip_sets().is_empty());
    scene.ok(&["rollback", &files[1], "--yes"]);
    for rule in blocking {
        let back = scene.rule(rule["Name"].as_str().unwrap()).unwrap();
        assert_eq!(back["Action"], rule["Action"]);
    }
    assert_eq!(scene.aws.ip_sets().len(), 2);
    let again = scene.ok(&["rollback", &files[1], "--yes"]);
    assert!(again.stdout.contains("nothing to do"), "{}", again.stdout);
}
