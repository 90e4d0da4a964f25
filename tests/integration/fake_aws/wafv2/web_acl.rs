//! Web ACLs.

use serde_json::{Value, json};

use super::{check, next_token, refusal, statement, tags};
use crate::fake_aws::account::{Account, WebAcl, arn, label_namespace};
use crate::fake_aws::call::{Call, Refusal};
use crate::fake_aws::members::Members;
use crate::fake_aws::{cloudwatch, traffic};

pub fn get(account: &Account, body: &Value, region: &str) -> Result<String, Refusal> {
    let by_arn = body["ARN"].as_str();
    let is_it = |acl: &&WebAcl| match by_arn {
        Some(arn) => acl.arn == arn,
        None => acl.region == region && is_named(acl, body),
    };
    let acl = account.web_acls.iter().find(is_it).ok_or_else(refusal::nonexistent)?;
    Ok(format!("{{\"WebACL\":{},\"LockToken\":\"{}\"}}", acl.members.written(), acl.lock_token))
}

fn is_named(acl: &WebAcl, body: &Value) -> bool {
    body["Id"] == acl.id.as_str()
        && body["Name"] == acl.name.as_str()
        && body["Scope"] == acl.scope.as_str()
}

pub fn summary(acl: &WebAcl) -> Value {
    json!({
        "Name": acl.name,
        "Id": acl.id,
        "ARN": acl.arn,
        "Description": acl.members.text("Description").unwrap_or_default(),
        "LockToken": acl.lock_token,
    })
}

/// Members of a request that are not settings of the web ACL.
const ABOUT: [&str; 6] = ["Name", "Id", "ARN", "Scope", "LockToken", "Tags"];
/// Members of a web ACL that nobody writes.
const TOLD: [&str; 8] = [
    "Name",
    "Id",
    "ARN",
    "Capacity",
    "PreProcessFirewallManagerRuleGroups",
    "PostProcessFirewallManagerRuleGroups",
    "ManagedByFirewallManager",
    "RetrofittedByFirewallManager",
];

pub fn create(account: &mut Account, call: &Call, body: &Value) -> Result<Value, Refusal> {
    let name = refusal::name(body, "Name")?;
    let scope = body["Scope"].as_str().unwrap_or_default().to_owned();
    let region = call.region.clone();
    tags::check(&body["Tags"])?;
    let capacity = check_settings(account, body)?;
    let in_scope =
        || account.web_acls.iter().filter(|acl| acl.scope == scope && acl.region == region);
    if in_scope().any(|acl| acl.name == name) {
        return Err(refusal::duplicate());
    }
    if in_scope().count() >= 100 {
        return Err(refusal::limit("WEB_ACL"));
    }
    let given = Members::parse(&call.body).unwrap();
    let (id, lock_token) = (account.new_id(), account.new_id());
    let arn = arn("webacl", &scope, &region, &name, &id);
    cloudwatch::tag(account, &arn, &body["Tags"]);
    let mut members = Members::default();
    for (own, value) in [("Name", &name), ("Id", &id), ("ARN", &arn)] {
        members.set(own, json!(value).to_string());
    }
    for setting in given.names().filter(|it| !ABOUT.contains(it) && !TOLD.contains(it)) {
        members.set(setting, kept(&given, setting));
    }
    members.set("Capacity", capacity.to_string());
    members.set("ManagedByFirewallManager", "false".to_owned());
    members.set("LabelNamespace", json!(label_namespace(&name)).to_string());
    members.set("RetrofittedByFirewallManager", "false".to_owned());
    account.web_acls.push(WebAcl { name, id, arn, scope, region, lock_token, members });
    Ok(json!({ "Summary": summary(account.web_acls.last().unwrap()) }))
}

/// A setting as it is told from now on: as it was written, but for the defaults of rules.
fn kept(given: &Members, setting: &str) -> String {
    if setting != "Rules" {
        return given.raw(setting).unwrap().to_owned();
    }
    let rules: Vec<String> =
        given.elements(setting).iter().map(|rule| statement::with_defaults(rule.get())).collect();
    format!("[{}]", rules.join(","))
}

pub fn update(account: &mut Account, call: &Call, body: &Value) -> Result<Value, Refusal> {
    let place =
        account.web_acls.iter().position(|acl| acl.region == call.region && is_named(acl, body));
    let place = place.ok_or_else(refusal::nonexistent)?;
    let token = body["LockToken"].as_str().unwrap_or_default();
    if token != account.web_acls[place].lock_token {
        return Err(refusal::stale());
    }
    let capacity = check_settings(account, body)?;
    let given = Members::parse(&call.body).unwrap();
    let lock_token = account.new_id();
    let acl = &mut account.web_acls[place];
    let mut members = Members::default();
    for own in acl.members.names().map(str::to_owned).collect::<Vec<_>>() {
        let kept_by_aws = TOLD.contains(&own.as_str())
            || ["LabelNamespace", "ApplicationConfig"].contains(&own.as_str());
        if kept_by_aws && (own != "ApplicationConfig" || given.raw(&own).is_none()) {
            members.set(&own, acl.members.raw(&own).unwrap().to_owned());
        } else if given.raw(&own).is_some() {
            members.set(&own, kept(&given, &own));
        }
        // Everything else is replaced as a whole: what the request leaves out is gone.
    }
    for setting in given.names().filter(|it| !ABOUT.contains(it) && !TOLD.contains(it)) {
        if acl.members.raw(setting).is_none() {
            members.set(setting, kept(&given, setting));
        }
    }
    members.set("Capacity", capacity.to_string());
    acl.members = members;
    acl.lock_token.clone_from(&lock_token);
    let id = acl.id.clone();
    traffic::forget_what_changed(account, &id);
    Ok(next_token(&lock_token))
}

fn check_settings(account: &Account, body: &Value) -> Result<u64, Refusal> {
    refusal::description(body)?;
    check::visibility(&body["VisibilityConfig"])?;
    let actions = body["DefaultAction"].as_object().map_or(0, serde_json::Map::len);
    if actions != 1 {
        let reason =
            "You have used none or multiple values for a field that requires exactly one value.";
        return Err(refusal::invalid("DEFAULT_ACTION", "", reason));
    }
    let bodies = &body["CustomResponseBodies"];
    check::bodies(bodies)?;
    check::rules(account, &body["Rules"], bodies, &check::WEB_ACL)
}

pub fn check_capacity(account: &Account, body: &Value) -> Result<Value, Refusal> {
    // Bodies are not part of the request, so keys of bodies are not looked at.
    let capacity = check::rules(account, &body["Rules"], &Value::Null, &check::CAPACITY)?;
    Ok(json!({ "Capacity": capacity }))
}

pub fn delete(account: &mut Account, body: &Value) -> Result<Value, Refusal> {
    let place = account
        .web_acls
        .iter()
        .position(|acl| is_named(acl, body))
        .ok_or_else(refusal::nonexistent)?;
    let acl = &account.web_acls[place];
    if body["LockToken"] != acl.lock_token.as_str() {
        return Err(refusal::stale());
    }
    let arn = &acl.arn;
    if account.associations.values().any(|it| it == arn)
        || account.distributions.values().any(|it| it.web_acl == *arn)
    {
        return Err(refusal::associated());
    }
    let acl = account.web_acls.remove(place);
    account.tags.remove(&acl.arn);
    account.logging.remove(&acl.arn);
    Ok(json!({}))
}
