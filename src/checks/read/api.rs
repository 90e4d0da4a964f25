//! The API's JSON: what `aws wafv2 get-web-acl`, `get-rule-group` and `get-ip-set` print, or inputs of the
//! calls as `ratewaf emit --format api-json` writes them.

use serde_json::Value;

use super::{Error, Input};
use crate::checks::model::{Found, Tool};

/// Members of an answer, or commands, and what they hold.
const KINDS: [(&str, &str); 9] = [
    ("WebACL", "AWS::WAFv2::WebACL"),
    ("RuleGroup", "AWS::WAFv2::RuleGroup"),
    ("IPSet", "AWS::WAFv2::IPSet"),
    ("LoggingConfiguration", "AWS::WAFv2::LoggingConfiguration"),
    ("wafv2 create-ip-set", "AWS::WAFv2::IPSet"),
    ("wafv2 create-web-acl", "AWS::WAFv2::WebACL"),
    ("wafv2 create-rule-group", "AWS::WAFv2::RuleGroup"),
    ("wafv2 put-logging-configuration", "AWS::WAFv2::LoggingConfiguration"),
    ("cloudwatch put-metric-alarm", "AWS::CloudWatch::Alarm"),
];

pub(super) fn is_calls(json: &Value) -> bool {
    KINDS.iter().any(|(name, _)| json.get(name).is_some())
}

/// Reads the API's JSON: one web ACL, an answer that holds one, a list of either, or calls.
///
/// # Errors
/// When it holds nothing of WAF's.
pub fn read_api(input: &Input, json: &Value) -> Result<Vec<Found>, Error> {
    let mut found = Vec::new();

    gather(input, json, &mut found);
    if found.is_empty() {
        return Err(input.error("holds no web ACL, rule group or IP set"));
    }
    Ok(found)
}

fn gather(input: &Input, json: &Value, found: &mut Vec<Found>) {
    if let Some(several) = json.as_array() {
        for one in several {
            gather(input, one, found);
        }
        return;
    }
    let mut add = |kind: &str, values: &Value| {
        let mut values = match (kind, values.get("LoggingConfiguration")) {
            ("AWS::WAFv2::LoggingConfiguration", Some(inner)) => inner.clone(),
            _ => values.clone(),
        };
        // What GetWebACL answers has no scope: its ARN tells.
        let arn = values["ARN"].as_str().map(str::to_owned);
        if let (Some(members), Some(arn)) = (values.as_object_mut(), &arn)
            && kind != "AWS::WAFv2::LoggingConfiguration"
        {
            let global = arn.contains(":global/");
            let scope = if global { "CLOUDFRONT" } else { "REGIONAL" };
            members.entry("Scope").or_insert_with(|| scope.into());
        }
        let name = ["Name", "AlarmName"].iter().find_map(|name| values[*name].as_str());
        let name = name.or_else(|| values["ResourceArn"].as_str()).unwrap_or(kind).to_owned();
        let mut item = input.item(Tool::Api, name);
        item.region = arn
            .and_then(|arn| arn.split(':').nth(3).map(str::to_owned))
            .filter(|it| !it.is_empty());
        found.push(Found { item, kind: kind.to_owned(), values, before: None });
    };
    if json["Rules"].is_array() {
        let kind = if json["DefaultAction"].is_null() && !json["Capacity"].is_null() {
            "AWS::WAFv2::RuleGroup"
        } else {
            "AWS::WAFv2::WebACL"
        };
        add(kind, json);
    }
    for (name, kind) in KINDS {
        match json.get(name) {
            Some(Value::Array(several)) => several.iter().for_each(|one| add(kind, one)),
            Some(one @ Value::Object(_)) => add(kind, one),
            _ => {}
        }
    }
}
