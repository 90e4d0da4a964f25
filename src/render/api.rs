//! The API's own JSON: what the AWS CLI takes, call by call.
//!
//! Nothing has an ARN before AWS gives it one. Where the caller knows those of the IP sets they are
//! written; else a set is called by its name, `ip-set:acl-qa-v4`, which AWS refuses.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json, json};

use super::Error;
use super::dashboard;
use crate::rules::LogDestination;
use crate::stack::{Acl, Attribute, Resource, Stack, Topic, Value};
use crate::wafv2::Arn;

/// ARNs that are known, by the name of what they belong to.
pub type KnownArns = BTreeMap<String, String>;

/// Writes a stack as API JSON: one object, whose members are named after the commands of `aws wafv2` and
/// of the other services, in the order in which they run; each holds inputs for `--cli-input-json`.
///
/// # Errors
/// When the API cannot express it, or when an ARN is given for something that does not occur.
pub fn api_json(stack: &Stack, arns: &KnownArns) -> Result<Vec<(String, String)>, Error> {
    if stack.guard.is_some() {
        return Err(Error::GuardInApi);
    }
    let sets: Vec<&str> = stack
        .networks
        .iter()
        .flat_map(|network| network.sets.iter().map(|set| set.name.as_str()))
        .collect();
    let given = |name: &str| sets.contains(&name) || name == stack.acl.web_acl();
    if let Some(name) = arns.keys().find(|name| !given(name)) {
        return Err(Error::UnknownArn { name: name.clone() });
    }
    let mut out = Map::new();
    let mut add = |command: &str, inputs: Vec<Json>| {
        if !inputs.is_empty() {
            out.insert(command.to_owned(), Json::Array(inputs));
        }
    };
    let sets = stack.networks.iter().flat_map(|network| &network.sets);
    add("wafv2 create-ip-set", sets.map(to_json).collect());
    match &stack.acl {
        // What the two take is the same but for `Id` and `LockToken`, which `get-web-acl` gives.
        Acl::Own(acl) => {
            let acl = resolved(acl, arns);
            add("wafv2 create-web-acl", vec![acl.clone()]);
            add("wafv2 update-web-acl", vec![acl]);
        }
        Acl::Groups { groups, .. } => {
            add(
                "wafv2 create-rule-group",
                groups.iter().map(|joined| resolved(&joined.group, arns)).collect(),
            );
        }
        Acl::Rules { web_acl, rules } => {
            let rules: Vec<Json> = rules.iter().map(|rule| resolved(rule, arns)).collect();
            // Only the rules that join: sent alone, they would replace everybody's.
            add(&format!("rules to add to {web_acl}"), rules);
        }
    }
    let value = |value: &Value| plain(stack, arns, value);
    if let Some(Topic::Made { name }) = &stack.topic {
        add("sns create-topic", vec![json!({ "Name": name })]);
    }
    add(
        "wafv2 associate-web-acl",
        stack
            .associations
            .iter()
            .map(|one| {
                let acl = value(&Value::arn(Resource::WebAcl));
                json!({ "WebACLArn": acl, "ResourceArn": one.resource_arn })
            })
            .collect(),
    );
    add("wafv2 put-logging-configuration", logging(stack, arns));
    let alarms = stack.alarms.iter().map(|alarm| alarm.put_metric_alarm(value));
    add("cloudwatch put-metric-alarm", alarms.collect());
    if let Some(one) = &stack.dashboard {
        let body = dashboard::body(one, stack);
        let input = json!({ "DashboardName": one.name, "DashboardBody": body });
        add("cloudwatch put-dashboard", vec![input]);
    }
    // JSON of texts and numbers always prints.
    let mut text = serde_json::to_string_pretty(&out).unwrap_or_default();
    text.push('\n');
    Ok(vec![("waf.json".to_owned(), text)])
}

fn to_json(shape: impl serde::Serialize) -> Json {
    // A typed shape of ours always becomes JSON.
    serde_json::to_value(shape).unwrap_or_default()
}

/// A shape with the ARNs that are known.
fn resolved(shape: impl serde::Serialize, arns: &KnownArns) -> Json {
    let mut json = to_json(shape);
    resolve(&mut json, arns);
    json
}

fn resolve(json: &mut Json, arns: &KnownArns) {
    match json {
        Json::Array(values) => values.iter_mut().for_each(|value| resolve(value, arns)),
        Json::Object(members) => {
            for (key, value) in members.iter_mut().filter(|(key, _)| *key != "CustomResponseBodies")
            {
                match value {
                    Json::String(text) if key == "ARN" => {
                        let name = Arn(text.clone()).ip_set_name().map(str::to_owned);
                        if let Some(arn) = name.and_then(|name| arns.get(&name)) {
                            text.clone_from(arn);
                        }
                    }
                    other => resolve(other, arns),
                }
            }
        }
        _ => {}
    }
}

fn logging(stack: &Stack, arns: &KnownArns) -> Vec<Json> {
    let Some(logging) = &stack.logging else { return Vec::new() };
    let destination = match &logging.destination {
        LogDestination::LogGroup { name, .. } => format!("log-group:{name}"),
        LogDestination::Bucket(name) => format!("arn:aws:s3:::{name}"),
        LogDestination::Firehose(name) => format!("deliverystream:{name}"),
    };
    let mut configuration = json!({
        "ResourceArn": plain(stack, arns, &Value::arn(Resource::WebAcl)),
        "LogDestinationConfigs": [destination],
    });
    if !logging.redacted.is_empty() {
        configuration["RedactedFields"] = to_json(&logging.redacted);
    }
    if let Some(filter) = &logging.filter {
        configuration["LoggingFilter"] = to_json(filter);
    }
    vec![json!({ "LoggingConfiguration": configuration })]
}

/// A value, or what stands for it until AWS has given it an ARN.
fn plain(stack: &Stack, arns: &KnownArns, value: &Value) -> String {
    match value {
        Value::Plain(text) => text.clone(),
        Value::Of(Resource::WebAcl, Attribute::Name) => stack.acl.web_acl().to_owned(),
        Value::Of(Resource::WebAcl, _) => {
            let name = stack.acl.web_acl();
            arns.get(name).cloned().unwrap_or_else(|| format!("web-acl:{name}"))
        }
        Value::Of(Resource::RuleGroup(name), _) => name.clone(),
        Value::Of(Resource::Topic, _) => match &stack.topic {
            Some(Topic::Made { name }) => format!("topic:{name}"),
            Some(Topic::Given(arn)) => arn.clone(),
            None => String::new(),
        },
        Value::Of(..) => String::new(),
    }
}
