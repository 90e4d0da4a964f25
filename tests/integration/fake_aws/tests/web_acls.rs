//! Reading and replacing web ACLs and IP sets.

use serde_json::{Value, json};

use super::{Client, replacing, rule, settings, shop};
use crate::fake_aws::FakeAws;

/// Spelling that a parser would not give back: spaces, escapes, numbers, unknown members.
const FOREIGN: &str = r#"{ "Name":"theirs", "Priority":1,"Statement":{"FutureStatement":{"Weight":1.50,"Big":123456789012345678901234567890,"Text":"\u003cscript\u003e\/"}}, "Action":{"Teleport":{"To":"mars"}},"VisibilityConfig":{"SampledRequestsEnabled":false,"CloudWatchMetricsEnabled":true,"MetricName":"theirs"}}"#;

#[test]
fn what_is_foreign_keeps_its_bytes() {
    let aws = FakeAws::start();
    let json = format!(
        r#"{{"Name":"shop","DefaultAction":{{"Allow":{{}}}},"Rules":[{FOREIGN}],"VisibilityConfig":{{"SampledRequestsEnabled":true,"CloudWatchMetricsEnabled":true,"MetricName":"shop"}},"AnalyticsConfig":{{"State":"DISABLED"}}}}"#
    );
    let arn = aws.put_web_acl(&json);
    let mut client = Client::new(&aws.url());
    let told = client.waf("GetWebACL", &json!({ "ARN": arn })).text();
    assert!(told.contains(FOREIGN), "{told}");

    let ours = rule("acl-token", 10, 100, &json!({ "Count": {} }));
    let about =
        replacing(&mut client, json!({ "Name": "shop", "Scope": "CLOUDFRONT" })).to_string();
    let request = format!(
        r#"{},"DefaultAction":{{"Allow":{{}}}},"AnalyticsConfig":{{"State":"DISABLED"}},"Rules":[{FOREIGN},{ours}],"VisibilityConfig":{{"SampledRequestsEnabled":true,"CloudWatchMetricsEnabled":true,"MetricName":"shop"}}}}"#,
        about.trim_end_matches('}')
    );
    client.waf_text("UpdateWebACL", &request).ok();
    assert_eq!(aws.rules("shop"), [FOREIGN.to_owned(), ours.to_string()]);
    assert!(aws.web_acl("shop").unwrap().contains(r#""AnalyticsConfig":{"State":"DISABLED"}"#));
    assert!(aws.web_acl("shop").unwrap().contains(r#""Capacity":6"#));
}

#[test]
fn an_update_replaces_everything_and_needs_the_token() {
    let (aws, mut client) = shop(&[]);
    let mut described = replacing(&mut client, settings(&[]));
    described["Description"] = "of the shop".into();
    client.waf("UpdateWebACL", &described).ok();
    assert!(aws.web_acl("shop").unwrap().contains("of the shop"));
    assert_eq!(client.waf("UpdateWebACL", &described).code(), "WAFOptimisticLockException");
    let bare = replacing(&mut client, settings(&[]));
    client.waf("UpdateWebACL", &bare).ok();
    assert!(!aws.web_acl("shop").unwrap().contains("of the shop"), "what is left out is gone");
    assert_eq!(aws.writes(), ["CreateWebACL", "UpdateWebACL", "UpdateWebACL", "UpdateWebACL"]);
}

#[test]
fn a_window_that_is_left_out_is_told() {
    let mut rate = rule("acl-token", 10, 100, &json!({ "Count": {} }));
    rate["Statement"]["RateBasedStatement"].as_object_mut().unwrap().remove("EvaluationWindowSec");
    let (aws, _) = shop(&[rate]);
    assert!(aws.rules("shop")[0].contains(r#""EvaluationWindowSec":300"#));
}

#[test]
fn lists_come_in_pages_with_a_marker_after_a_full_last_one() {
    let aws = FakeAws::start();
    for number in 0..5 {
        aws.put_ip_set(&format!(
            r#"{{"Name":"set-{number}","IPAddressVersion":"IPV4","Addresses":["192.0.2.{number}/32"]}}"#
        ));
    }
    let mut client = Client::new(&aws.url());
    let (mut names, mut marker, mut pages) = (Vec::new(), Value::Null, 0);
    loop {
        let mut body = json!({ "Scope": "CLOUDFRONT", "Limit": 5 });
        if !marker.is_null() {
            body["NextMarker"] = marker;
        }
        let told = client.waf("ListIPSets", &body).ok();
        names.extend(told["IPSets"].as_array().unwrap().iter().map(|it| it["Name"].to_string()));
        pages += 1;
        marker = told["NextMarker"].clone();
        if marker.is_null() {
            break;
        }
    }
    assert_eq!((names.len(), pages), (5, 2));
}

#[test]
fn an_ip_set_in_use_stays_and_a_new_one_takes_a_while() {
    let (aws, mut client) = shop(&[]);
    aws.settle_after(2);
    let set = json!({ "Name": "qa-v4", "Scope": "CLOUDFRONT", "IPAddressVersion": "IPV4", "Addresses": ["203.0.113.9/32", "192.0.2.0/24"] });
    let summary = client.waf("CreateIPSet", &set).ok()["Summary"].clone();
    assert_eq!(client.waf("CreateIPSet", &set).code(), "WAFDuplicateItemException");
    let mut reference = rule("acl-token", 10, 100, &json!({ "Count": {} }));
    reference["Statement"] = json!({ "IPSetReferenceStatement": { "ARN": summary["ARN"] } });
    let update = replacing(&mut client, settings(&[reference]));
    for _ in 0..2 {
        assert_eq!(client.waf("UpdateWebACL", &update).code(), "WAFUnavailableEntityException");
    }
    client.waf("UpdateWebACL", &update).ok();
    let named = json!({ "Name": "qa-v4", "Scope": "CLOUDFRONT", "Id": summary["Id"], "LockToken": summary["LockToken"] });
    assert_eq!(client.waf("DeleteIPSet", &named).code(), "WAFAssociatedItemException");
    let bare = replacing(&mut client, settings(&[]));
    client.waf("UpdateWebACL", &bare).ok();
    client.waf("DeleteIPSet", &named).ok();
    assert!(aws.ip_sets().is_empty());
}

#[test]
fn a_distribution_is_associated_with_the_version_that_was_read() {
    let (aws, mut client) = shop(&[]);
    aws.put_distribution("E1", "");
    let arn = aws.web_acl_arn("shop").unwrap();
    let body = format!(
        "<AssociateDistributionWebACLRequest><WebACLArn>{arn}</WebACLArn></AssociateDistributionWebACLRequest>"
    );
    let path = "/2020-05-31/distribution/E1/associate-web-acl";
    let wrong = client.send("PUT", path, "If-Match: other\r\n", body.as_bytes());
    assert_eq!((wrong.status, aws.distribution("E1").unwrap()), (412, String::new()));
    let read = client.send("GET", "/2020-05-31/distribution/E1", "", b"");
    let etag = read.head.split("ETag: ").nth(1).unwrap().lines().next().unwrap().to_owned();
    let right = client.send("PUT", path, &format!("If-Match: {etag}\r\n"), body.as_bytes());
    assert_eq!((right.status, aws.distribution("E1").unwrap()), (200, arn));
}
