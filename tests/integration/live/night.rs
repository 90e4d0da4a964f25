//! The night shift, edits by hand, and change sets that grow old.

use serde_json::Value;

use super::{HOSTILE, Scene};
use crate::fake_aws::{Fault, On};

/// Somebody changes something of the web ACL in the console.
fn edit_by_hand(scene: &Scene, from: &str, to: &str) {
    let text = scene.aws.web_acl("prod").unwrap();
    assert!(text.contains(from), "{from}: {text}");
    scene.aws.put_web_acl(&text.replacen(from, to, 1));
}

#[test]
fn demote_is_one_command_and_promote_the_way_back() {
    let scene = Scene::attached();
    scene.ok(&["apply", "--yes"]);
    let foreign = scene.foreign();
    let before = scene.rule("acl-token").unwrap();
    assert!(before["Action"]["Block"].is_object());
    // No lock is needed at night.
    scene.workspace.write("kept", scene.workspace.read("ratewaf.lock.json"));
    std::fs::remove_file(scene.workspace.path().join("ratewaf.lock.json")).unwrap();
    let outcome = scene.ok(&["demote", "acl-token", "--yes"]);
    assert!(
        outcome
            .stdout
            .contains("~ rule acl-token; what WAF has counted stays\n      action: block -> count"),
        "{}",
        outcome.stdout
    );
    let after = scene.rule("acl-token").unwrap();
    assert!(after["Action"]["Count"].is_object());
    assert_eq!(after["Statement"], before["Statement"]);
    assert!(scene.rule("acl-search").unwrap()["Action"]["Block"].is_object());
    let alarm = &scene.aws.alarms()["acl-token-over-limit"];
    assert_eq!(alarm["MetricName"], "CountedRequests");
    assert!(alarm["AlarmDescription"].as_str().unwrap().contains("were counted"));
    scene.ok(&["demote", "--yes"]);
    assert!(scene.rule("acl-search").unwrap()["Action"]["Count"].is_object());
    assert_eq!(scene.foreign(), foreign);
    scene.workspace.write("ratewaf.lock.json", scene.workspace.read("kept"));
    // It was us, so it is no drift; and it is as if it had been applied so.
    let plan = scene.ok(&["plan", "--count-mode"]);
    assert!(plan.stdout.contains("nothing to do"), "{}", plan.stdout);
    let missing = scene.run(&["demote", "acl-nothing", "--yes"]);
    assert_eq!(missing.status, 2);
    assert!(missing.stderr.contains("no rule `acl-nothing` of ours"), "{}", missing.stderr);
    assert!(missing.stderr.contains("there are acl-token"), "{}", missing.stderr);
}

#[test]
fn a_demotion_that_was_cut_off_is_finished() {
    let scene = Scene::attached();
    scene.ok(&["apply", "--yes"]);
    scene.aws.fail(On::Every("PutMetricAlarm"), Fault::AccessDenied);
    assert_eq!(scene.run(&["demote", "--yes"]).status, 2);
    scene.aws.heal();
    assert_eq!(scene.aws.alarms()["acl-token-over-limit"]["MetricName"], "BlockedRequests");
    scene.ok(&["demote", "--yes"]);
    assert_eq!(scene.aws.alarms()["acl-token-over-limit"]["MetricName"], "CountedRequests");
    scene.aws.forget();
    assert!(scene.ok(&["demote", "--yes"]).stdout.contains("nothing to do"));
    assert!(scene.aws.writes().is_empty());
}

#[test]
fn edits_by_hand_are_shown_and_stay() {
    let scene = Scene::attached();
    scene.ok(&["apply", "--yes"]);
    edit_by_hand(&scene, "\"Limit\":600", "\"Limit\":900");
    scene.aws.forget();
    let plan = scene.run(&["plan", "--detailed-exitcode"]);
    assert_eq!(plan.status, 1);
    for text in
        ["! rule acl-search: somebody edited it by hand", "limit: 900 -> 600", "--take-over"]
    {
        assert!(plan.stdout.contains(text), "{text}: {}", plan.stdout);
    }
    let apply = scene.run(&["apply", "--yes"]);
    assert_eq!(apply.status, 1, "{}", apply.stderr);
    assert!(scene.aws.writes().is_empty());
    let status = scene.ok(&["status"]);
    assert!(status.stdout.contains("drift: somebody edited it by hand"), "{}", status.stdout);
    assert!(status.stdout.contains("limit: 900 live, 600 in the policy"), "{}", status.stdout);
    scene.ok(&["apply", "--yes", "--take-over"]);
    let limit = |scene: &Scene| {
        scene.rule("acl-search").unwrap()["Statement"]["RateBasedStatement"]["Limit"].clone()
    };
    assert_eq!(limit(&scene), 600);
    // A set, too.
    let set = scene.aws.ip_sets()["acl-qa-runner-v4"].clone();
    assert_eq!(set["Addresses"][0], "198.51.100.20/32");
    scene.edit("limit: 600", "limit: 500");
    let plan = scene.ok(&["plan"]);
    assert!(plan.stdout.contains("~ rule acl-search; WAF counts anew"), "{}", plan.stdout);
}

/// Rules that Terraform or a person made under our names are not ours until somebody says so.
#[test]
fn what_apply_did_not_write_is_taken_over_only_on_request() {
    let scene = Scene::attached();
    let own = r#"{"Name":"acl-search","Priority":120,"Statement":{"RateBasedStatement":{"Limit":50,"AggregateKeyType":"IP"}},"Action":{"Count":{}},"VisibilityConfig":{"SampledRequestsEnabled":true,"CloudWatchMetricsEnabled":true,"MetricName":"acl-search"}},{"Name":"acl-other","Priority":700,"Statement":{"RateBasedStatement":{"Limit":50,"AggregateKeyType":"IP"}},"Action":{"Count":{}},"VisibilityConfig":{"SampledRequestsEnabled":true,"CloudWatchMetricsEnabled":true,"MetricName":"acl-other"}},"#;
    scene.aws.put_web_acl(&HOSTILE.replacen("\"Rules\":[", &format!("\"Rules\":[{own}"), 1));
    let first = scene.run(&["apply", "--yes"]);
    assert_eq!(first.status, 1);
    assert!(
        first.stdout.contains("! rule acl-search: it was not written by apply"),
        "{}",
        first.stdout
    );
    assert!(
        first
            .stdout
            .contains("the rule acl-other is named like ours, and was not written by this program"),
        "{}",
        first.stdout
    );
    assert!(scene.rule("acl-token").is_some());
    assert_eq!(scene.rule("acl-search").unwrap()["Statement"]["RateBasedStatement"]["Limit"], 50);
    scene.ok(&["apply", "--yes", "--take-over"]);
    assert_eq!(scene.rule("acl-search").unwrap()["Statement"]["RateBasedStatement"]["Limit"], 600);
    assert!(scene.rule("acl-other").is_some());
}

#[test]
fn a_change_set_is_done_as_shown_or_not_at_all() {
    let scene = Scene::attached();
    let plan = scene.ok(&["plan", "--count-mode", "--out", "change.json", "--format", "json"]);
    let told: Value = serde_json::from_str(&plan.stdout).unwrap();
    assert_eq!(told["capacity"]["told_by_aws"], false);
    assert_eq!(scene.workspace.read("change.json"), plan.stdout);
    // Others may go on working meanwhile.
    edit_by_hand(&scene, "\"Priority\":500", "\"Priority\":501");
    let done = scene.ok(&["apply", "--change-set", "change.json", "--yes", "--format", "json"]);
    let told: Value = serde_json::from_str(&done.stdout).unwrap();
    assert!(told["written"].as_array().unwrap().len() >= 5, "{told}");
    assert!(told["undo"].as_str().unwrap().starts_with("ratewaf-undo-"));
    assert!(scene.rule("acl-token").unwrap()["Action"]["Count"].is_object());
    assert!(
        scene
            .ok(&["apply", "--change-set", "change.json", "--yes"])
            .stdout
            .contains("nothing to do")
    );
    // With another policy it is another change.
    scene.edit("limit: 600", "limit: 500");
    scene.aws.forget();
    let old = scene.run(&["apply", "--change-set", "change.json", "--yes"]);
    assert_eq!(old.status, 2);
    for text in [
        "does not hold any more",
        "rule acl-search changes",
        "hint: the policy, the lock or the web ACL changed since: plan anew",
    ] {
        assert!(old.stderr.contains(text), "{text}: {}", old.stderr);
    }
    assert!(scene.aws.writes().is_empty());
}

/// Between the question and the answer somebody changes a rule of ours.
#[test]
fn a_stale_token_leads_to_a_new_look() {
    let scene = Scene::attached();
    scene.aws.fail(On::Next("UpdateWebACL"), Fault::StaleToken);
    let outcome = scene.ok(&["apply", "--yes"]);
    assert!(outcome.stderr.contains("reading and comparing anew"), "{}", outcome.stderr);
    assert_eq!(scene.undo_files().len(), 1);
    let always = Scene::attached();
    always.aws.fail(On::Every("UpdateWebACL"), Fault::StaleToken);
    let outcome = always.run(&["apply", "--yes"]);
    assert_eq!(outcome.status, 2);
    assert!(
        outcome.stderr.contains("somebody else keeps changing the web ACL"),
        "{}",
        outcome.stderr
    );
    assert!(outcome.stderr.contains("CloudTrail"), "{}", outcome.stderr);
}

#[test]
fn rules_and_networks_that_leave_the_policy_leave_aws() {
    let scene = Scene::attached();
    scene.ok(&["apply", "--yes"]);
    scene.edit("    twins: [{ network: qa-runner, limit: auto }]\n", "");
    let text = scene.workspace.read("ratewaf.yaml");
    let line = text.lines().find(|line| line.contains("qa-runner: {")).unwrap();
    scene.workspace.write("ratewaf.yaml", text.replace(&format!("{line}\n"), ""));
    let plan = scene.ok(&["plan"]);
    for text in [
        "- rule acl-token-qa-runner",
        "- IP set acl-qa-runner-v4",
        "- alarm acl-token-qa-runner-over-limit",
    ] {
        assert!(plan.stdout.contains(text), "{text}: {}", plan.stdout);
    }
    scene.ok(&["apply", "--yes"]);
    assert!(scene.aws.ip_sets().is_empty(), "{:?}", scene.aws.ip_sets());
    assert!(scene.rule("acl-token-qa-runner").is_none());
    assert_eq!(scene.aws.alarms().len(), 2);
    scene.aws.forget();
    assert!(scene.ok(&["apply", "--yes"]).stdout.contains("nothing to do"));
    assert!(scene.aws.writes().is_empty());
    // And back: the set is made anew, under another ARN.
    let files = scene.undo_files();
    scene.ok(&["rollback", files.last().unwrap(), "--yes"]);
    assert!(scene.rule("acl-token-qa-runner").is_some());
    assert_eq!(scene.aws.ip_sets().len(), 2);
}
