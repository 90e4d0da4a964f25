//! Where a web ACL logs.

use serde_json::{Value, json};

use super::refusal;
use crate::fake_aws::account::Account;
use crate::fake_aws::call::Refusal;

pub fn put(account: &mut Account, body: &Value) -> Result<Value, Refusal> {
    let configuration = &body["LoggingConfiguration"];
    let arn = configuration["ResourceArn"].as_str().unwrap_or_default();
    if !account.web_acls.iter().any(|acl| acl.arn == arn) {
        return Err(refusal::nonexistent());
    }
    let destinations =
        configuration["LogDestinationConfigs"].as_array().cloned().unwrap_or_default();
    let is_one = |arn: &str| {
        // arn:aws:s3:::NAME, arn:aws:logs:R:A:log-group:NAME, arn:aws:firehose:R:A:deliverystream/NAME
        let name = arn.rsplit([':', '/']).next().unwrap_or_default();
        name.starts_with("aws-waf-logs-")
    };
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    if destinations.len() != 1 || !is_one(&text(&destinations[0])) {
        let parameter = destinations.first().map(text).unwrap_or_default();
        let reason = "The ARN isn't valid. A valid ARN begins with arn: and includes other information separated by colons or slashes.";
        return Err(refusal::invalid("LOG_DESTINATION", &parameter, reason));
    }
    account.logging.insert(arn.to_owned(), configuration.clone());
    Ok(json!({ "LoggingConfiguration": configuration }))
}

pub fn get(account: &Account, body: &Value) -> Result<Value, Refusal> {
    let arn = body["ResourceArn"].as_str().unwrap_or_default();
    let configuration = account.logging.get(arn).ok_or_else(refusal::nonexistent)?;
    Ok(json!({ "LoggingConfiguration": configuration }))
}

pub fn delete(account: &mut Account, body: &Value) -> Result<Value, Refusal> {
    let arn = body["ResourceArn"].as_str().unwrap_or_default();
    account.logging.remove(arn).ok_or_else(refusal::nonexistent)?;
    Ok(json!({}))
}

pub fn list(account: &Account, body: &Value) -> Value {
    let scope = if body["Scope"] == "CLOUDFRONT" { ":global/" } else { ":regional/" };
    let all: Vec<&Value> =
        account.logging.iter().filter(|(arn, _)| arn.contains(scope)).map(|(_, it)| it).collect();
    json!({ "LoggingConfigurations": all })
}
