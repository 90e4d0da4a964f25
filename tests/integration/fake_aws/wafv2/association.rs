//! Which regional resource is behind which web ACL. Distributions are not: they name theirs themselves.

use serde_json::{Value, json};

use super::refusal;
use crate::fake_aws::account::Account;
use crate::fake_aws::call::Refusal;

fn resource(body: &Value) -> Result<String, Refusal> {
    let arn = body["ResourceArn"].as_str().unwrap_or_default();
    if !arn.starts_with("arn:aws:") || arn.starts_with("arn:aws:cloudfront:") {
        return Err(refusal::invalid("RESOURCE_ARN", arn, "The ARN isn't valid."));
    }
    Ok(arn.to_owned())
}

pub fn associate(account: &mut Account, body: &Value) -> Result<Value, Refusal> {
    let resource = resource(body)?;
    let acl = body["WebACLArn"].as_str().unwrap_or_default();
    if !account.web_acls.iter().any(|it| it.arn == acl && it.scope == "REGIONAL") {
        return Err(refusal::nonexistent());
    }
    account.associations.insert(resource, acl.to_owned());
    Ok(json!({}))
}

pub fn disassociate(account: &mut Account, body: &Value) -> Result<Value, Refusal> {
    account.associations.remove(&resource(body)?);
    Ok(json!({}))
}

pub fn web_acl_of(account: &Account, body: &Value) -> Result<String, Refusal> {
    let found = account.associations.get(&resource(body)?);
    let acl = found.and_then(|arn| account.web_acls.iter().find(|acl| acl.arn == *arn));
    Ok(acl
        .map_or_else(|| "{}".to_owned(), |acl| format!("{{\"WebACL\":{}}}", acl.members.written())))
}

pub fn resources(account: &Account, body: &Value) -> Result<Value, Refusal> {
    let acl = body["WebACLArn"].as_str().unwrap_or_default();
    if !account.web_acls.iter().any(|it| it.arn == acl) {
        return Err(refusal::nonexistent());
    }
    let asked = match body["ResourceType"].as_str().unwrap_or("APPLICATION_LOAD_BALANCER") {
        "APPLICATION_LOAD_BALANCER" => "elasticloadbalancing",
        "API_GATEWAY" => "apigateway",
        "APPSYNC" => "appsync",
        "COGNITO_USER_POOL" => "cognito-idp",
        "APP_RUNNER_SERVICE" => "apprunner",
        "VERIFIED_ACCESS_INSTANCE" => "ec2",
        "AMPLIFY" => "amplify",
        other => return Err(refusal::invalid("RESOURCE_TYPE", other, "The type isn't valid.")),
    };
    let service = |arn: &str| arn.split(':').nth(2).unwrap_or_default().to_owned();
    let all: Vec<&String> = account
        .associations
        .iter()
        .filter(|(resource, it)| *it == acl && service(resource) == asked)
        .map(|(resource, _)| resource)
        .collect();
    Ok(json!({ "ResourceArns": all }))
}
