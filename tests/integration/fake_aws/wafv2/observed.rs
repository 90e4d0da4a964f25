//! What WAF tells of the traffic it saw.

use serde_json::{Value, json};

use super::refusal;
use crate::fake_aws::account::Account;
use crate::fake_aws::call::Refusal;

/// Requests of a range that are looked at.
const FIRST: usize = 5_000;
/// Requests are kept for three hours.
const KEPT: i64 = 3 * 3_600;

pub fn sampled(account: &Account, body: &Value) -> Result<Value, Refusal> {
    let arn = body["WebAclArn"].as_str().unwrap_or_default();
    let acl =
        account.web_acls.iter().find(|acl| acl.arn == arn).ok_or_else(refusal::nonexistent)?;
    let seconds = |name: &str| body["TimeWindow"][name].as_f64().map(|time| time as i64);
    let (Some(start), Some(end)) = (seconds("StartTime"), seconds("EndTime")) else {
        return Err(refusal::invalid("STATEMENT", "TimeWindow", "The time window is missing."));
    };
    let most = body["MaxItems"].as_u64().unwrap_or(0);
    if !(1..=500).contains(&most) {
        return Err(refusal::invalid("ENTITY_LIMIT", &most.to_string(), "The limit is not valid."));
    }
    let start = start.max(account.now().0 - KEPT);
    if start >= end {
        return Err(refusal::invalid(
            "EXPIRE_TIMESTAMP",
            &end.to_string(),
            "The time window is not valid.",
        ));
    }
    let metric = body["RuleMetricName"].as_str().unwrap_or_default();
    let seen: Vec<&Value> = account
        .traffic
        .samples(&acl.id, metric)
        .filter(|(time, _)| (start..end).contains(time))
        .map(|(_, it)| it)
        .take(FIRST)
        .collect();
    // Spread over what was seen, as a sample is.
    let most = usize::try_from(most).unwrap();
    let step = seen.len().div_ceil(most).max(1);
    let told: Vec<Value> = seen
        .iter()
        .step_by(step)
        .map(|request| {
            let mut request = (*request).clone();
            request["Weight"] = step.into();
            request
        })
        .collect();
    Ok(json!({
        "SampledRequests": told,
        "PopulationSize": seen.len(),
        "TimeWindow": { "StartTime": start, "EndTime": end },
    }))
}

pub fn managed_keys(account: &mut Account, body: &Value) -> Result<Value, Refusal> {
    let is_it = |acl: &&crate::fake_aws::account::WebAcl| {
        body["WebACLId"] == acl.id.as_str() && body["WebACLName"] == acl.name.as_str()
    };
    let acl = account.web_acls.iter().find(is_it).ok_or_else(refusal::nonexistent)?;
    let acl_id = acl.id.clone();
    let rules = acl.members.value("Rules").unwrap_or_default();
    let named = |rules: &Value, name: &Value| {
        rules.as_array()?.iter().find(|rule| rule["Name"] == *name).cloned()
    };
    let group = match &body["RuleGroupRuleName"] {
        Value::Null => None,
        name => {
            let rule = named(&rules, name).ok_or_else(refusal::nonexistent)?;
            let arn = rule["Statement"]["RuleGroupReferenceStatement"]["ARN"].clone();
            let group = account.rule_groups.iter().find(|it| arn == it.arn.as_str());
            Some((
                name.as_str().unwrap_or_default().to_owned(),
                group.ok_or_else(refusal::nonexistent)?,
            ))
        }
    };
    let rules =
        group.as_ref().map_or(rules, |(_, group)| group.members.value("Rules").unwrap_or_default());
    let rule = named(&rules, &body["RuleName"]).ok_or_else(refusal::nonexistent)?;
    let rate = &rule["Statement"]["RateBasedStatement"];
    if rate.is_null() {
        return Err(refusal::nonexistent());
    }
    if rate["AggregateKeyType"] != "IP" && rate["AggregateKeyType"] != "FORWARDED_IP" {
        return Err(Refusal::new(
            400,
            "WAFUnsupportedAggregateKeyTypeException",
            "The rule that you've named doesn't aggregate solely on the IP address or solely on the forwarded IP address. This call is only available for rate-based rules with an AggregateKeyType setting of IP or FORWARDED_IP.",
        ));
    }
    let name = rule["Name"].as_str().unwrap_or_default();
    let place = match group {
        Some((outer, _)) => format!("{acl_id}/{outer}/{name}"),
        None => format!("{acl_id}/{name}"),
    };
    let now = account.now().0;
    let limited = account.traffic.limited(&place, now);
    let of = |is_v6: bool| -> Vec<String> {
        let suffix = if is_v6 { "/128" } else { "/32" };
        limited
            .iter()
            .filter(|key| key.contains(':') == is_v6)
            .map(|key| format!("{key}{suffix}"))
            .collect()
    };
    Ok(json!({
        "ManagedKeysIPV4": { "IPAddressVersion": "IPV4", "Addresses": of(false) },
        "ManagedKeysIPV6": { "IPAddressVersion": "IPV6", "Addresses": of(true) },
    }))
}
