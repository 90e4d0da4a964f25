//! CloudWatch: alarms, and the figures that WAF sends.

mod alarms;
pub mod cbor;
mod metrics;

pub use alarms::{Alarm, seed};
pub use metrics::{Dimensions, Metrics};

use serde_json::{Value, json};

use super::account::Account;
use super::call::{Call, Refusal};
use super::wire::Reply;

pub fn answer(account: &mut Account, call: &Call) -> Result<Reply, Refusal> {
    let body = call.json();
    let told = match call.operation.as_str() {
        "PutMetricAlarm" => alarms::put(account, &body, &call.region),
        "DescribeAlarms" => alarms::describe(account, &body),
        "DeleteAlarms" => alarms::delete(account, &body),
        "EnableAlarmActions" => alarms::switch(account, &body, true),
        "DisableAlarmActions" => alarms::switch(account, &body, false),
        "ListTagsForResource" => Ok(json!({ "Tags": tags(account, alarm(account, &body)?) })),
        "TagResource" => {
            let arn = alarm(account, &body)?;
            tag(account, &arn, &body["Tags"]);
            Ok(json!({}))
        }
        "UntagResource" => {
            let arn = alarm(account, &body)?;
            let own = account.tags.entry(arn).or_default();
            for key in body["TagKeys"].as_array().into_iter().flatten() {
                own.remove(key.as_str().unwrap_or_default());
            }
            Ok(json!({}))
        }
        "GetMetricData" => metrics::data(account, &body),
        "ListMetrics" => metrics::list(account, &body),
        other => {
            let message = format!("{other} is not there");
            Err(Refusal::new(400, "UnknownOperationException", message))
        }
    }?;
    let headers = vec![
        ("Content-Type", "application/cbor".to_owned()),
        ("smithy-protocol", "rpc-v2-cbor".to_owned()),
    ];
    Ok(Reply { status: 200, headers, body: cbor::written(&told) })
}

/// The ARN that a call about tags names, if there is such an alarm.
fn alarm(account: &Account, body: &Value) -> Result<String, Refusal> {
    let arn = body["ResourceARN"].as_str().unwrap_or_default();
    if account.alarms.values().any(|alarm| alarm.settings["AlarmArn"] == arn) {
        return Ok(arn.to_owned());
    }
    Err(Refusal::new(404, "ResourceNotFoundException", format!("{arn} does not exist")))
}

fn tags(account: &Account, arn: String) -> Value {
    let own = account.tags.get(&arn).into_iter().flatten();
    own.map(|(key, value)| json!({ "Key": key, "Value": value })).collect()
}

/// Adds tags as WAF and CloudWatch write them.
pub fn tag(account: &mut Account, arn: &str, tags: &Value) {
    let own = account.tags.entry(arn.to_owned()).or_default();
    for tag in tags.as_array().into_iter().flatten() {
        let text = |name: &str| tag[name].as_str().unwrap_or_default().to_owned();
        own.insert(text("Key"), text("Value"));
    }
}
