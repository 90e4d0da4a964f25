//! IP sets.

use std::collections::BTreeSet;

use ipnet::IpNet;
use ratewaf::quotas;
use serde_json::{Value, json};

use super::{next_token, refusal, tags};
use crate::fake_aws::account::{Account, IpSet, arn};
use crate::fake_aws::call::Refusal;
use crate::fake_aws::cloudwatch;

pub fn create(account: &mut Account, body: &Value, region: &str) -> Result<Value, Refusal> {
    let scope = body["Scope"].as_str().unwrap_or_default();
    let arn = put(account, body, scope, region)?;
    if account.settle_after > 0 {
        let calls = account.settle_after;
        account.unsettled.insert(arn.clone(), calls);
    }
    let set = account.ip_sets.iter().find(|set| set.arn == arn).unwrap();
    Ok(json!({ "Summary": summary(set) }))
}

pub fn summary(set: &IpSet) -> Value {
    let mut summary =
        json!({ "Name": set.name, "Id": set.id, "ARN": set.arn, "LockToken": set.lock_token });
    summary["Description"] = set.description.as_deref().unwrap_or_default().into();
    summary
}

/// Adds a set; gives its ARN.
pub fn put(
    account: &mut Account,
    body: &Value,
    scope: &str,
    region: &str,
) -> Result<String, Refusal> {
    let name = refusal::name(body, "Name")?;
    let description = refusal::description(body)?;
    let version = body["IPAddressVersion"].as_str().unwrap_or_default().to_owned();
    if !["IPV4", "IPV6"].contains(&version.as_str()) {
        return Err(refusal::invalid(
            "IP_ADDRESS_VERSION",
            &version,
            "The IP address version is not valid.",
        ));
    }
    tags::check(&body["Tags"])?;
    let addresses = addresses(&body["Addresses"], &version)?;
    let same_scope =
        || account.ip_sets.iter().filter(|set| set.scope == scope && set.region == region);
    if same_scope().any(|set| set.name == name) {
        return Err(refusal::duplicate());
    }
    if same_scope().count() >= 100 {
        return Err(refusal::limit("IP_SET"));
    }
    let (id, lock_token) = (account.new_id(), account.new_id());
    let arn = arn("ipset", scope, region, &name, &id);
    cloudwatch::tag(account, &arn, &body["Tags"]);
    let (scope, region) = (scope.to_owned(), region.to_owned());
    let set = IpSet {
        name,
        id,
        arn: arn.clone(),
        scope,
        region,
        lock_token,
        version,
        description,
        addresses,
    };
    account.ip_sets.push(set);
    Ok(arn)
}

/// Checked, in AWS's own spelling, and in no order that anybody gave.
fn addresses(list: &Value, version: &str) -> Result<Vec<String>, Refusal> {
    let given = list.as_array().cloned().unwrap_or_default();
    if given.len() > quotas::CIDRS_PER_IP_SET {
        return Err(refusal::limit("IP_ADDRESS"));
    }
    let mut networks = BTreeSet::new();
    for address in &given {
        let text = address.as_str().unwrap_or_default();
        let network: Option<IpNet> = text.parse().ok();
        let fits = |network: &IpNet| {
            network.prefix_len() > 0
                && *network == network.trunc()
                && matches!(network, IpNet::V4(_)) == (version == "IPV4")
        };
        match network.filter(fits) {
            Some(network) => networks.insert(network),
            None => {
                let reason = "The parameter contains formatting that is not valid.";
                return Err(refusal::invalid("IP_ADDRESS", text, reason));
            }
        };
    }
    Ok(networks.iter().rev().map(ToString::to_string).collect())
}

fn place(account: &Account, body: &Value) -> Result<usize, Refusal> {
    let is_it = |set: &IpSet| {
        body["Id"] == set.id.as_str()
            && body["Name"] == set.name.as_str()
            && body["Scope"] == set.scope.as_str()
    };
    account.ip_sets.iter().position(is_it).ok_or_else(refusal::nonexistent)
}

pub fn get(account: &Account, body: &Value) -> Result<Value, Refusal> {
    let set = &account.ip_sets[place(account, body)?];
    Ok(json!({ "IPSet": set.told(), "LockToken": set.lock_token }))
}

pub fn update(account: &mut Account, body: &Value) -> Result<Value, Refusal> {
    let place = place(account, body)?;
    if body["LockToken"] != account.ip_sets[place].lock_token.as_str() {
        return Err(refusal::stale());
    }
    let description = refusal::description(body)?;
    let addresses = addresses(&body["Addresses"], &account.ip_sets[place].version)?;
    let lock_token = account.new_id();
    let set = &mut account.ip_sets[place];
    // What is left out is gone.
    (set.addresses, set.description, set.lock_token) = (addresses, description, lock_token);
    Ok(next_token(&set.lock_token))
}

pub fn delete(account: &mut Account, body: &Value) -> Result<Value, Refusal> {
    let place = place(account, body)?;
    let set = &account.ip_sets[place];
    if body["LockToken"] != set.lock_token.as_str() {
        return Err(refusal::stale());
    }
    let quoted = format!("\"{}\"", set.arn);
    let uses = |members: &crate::fake_aws::members::Members| {
        members.raw("Rules").is_some_and(|rules| rules.contains(&quoted))
    };
    if account.web_acls.iter().any(|acl| uses(&acl.members))
        || account.rule_groups.iter().any(|group| uses(&group.members))
    {
        return Err(refusal::associated());
    }
    let set = account.ip_sets.remove(place);
    account.tags.remove(&set.arn);
    Ok(json!({}))
}

/// Adds a set, unchecked; gives its ARN.
pub fn seed(account: &mut Account, told: &Value, scope: &str) -> String {
    let text = |name: &str| told[name].as_str().unwrap_or_default().to_owned();
    let (id, lock_token) = (account.new_id(), account.new_id());
    let arn = arn("ipset", scope, "us-east-1", &text("Name"), &id);
    let addresses = told["Addresses"].as_array().into_iter().flatten();
    account.ip_sets.push(IpSet {
        name: text("Name"),
        id,
        arn: arn.clone(),
        scope: scope.to_owned(),
        region: "us-east-1".to_owned(),
        lock_token,
        version: text("IPAddressVersion"),
        description: told["Description"].as_str().map(str::to_owned),
        addresses: addresses.filter_map(Value::as_str).map(str::to_owned).collect(),
    });
    arn
}
