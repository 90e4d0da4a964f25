//! Applies that meet each other, and people who write in between: nobody's update is lost.

use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use super::Scene;
use crate::fake_aws::tests::client::Client;
use crate::fake_aws::{Fault, On};

const APPLY: [&str; 3] = ["apply", "--count-mode", "--yes"];

/// One and the same policy, from two machines.
#[test]
fn the_same_apply_twice_at_once_is_done_once() {
    for slow in
        ["ListWebACLs", "GetWebACL", "CreateIPSet", "UpdateWebACL", "TagResource", "PutMetricAlarm"]
    {
        let wanted = Scene::attached();
        wanted.ok(&APPLY);
        let scene = Scene::attached();
        let foreign = scene.foreign();
        // The first one is held up at a call, so that the other overtakes it.
        scene.aws.fail(On::Next(slow), Fault::Delay(Duration::from_millis(700)));
        let run =
            || scene.command(&APPLY).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let both = [run(), run()];
        for child in both {
            let output = child.wait_with_output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            let code = output.status.code().unwrap();
            // Done, or refused with a reason and a way out.
            assert!(code == 0 || (code == 2 && said.contains("hint:")), "{slow}: {code} {said}");
        }
        scene.ok(&APPLY);
        assert_eq!(scene.foreign(), foreign, "{slow}");
        assert_eq!(scene.aws.rules("prod").len(), wanted.aws.rules("prod").len(), "{slow}");
        let names = |scene: &Scene| -> Vec<String> { scene.aws.ip_sets().into_keys().collect() };
        assert_eq!(names(&scene), names(&wanted), "{slow}");
        assert_eq!(scene.aws.alarms().len(), wanted.aws.alarms().len(), "{slow}");
        scene.aws.forget();
        scene.ok(&APPLY);
        assert!(scene.aws.writes().is_empty(), "{slow}: {:?}", scene.aws.writes());
    }
}

/// Adds a rule to `prod` as a careful client does: with the token that it read. Gives whether it could.
pub fn add_by_hand(url: &str, web_acl: &str, number: u64) -> bool {
    // moto closes the connection after each answer.
    let call = |operation: &str, body: &Value| Client::new(url).waf(operation, body);
    let listed = call("ListWebACLs", &json!({ "Scope": "CLOUDFRONT" })).json();
    let Some(found) = listed["WebACLs"]
        .as_array()
        .and_then(|listed| listed.iter().find(|one| one["Name"] == web_acl))
    else {
        return false;
    };
    let named = json!({ "Scope": "CLOUDFRONT", "Name": web_acl, "Id": found["Id"] });
    let read = call("GetWebACL", &named).json();
    let acl = &read["WebACL"];
    if !acl["Rules"].is_array() {
        return false;
    }
    let mut update = json!({ "Scope": "CLOUDFRONT", "LockToken": read["LockToken"] });
    for member in
        ["Name", "Id", "DefaultAction", "VisibilityConfig", "CustomResponseBodies", "Rules"]
    {
        if !acl[member].is_null() {
            update[member] = acl[member].clone();
        }
    }
    let rule = json!({
        "Name": format!("by-hand-{number}"),
        "Priority": 10_000 + number,
        "Statement": { "GeoMatchStatement": { "CountryCodes": ["DE"] } },
        "Action": { "Count": {} },
        "VisibilityConfig": { "SampledRequestsEnabled": true, "CloudWatchMetricsEnabled": true, "MetricName": format!("by-hand-{number}") },
    });
    update["Rules"].as_array_mut().unwrap().push(rule);
    call("UpdateWebACL", &update).status == 200
}

/// While applies of changing policies run, somebody else adds rule after rule.
#[test]
fn what_others_write_meanwhile_is_still_there() {
    let scene = Scene::attached();
    let over = AtomicBool::new(false);
    let added = std::thread::scope(|scope| {
        let others = scope.spawn(|| {
            let mut added = 0;
            while !over.load(Ordering::Relaxed) && added < 60 {
                added += u64::from(add_by_hand(&scene.aws.url(), "prod", added));
                std::thread::sleep(Duration::from_millis(25));
            }
            added
        });
        for limit in 600..608 {
            let outcome = scene.run(&APPLY);
            assert!([0, 2].contains(&outcome.status), "{}", outcome.stderr);
            scene.edit(&format!("limit: {limit}"), &format!("limit: {}", limit + 1));
        }
        over.store(true, Ordering::Relaxed);
        others.join().unwrap()
    });
    assert!(added >= 5, "{added}");
    scene.ok(&APPLY);
    let rules: Vec<Value> =
        scene.aws.rules("prod").iter().map(|text| serde_json::from_str(text).unwrap()).collect();
    for number in 0..added {
        let name = format!("by-hand-{number}");
        assert!(
            rules.iter().any(|rule| rule["Name"] == name.as_str()),
            "{name} of {added} is lost"
        );
    }
    assert_eq!(scene.rule("acl-search").unwrap()["Statement"]["RateBasedStatement"]["Limit"], 608);
}
