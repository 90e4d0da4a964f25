//! Alarms and figures.

use ratewaf::units::Timestamp;
use serde_json::{Value, json};

use super::{rule, shop};
use crate::fake_aws::Visit;

fn alarm(metric: &str) -> Value {
    json!({
        "AlarmName": "acl-token",
        "Namespace": "AWS/WAFV2",
        "MetricName": metric,
        "Dimensions": [{ "Name": "Rule", "Value": "metric-acl-token" }, { "Name": "WebACL", "Value": "shop" }],
        "Statistic": "Sum",
        "Period": 300,
        "EvaluationPeriods": 1,
        "Threshold": 0.0,
        "ComparisonOperator": "GreaterThanThreshold",
        "TreatMissingData": "notBreaching",
        "Tags": [{ "Key": "managed-by", "Value": "ratewaf" }],
    })
}

#[test]
fn an_alarm_follows_the_traffic() {
    let (aws, mut client) = shop(&[rule("acl-token", 10, 10, &json!({ "Count": {} }))]);
    client.cloudwatch("PutMetricAlarm", &alarm("CountedRequests")).ok();
    let mut state = || {
        let told = client.cloudwatch("DescribeAlarms", &json!({ "AlarmNamePrefix": "acl" })).ok();
        told["MetricAlarms"][0]["StateValue"].as_str().unwrap().to_owned()
    };
    assert_eq!(state(), "OK");
    let start = aws.now().0 - 120;
    let visits: Vec<Visit> = (0..60)
        .map(|second| Visit::new(Timestamp(start + second), "192.0.2.1", "GET", "/token"))
        .collect();
    let answers = aws.replay("shop", &visits);
    assert!(answers.iter().all(|answer| answer.status == 200), "counting stops nobody");
    let counted = answers.iter().filter(|answer| !answer.counted_by.is_empty()).count();
    assert_eq!(state(), "ALARM");

    let query = json!({
        "StartTime": start - 60, "EndTime": start + 180,
        "MetricDataQueries": [{ "Id": "counted", "MetricStat": {
            "Metric": { "Namespace": "AWS/WAFV2", "MetricName": "CountedRequests", "Dimensions": alarm("")["Dimensions"] },
            "Period": 60, "Stat": "Sum",
        } }],
    });
    let told = client.cloudwatch("GetMetricData", &query).ok();
    let values = told["MetricDataResults"][0]["Values"].as_array().unwrap();
    let sum: f64 = values.iter().map(|it| it.as_f64().unwrap()).sum();
    assert!(counted > 0 && (sum - counted as f64).abs() < 0.5, "{sum} {counted}");

    let told = client
        .cloudwatch(
            "ListMetrics",
            &json!({ "Namespace": "AWS/WAFV2", "MetricName": "CountedRequests" }),
        )
        .ok();
    let dimensions = told["Metrics"].to_string();
    assert!(
        dimensions.contains("metric-acl-token") && !dimensions.contains("Region"),
        "{dimensions}"
    );
}

#[test]
fn an_alarm_keeps_its_tags_and_is_deleted_by_name() {
    let (aws, mut client) = shop(&[]);
    client.cloudwatch("PutMetricAlarm", &alarm("CountedRequests")).ok();
    let mut other = alarm("BlockedRequests");
    other["Tags"] = json!([{ "Key": "managed-by", "Value": "somebody" }]);
    client.cloudwatch("PutMetricAlarm", &other).ok();
    let arn = "arn:aws:cloudwatch:us-east-1:123456789012:alarm:acl-token";
    assert_eq!(aws.tags(arn)["managed-by"], "ratewaf");
    assert_eq!(aws.alarms()["acl-token"]["MetricName"], "BlockedRequests");
    let missing =
        client.cloudwatch("DeleteAlarms", &json!({ "AlarmNames": ["acl-token", "none"] }));
    assert_eq!((missing.status, missing.code().as_str()), (404, "ResourceNotFound"));
    client.cloudwatch("DeleteAlarms", &json!({ "AlarmNames": ["acl-token"] })).ok();
    assert!(aws.alarms().is_empty());
}
