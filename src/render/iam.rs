//! IAM policies as JSON, for whoever does not use Terraform for them.

use serde_json::{Map, Value as Json, json};

use super::Error;
use crate::stack::{Grant, IamPolicy, IamResource, Value};

/// Writes policies: each as a document that `aws iam create-policy` takes, and one page with the reason
/// of every action, as JSON has no comments. In one stream they stand in a list, each with its reasons.
///
/// Number and partition of the account are not known here. An ARN with `*` in the place of the number
/// means the same in a policy of a user or a role: only their own account's resources are theirs to use.
///
/// # Errors
/// When a policy names a resource that only a dialect with references can name.
pub fn iam(policies: &[IamPolicy], is_split: bool) -> Result<Vec<(String, String)>, Error> {
    if !is_split {
        let all: Result<Vec<Json>, Error> = policies
            .iter()
            .map(|policy| {
                Ok(json!({
                    "Name": policy.name,
                    "Description": policy.description,
                    "Document": document(policy)?,
                    "Reasons": reasons(policy),
                }))
            })
            .collect();
        return Ok(vec![("iam.json".to_owned(), pretty(&Json::Array(all?)))]);
    }
    let mut files = Vec::with_capacity(policies.len() + 1);
    for policy in policies {
        files.push((format!("{}.json", policy.name), pretty(&document(policy)?)));
    }
    files.push(("permissions.md".to_owned(), page(policies)));
    Ok(files)
}

fn pretty(json: &Json) -> String {
    // Text and maps with text keys: nothing in them can fail.
    let mut text = serde_json::to_string_pretty(json).unwrap_or_default();
    text.push('\n');
    text
}

fn document(policy: &IamPolicy) -> Result<Json, Error> {
    let statements: Result<Vec<Json>, Error> =
        policy.grants.iter().map(|grant| statement(policy, grant)).collect();
    Ok(json!({"Version": "2012-10-17", "Statement": statements?}))
}

fn statement(policy: &IamPolicy, grant: &Grant) -> Result<Json, Error> {
    let actions: Vec<&str> = grant.actions.iter().map(|one| one.action.as_str()).collect();
    let resources: Result<Vec<String>, Error> =
        grant.resources.iter().map(|one| resource(policy, one)).collect();
    let mut statement = json!({
        "Sid": grant.sid,
        "Effect": "Allow",
        "Action": actions,
        "Resource": resources?,
    });
    let mut operators = Map::new();
    for condition in &grant.conditions {
        let values: Result<Vec<&str>, Error> =
            condition.values.iter().map(|value| plain(policy, value)).collect();
        let keys = operators.entry(&condition.operator).or_insert_with(|| json!({}));
        keys[&condition.key] = json!(values?);
    }
    if !operators.is_empty() {
        statement["Condition"] = Json::Object(operators);
    }
    Ok(statement)
}

fn resource(policy: &IamPolicy, resource: &IamResource) -> Result<String, Error> {
    Ok(match resource {
        IamResource::Any => "*".to_owned(),
        IamResource::One(value) => plain(policy, value)?.to_owned(),
        IamResource::Pattern { service, region, has_account, resource } => {
            let account = if *has_account { "*" } else { "" };
            format!("arn:{}:{service}:{region}:{account}:{resource}", partition(region))
        }
    })
}

/// A Region names its partition; what belongs to no Region may be in any.
fn partition(region: &str) -> &'static str {
    match region.split('-').next() {
        Some("") | None => "*",
        Some("cn") => "aws-cn",
        Some("us") if region.starts_with("us-gov-") => "aws-us-gov",
        Some(_) => "aws",
    }
}

fn plain<'a>(policy: &IamPolicy, value: &'a Value) -> Result<&'a str, Error> {
    match value {
        Value::Plain(text) => Ok(text),
        Value::Of(..) => Err(Error::Reference { policy: policy.name.clone() }),
    }
}

fn reasons(policy: &IamPolicy) -> Json {
    let of_grant = |grant: &Grant| {
        let mut reasons = Map::new();
        if let Some(about) = &grant.about {
            reasons.insert("*".to_owned(), json!(about));
        }
        for one in &grant.actions {
            reasons.insert(one.action.clone(), json!(one.reason));
        }
        (grant.sid.clone(), Json::Object(reasons))
    };
    Json::Object(policy.grants.iter().map(of_grant).collect())
}

/// The reasons, for people. Names of the policy are letters, digits, `-` and `_`: nothing to escape.
fn page(policies: &[IamPolicy]) -> String {
    let mut page = String::from("# Permissions\n\nWritten by ratewaf emit --format iam.\n");
    for policy in policies {
        page.push_str(&format!("\n## {}\n\n{}.\n", policy.name, policy.description));
        for grant in &policy.grants {
            page.push_str(&format!("\n### {}\n\n", grant.sid));
            if let Some(about) = &grant.about {
                page.push_str(&format!("{about}\n\n"));
            }
            page.push_str("| action | why |\n| --- | --- |\n");
            for one in &grant.actions {
                page.push_str(&format!("| `{}` | {} |\n", one.action, one.reason));
            }
        }
    }
    page
}
