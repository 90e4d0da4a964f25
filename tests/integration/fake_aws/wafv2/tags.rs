//! Tags of WAF's resources.

use serde_json::{Value, json};

use super::refusal;
use crate::fake_aws::account::Account;
use crate::fake_aws::call::Refusal;
use crate::fake_aws::cloudwatch;

/// Tags of one resource.
const MOST: usize = 50;

/// Letters, digits, spaces and a few signs; `aws:` begins names that are not ours to give.
pub fn check(tags: &Value) -> Result<(), Refusal> {
    let fits = |text: &str, most: usize| {
        let signs = |letter: char| letter.is_alphanumeric() || " _.:/=+-@".contains(letter);
        text.chars().count() <= most && text.chars().all(signs)
    };
    for tag in tags.as_array().into_iter().flatten() {
        let text = |name: &str| tag[name].as_str().unwrap_or_default();
        let (key, value) = (text("Key"), text("Value"));
        if key.is_empty() || key.starts_with("aws:") || !fits(key, 128) {
            return Err(refusal::invalid("TAG_KEYS", key, "The tag key is not valid."));
        }
        if !fits(value, 256) {
            return Err(refusal::invalid("TAGS", value, "The tag value is not valid."));
        }
    }
    match tags.as_array().map_or(0, Vec::len) {
        0..=MOST => Ok(()),
        _ => Err(refusal::limit("TAGS")),
    }
}

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
    check(&body["Tags"])?;
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
