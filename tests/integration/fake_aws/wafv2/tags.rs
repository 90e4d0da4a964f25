//! Tags of WAF's resources.

use serde_json::{Value, json};

use super::refusal;
use crate::fake_aws::account::Account;
use crate::fake_aws::call::Refusal;
use crate::fake_aws::cloudwatch;

/// Tags of one resource.
const MOST: usize = 50;

fn resource(account: &Account, body: &Value) -> Result<String, Refusal> {
    let arn = body["ResourceARN"].as_str().unwrap_or_default();
    let exists = account.web_acls.iter().any(|it| it.arn == arn)
        || account.ip_sets.iter().any(|it| it.arn == arn)
        || account.rule_groups.iter().any(|it| it.arn == arn);
    if exists { Ok(arn.to_owned()) } else { Err(refusal::nonexistent()) }
}

pub fn list(account: &Account, body: &Value) -> Result<Value, Refusal> {
    let arn = resource(account, body)?;
    let own = account.tags.get(&arn).into_iter().flatten();
    let tags: Vec<Value> = own.map(|(key, value)| json!({ "Key": key, "Value": value })).collect();
    Ok(json!({ "TagInfoForResource": { "ResourceARN": arn, "TagList": tags } }))
}

pub fn add(account: &mut Account, body: &Value) -> Result<Value, Refusal> {
    let arn = resource(account, body)?;
    let before = account.tags.get(&arn).cloned();
    cloudwatch::tag(account, &arn, &body["Tags"]);
    if account.tags[&arn].len() > MOST {
        account.tags.insert(arn, before.unwrap_or_default());
        return Err(refusal::limit("TAGS"));
    }
    Ok(json!({}))
}

pub fn remove(account: &mut Account, body: &Value) -> Result<Value, Refusal> {
    let arn = resource(account, body)?;
    let own = account.tags.entry(arn).or_default();
    for key in body["TagKeys"].as_array().into_iter().flatten() {
        own.remove(key.as_str().unwrap_or_default());
    }
    Ok(json!({}))
}
