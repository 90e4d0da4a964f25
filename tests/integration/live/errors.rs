//! One error each, exit code 2, and a way out.

use super::{Scene, command, outcome};
use crate::fake_aws::{Fault, On};
use crate::harness::Workspace;

fn refused(scene: &Scene, arguments: &[&str], texts: &[&str]) {
    let told = scene.run(arguments);
    assert_eq!(told.status, 2, "{arguments:?}: {}{}", told.stdout, told.stderr);
    for text in texts {
        assert!(told.stderr.contains(text), "{text}: {}", told.stderr);
    }
    assert!(told.stderr.contains("hint: "), "{}", told.stderr);
    assert_eq!(told.stderr.matches("error: ").count(), 1, "{}", told.stderr);
}

#[test]
fn what_aws_refuses_is_told_with_a_way_out() {
    let apply = ["apply", "--yes"];
    let scene = Scene::attached();
    scene.aws.fail(On::Every("UpdateWebACL"), Fault::AccessDenied);
    refused(
        &scene,
        &apply,
        &[
            "AWS denies wafv2:UpdateWebACL on arn:aws:wafv2:us-east-1:123456789012:global/webacl/prod/",
            "hint: allow wafv2:UpdateWebACL on arn:",
            "emit --format iam",
        ],
    );
    scene.aws.heal();
    scene.aws.fail(On::Every("DescribeAlarms"), Fault::AccessDenied);
    refused(
        &scene,
        &apply,
        &["AWS denies cloudwatch:DescribeAlarms on", "hint: allow cloudwatch:DescribeAlarms"],
    );
    scene.aws.heal();
    scene.aws.fail(On::Every("GetWebACL"), Fault::Throttle);
    refused(
        &scene,
        &apply,
        &[
            "AWS keeps refusing wafv2:GetWebACL after 6 attempts: ThrottlingException: Rate exceeded",
            "not done twice",
        ],
    );
    assert_eq!(scene.aws.seen().iter().filter(|call| call.operation == "GetWebACL").count(), 6 + 3);
    scene.aws.heal();
    scene.aws.fail(On::Every("ListIPSets"), Fault::InternalError);
    refused(&scene, &apply, &["WAFInternalErrorException"]);
}

#[test]
fn plans_of_cloudfront_are_explained() {
    let scene = Scene::attached();
    scene.aws.refuse_custom_responses();
    refused(
        &scene,
        &["apply", "--yes"],
        &["the pricing plan of the distribution does not have", "`pricing_plan`"],
    );
}

#[test]
fn what_is_typed_wrong_is_told() {
    let scene = Scene::attached();
    scene.edit("attach: prod", "attach: nowhere");
    refused(&scene, &["plan"], &["there is no web ACL `nowhere`", "list-web-acls"]);
    scene.workspace.write("odd.json", "{}");
    refused(
        &scene,
        &["apply", "--change-set", "odd.json"],
        &["`odd.json`: it is no change set", "plan --out"],
    );
    refused(&scene, &["rollback", "odd.json"], &["`odd.json`: it is no undo file"]);
    let taken = Scene::attached();
    taken.workspace.write("there.json", "mine");
    let told = taken.run(&["apply", "--yes", "--undo", "there.json"]);
    assert_eq!(told.status, 2);
    assert!(told.stderr.contains("`there.json` is there already"), "{}", told.stderr);
    assert!(taken.aws.writes().is_empty());
    assert_eq!(taken.workspace.read("there.json"), "mine");
}

/// An undo file in the place of a lock that is not there would be read as one by the next command.
#[test]
fn what_live_commands_write_is_none_of_what_they_read() {
    let scene = Scene::attached();
    scene.ok(&["plan", "--out", "change.json"]);
    scene.ok(&["apply", "--yes", "--undo", "undo.json"]);
    let (policy, undo) = (scene.workspace.read("ratewaf.yaml"), scene.workspace.read("undo.json"));
    std::fs::remove_file(scene.workspace.path().join("ratewaf.lock.json")).unwrap();
    let names = scene.workspace.names();
    let asked = scene.aws.seen().len();
    let own = |text: &'static str| vec![text, "hint:"];
    for (arguments, texts) in [
        (vec!["plan", "--out", "ratewaf.yaml"], own("--out and the policy would be one file")),
        (
            vec!["apply", "--change-set", "change.json", "--undo", "./change.json"],
            own("--undo would replace `./change.json`, which --change-set reads"),
        ),
        (vec!["apply", "--undo", "ratewaf.yaml"], own("--undo and the policy would be one file")),
        (
            vec!["promote", "--undo", "ratewaf.lock.json"],
            own("--undo and the lock would be one file"),
        ),
        (
            vec!["demote", "--undo", "ratewaf.lock.json"],
            own("--undo and the lock would be one file"),
        ),
        (
            vec!["rollback", "undo.json", "--undo", "undo.json"],
            own("--undo would replace `undo.json`, which rollback reads"),
        ),
        (vec!["demote", "--undo", "change.json"], own("`change.json` is there already")),
    ] {
        refused(&scene, &arguments, &texts);
    }
    for arguments in [["plan", "--out", "no/change.json"], ["demote", "--undo", "no/undo.json"]] {
        let told = scene.run(&arguments);
        assert_eq!(told.status, 2, "{arguments:?}");
        assert!(told.stderr.contains("there is no such folder"), "{}", told.stderr);
    }
    assert_eq!(scene.aws.seen().len(), asked, "AWS is not asked before");
    assert_eq!(scene.workspace.names(), names);
    assert_eq!(scene.workspace.read("ratewaf.yaml"), policy);
    assert_eq!(scene.workspace.read("undo.json"), undo);
}

/// Found by a fresh user: a policy as `analyze` writes it names no topic, and not even `status` worked.
#[test]
fn alarms_without_a_topic_are_made_and_said() {
    let scene = Scene::attached();
    scene.edit(
        "alarms: { topic_arn: \"arn:aws:sns:us-east-1:123456789012:alerts\", threshold: 0 }",
        "alarms: { threshold: 0 }",
    );
    scene.edit("attach: prod", "attach: nowhere");
    refused(&scene, &["plan"], &["there is no web ACL `nowhere`"]);
    scene.edit("attach: nowhere", "attach: prod");
    let told = scene.ok(&["apply", "--yes"]);
    let hint = "the alarms tell nobody, as apply makes no topics: `aws sns create-topic --name acl-alarms --region us-east-1`";
    assert!(told.stdout.contains(hint), "{}", told.stdout);
    assert_eq!(scene.aws.alarms().len(), 3);
    assert!(scene.ok(&["apply", "--yes"]).stdout.contains("nothing to do"));
    scene.ok(&["status"]);
}

/// Found by a hostile tester: a change set of one alarm wrote another, and took away rules of others.
#[test]
fn undo_files_of_strangers_are_refused() {
    let scene = Scene::attached();
    scene.ok(&["apply", "--yes"]);
    let file = &scene.undo_files()[0];
    let text = scene.workspace.read(file);
    for (from, to, words) in [
        ("\"acl-search\"", "\"managed\"", "it is about `managed`"),
        ("\"acl-limited\"", "\"maintenance\"", "it is about `maintenance`"),
        ("acl-search-over-limit", "payments-down", "it is about `payments-down`"),
        (
            "\"alarms\": {}",
            "\"alarms\": {\"acl-search-over-limit\": {\"AlarmName\": \"payments-down\"}}",
            "is an alarm",
        ),
    ] {
        assert!(text.contains(from), "{from}: {text}");
        scene.workspace.write("forged.json", text.replace(from, to));
        refused(&scene, &["rollback", "forged.json", "--yes"], &[words, "did not write it"]);
    }
}

#[test]
fn without_credentials_or_an_aws_nothing_starts() {
    let workspace = Workspace::new();
    workspace.write("ratewaf.yaml", super::POLICY.replace("WEB_ACL", "create: prod"));
    workspace.write(
        "ratewaf.lock.json",
        std::fs::read(crate::harness::repository("tests/golden/emit/ratewaf.lock.json")).unwrap(),
    );
    let mut alone = command(&workspace, "http://127.0.0.1:1", &["plan"]);
    alone.env_remove("AWS_ACCESS_KEY_ID").env_remove("AWS_SECRET_ACCESS_KEY");
    let told = outcome(alone);
    assert_eq!(told.status, 2);
    assert!(
        told.stderr.contains("no AWS credentials") && told.stderr.contains("aws sso login"),
        "{}",
        told.stderr
    );
    let told = outcome(command(&workspace, "http://127.0.0.1:1", &["plan"]));
    assert_eq!(told.status, 2);
    assert!(
        told.stderr.contains("cannot reach AWS for wafv2:List")
            && told.stderr.contains("HTTPS_PROXY"),
        "{}",
        told.stderr
    );
}
