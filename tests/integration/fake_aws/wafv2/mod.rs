//! WAF: what it takes, what it refuses, and in which words.

mod association;
mod capacity;
mod check;
pub mod ip_set;
mod listing;
mod logging;
mod observed;
mod refusal;
pub mod rule_group;
mod statement;
mod tags;
mod web_acl;

use std::time::Instant;

use serde_json::{Value, json};

use super::account::Account;
use super::call::{Call, Refusal};
use super::faults::unavailable;
use super::wire::Reply;

pub fn answer(account: &mut Account, call: &Call) -> Result<Reply, Refusal> {
    let body: Value = serde_json::from_str(&call.body)
        .map_err(|error| Refusal::new(400, "SerializationException", error.to_string()))?;
    check_scope(&body, &call.region)?;
    check_pace(account, call)?;
    check_settled(account, call)?;
    let told = match call.operation.as_str() {
        "ListWebACLs" => listing::web_acls(account, &body, &call.region)?.to_string(),
        "GetWebACL" => web_acl::get(account, &body, &call.region)?,
        "CreateWebACL" => web_acl::create(account, call, &body)?.to_string(),
        "UpdateWebACL" => web_acl::update(account, call, &body)?.to_string(),
        "DeleteWebACL" => web_acl::delete(account, &body)?.to_string(),
        "ListIPSets" => listing::ip_sets(account, &body, &call.region)?.to_string(),
        "GetIPSet" => ip_set::get(account, &body)?.to_string(),
        "CreateIPSet" => ip_set::create(account, &body, &call.region)?.to_string(),
        "UpdateIPSet" => ip_set::update(account, &body)?.to_string(),
        "DeleteIPSet" => ip_set::delete(account, &body)?.to_string(),
        "ListRuleGroups" => listing::rule_groups(account, &body, &call.region)?.to_string(),
        "GetRuleGroup" => rule_group::get(account, &body)?,
        "CreateRuleGroup" => rule_group::create(account, call, &body)?.to_string(),
        "UpdateRuleGroup" => rule_group::update(account, call, &body)?.to_string(),
        "DeleteRuleGroup" => rule_group::delete(account, &body)?.to_string(),
        "CheckCapacity" => web_acl::check_capacity(account, &body)?.to_string(),
        "ListTagsForResource" => tags::list(account, &body)?.to_string(),
        "TagResource" => tags::add(account, &body)?.to_string(),
        "UntagResource" => tags::remove(account, &body)?.to_string(),
        "PutLoggingConfiguration" => logging::put(account, &body)?.to_string(),
        "GetLoggingConfiguration" => logging::get(account, &body)?.to_string(),
        "DeleteLoggingConfiguration" => logging::delete(account, &body)?.to_string(),
        "ListLoggingConfigurations" => logging::list(account, &body).to_string(),
        "AssociateWebACL" => association::associate(account, &body)?.to_string(),
        "DisassociateWebACL" => association::disassociate(account, &body)?.to_string(),
        "GetWebACLForResource" => association::web_acl_of(account, &body)?,
        "ListResourcesForWebACL" => association::resources(account, &body)?.to_string(),
        "GetSampledRequests" => observed::sampled(account, &body)?.to_string(),
        "GetRateBasedStatementManagedKeys" => observed::managed_keys(account, &body)?.to_string(),
        other => {
            let message = format!("{other} is not there");
            return Err(Refusal::new(400, "UnknownOperationException", message));
        }
    };
    let headers = vec![("Content-Type", "application/x-amz-json-1.1".to_owned())];
    Ok(Reply { status: 200, headers, body: told.into_bytes() })
}

/// Things in front of CloudFront live in us-east-1 alone.
fn check_scope(body: &Value, region: &str) -> Result<(), Refusal> {
    let scope = &body["Scope"];
    let is_known = scope.is_null() || scope == "REGIONAL" || scope == "CLOUDFRONT";
    if !is_known || (scope == "CLOUDFRONT" && region != "us-east-1") {
        let scope = scope.as_str().unwrap_or_default();
        return Err(refusal::invalid("SCOPE_VALUE", scope, "The scope is not valid."));
    }
    Ok(())
}

/// All callers together write about once a second.
fn check_pace(account: &mut Account, call: &Call) -> Result<(), Refusal> {
    let Some(pause) = account.least_pause else { return Ok(()) };
    if !call.is_write() {
        return Ok(());
    }
    let now = Instant::now();
    if account.last_write.is_some_and(|last| now - last < pause) {
        return Err(Refusal::new(400, "ThrottlingException", "Rate exceeded"));
    }
    account.last_write = Some(now);
    Ok(())
}

/// A new IP set is not seen everywhere at once: calls that refer to it are refused for a while.
fn check_settled(account: &mut Account, call: &Call) -> Result<(), Refusal> {
    if !["CreateWebACL", "UpdateWebACL", "CreateRuleGroup", "UpdateRuleGroup", "CheckCapacity"]
        .contains(&call.operation.as_str())
    {
        return Ok(());
    }
    let mut refused = false;
    account.unsettled.retain(|arn, calls| {
        if *calls == 0 || !call.body.contains(arn.as_str()) {
            return *calls > 0;
        }
        *calls -= 1;
        refused = true;
        true
    });
    if refused { Err(unavailable()) } else { Ok(()) }
}

/// What a write tells.
fn next_token(token: &str) -> Value {
    json!({ "NextLockToken": token })
}
