//! Lists in pages.

use serde_json::{Value, json};

use super::{ip_set, refusal, rule_group, web_acl};
use crate::fake_aws::account::Account;
use crate::fake_aws::call::Refusal;

/// Without a limit.
const PAGE: u64 = 100;

pub fn web_acls(account: &Account, body: &Value, region: &str) -> Result<Value, Refusal> {
    let scope = body["Scope"].as_str().unwrap_or_default();
    let all = account.web_acls.iter().filter(|it| it.scope == scope && it.region == region);
    page("WebACLs", all.map(web_acl::summary).collect(), body)
}

pub fn ip_sets(account: &Account, body: &Value, region: &str) -> Result<Value, Refusal> {
    let scope = body["Scope"].as_str().unwrap_or_default();
    let all = account.ip_sets.iter().filter(|it| it.scope == scope && it.region == region);
    page("IPSets", all.map(ip_set::summary).collect(), body)
}

pub fn rule_groups(account: &Account, body: &Value, region: &str) -> Result<Value, Refusal> {
    let scope = body["Scope"].as_str().unwrap_or_default();
    let all = account.rule_groups.iter().filter(|it| it.scope == scope && it.region == region);
    page("RuleGroups", all.map(rule_group::summary).collect(), body)
}

/// A page by name. The marker is the name of the last one told; AWS tells one after a full last page,
/// too.
fn page(member: &str, mut all: Vec<Value>, body: &Value) -> Result<Value, Refusal> {
    let limit = body["Limit"].as_u64().unwrap_or(PAGE);
    if !(1..=100).contains(&limit) {
        return Err(refusal::invalid(
            "ENTITY_LIMIT",
            &limit.to_string(),
            "The limit is not valid.",
        ));
    }
    let name = |it: &Value| it["Name"].as_str().unwrap_or_default().to_owned();
    all.sort_by_key(name);
    let after = body["NextMarker"].as_str().unwrap_or_default();
    let limit = usize::try_from(limit).unwrap();
    let told: Vec<Value> =
        all.into_iter().filter(|it| name(it).as_str() > after).take(limit).collect();
    let mut answer = json!({});
    if told.len() == limit {
        answer["NextMarker"] = name(told.last().unwrap()).into();
    }
    answer[member] = told.into();
    Ok(answer)
}
