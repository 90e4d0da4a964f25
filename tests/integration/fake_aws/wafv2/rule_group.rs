//! Rule groups of the account.

use serde_json::{Value, json};

use super::{check, next_token, refusal, statement, tags};
use crate::fake_aws::account::{Account, RuleGroup, arn};
use crate::fake_aws::call::{Call, Refusal};
use crate::fake_aws::cloudwatch;
use crate::fake_aws::members::Members;

fn place(account: &Account, body: &Value) -> Result<usize, Refusal> {
    let is_it = |group: &RuleGroup| match body["ARN"].as_str() {
        Some(arn) => group.arn == arn,
        None => {
            body["Id"] == group.id.as_str()
                && body["Name"] == group.name.as_str()
                && body["Scope"] == group.scope.as_str()
        }
    };
    account.rule_groups.iter().position(is_it).ok_or_else(refusal::nonexistent)
}

pub fn get(account: &Account, body: &Value) -> Result<String, Refusal> {
    let group = &account.rule_groups[place(account, body)?];
    Ok(format!(
        "{{\"RuleGroup\":{},\"LockToken\":\"{}\"}}",
        group.members.written(),
        group.lock_token
    ))
}

pub fn summary(group: &RuleGroup) -> Value {
    json!({
        "Name": group.name,
        "Id": group.id,
        "ARN": group.arn,
        "Description": group.members.text("Description").unwrap_or_default(),
        "LockToken": group.lock_token,
    })
}

/// What a request writes, in the order of the answer.
const SETTINGS: [&str; 4] = ["Description", "Rules", "VisibilityConfig", "CustomResponseBodies"];

fn settings(members: &mut Members, given: &Members) {
    for setting in SETTINGS {
        match given.raw(setting) {
            None => members.remove(setting),
            Some(_) if setting == "Rules" => {
                let rules: Vec<String> = given
                    .elements(setting)
                    .iter()
                    .map(|rule| statement::with_defaults(rule.get()))
                    .collect();
                members.set(setting, format!("[{}]", rules.join(",")));
            }
            Some(raw) => members.set(setting, raw.to_owned()),
        }
    }
}

fn check(account: &Account, body: &Value, capacity: u64) -> Result<(), Refusal> {
    refusal::description(body)?;
    check::visibility(&body["VisibilityConfig"])?;
    check::bodies(&body["CustomResponseBodies"])?;
    let used =
        check::rules(account, &body["Rules"], &body["CustomResponseBodies"], &check::RULE_GROUP)?;
    if !(1..=5_000).contains(&capacity) || used > capacity {
        let reason = "Your rules use more capacity than the rule group has.";
        return Err(refusal::invalid("RULE_GROUP", &capacity.to_string(), reason));
    }
    Ok(())
}

pub fn create(account: &mut Account, call: &Call, body: &Value) -> Result<Value, Refusal> {
    let name = refusal::name(body, "Name")?;
    let scope = body["Scope"].as_str().unwrap_or_default().to_owned();
    let capacity = body["Capacity"].as_u64().unwrap_or(0);
    tags::check(&body["Tags"])?;
    check(account, body, capacity)?;
    if account
        .rule_groups
        .iter()
        .any(|it| it.scope == scope && it.name == name && it.region == call.region)
    {
        return Err(refusal::duplicate());
    }
    let (id, lock_token) = (account.new_id(), account.new_id());
    let arn = arn("rulegroup", &scope, &call.region, &name, &id);
    cloudwatch::tag(account, &arn, &body["Tags"]);
    let mut members = Members::default();
    for (own, value) in [
        ("Name", json!(name)),
        ("Id", json!(id)),
        ("Capacity", json!(capacity)),
        ("ARN", json!(arn)),
    ] {
        members.set(own, value.to_string());
    }
    settings(&mut members, &Members::parse(&call.body).unwrap());
    if account.settle_after > 0 {
        let calls = account.settle_after;
        account.unsettled.insert(arn.clone(), calls);
    }
    let region = call.region.clone();
    account.rule_groups.push(RuleGroup { name, id, arn, scope, region, lock_token, members });
    Ok(json!({ "Summary": summary(account.rule_groups.last().unwrap()) }))
}

pub fn update(account: &mut Account, call: &Call, body: &Value) -> Result<Value, Refusal> {
    let place = place(account, body)?;
    let group = &account.rule_groups[place];
    if body["LockToken"] != group.lock_token.as_str() {
        return Err(refusal::stale());
    }
    let capacity = group.members.value("Capacity").and_then(|it| it.as_u64()).unwrap_or(0);
    check(account, body, capacity)?;
    let lock_token = account.new_id();
    let group = &mut account.rule_groups[place];
    settings(&mut group.members, &Members::parse(&call.body).unwrap());
    group.lock_token.clone_from(&lock_token);
    Ok(next_token(&lock_token))
}

pub fn delete(account: &mut Account, body: &Value) -> Result<Value, Refusal> {
    let place = place(account, body)?;
    let group = &account.rule_groups[place];
    if body["LockToken"] != group.lock_token.as_str() {
        return Err(refusal::stale());
    }
    let quoted = format!("\"{}\"", group.arn);
    if account
        .web_acls
        .iter()
        .any(|acl| acl.members.raw("Rules").is_some_and(|rules| rules.contains(&quoted)))
    {
        return Err(refusal::associated());
    }
    let group = account.rule_groups.remove(place);
    account.tags.remove(&group.arn);
    Ok(json!({}))
}

/// Adds a group, unchecked; gives its ARN.
pub fn seed(account: &mut Account, json: &str, scope: &str) -> String {
    let given = Members::parse(json).unwrap();
    let name = given.text("Name").unwrap();
    let (id, lock_token) = (account.new_id(), account.new_id());
    let arn = arn("rulegroup", scope, "us-east-1", &name, &id);
    let mut members = Members::default();
    for (own, value) in [("Name", &name), ("Id", &id), ("ARN", &arn)] {
        members.set(own, json!(value).to_string());
    }
    for other in given.names().filter(|it| !["Name", "Id", "ARN"].contains(it)) {
        members.set(other, given.raw(other).unwrap().to_owned());
    }
    let (scope, region) = (scope.to_owned(), "us-east-1".to_owned());
    account.rule_groups.push(RuleGroup {
        name,
        id,
        arn: arn.clone(),
        scope,
        region,
        lock_token,
        members,
    });
    arn
}
