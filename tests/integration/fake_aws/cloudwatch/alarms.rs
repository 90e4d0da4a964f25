//! Alarms on one metric.

use serde_json::{Map, Value, json};

use super::metrics::dimensions;
use crate::fake_aws::ACCOUNT;
use crate::fake_aws::account::Account;
use crate::fake_aws::call::Refusal;

#[derive(Debug)]
pub struct Alarm {
    /// As `DescribeAlarms` tells it, without its state.
    pub settings: Value,
    /// What was put.
    pub written: Value,
}

pub fn put(account: &mut Account, body: &Value, region: &str) -> Result<Value, Refusal> {
    let invalid = |code: &str, message: &str| Err(Refusal::new(400, code, message));
    let Some(name) = body["AlarmName"].as_str().filter(|name| (1..=255).contains(&name.len()))
    else {
        return invalid("ValidationError", "AlarmName has 1 to 255 characters");
    };
    for needed in [
        "MetricName",
        "Namespace",
        "Period",
        "Threshold",
        "EvaluationPeriods",
        "ComparisonOperator",
    ] {
        if body[needed].is_null() {
            return invalid("ValidationError", &format!("{needed} is missing"));
        }
    }
    let whole = |name: &str| body[name].as_i64().unwrap_or(0);
    if whole("Period") % 60 != 0 && ![10, 20, 30].contains(&whole("Period")) || whole("Period") < 1
    {
        return invalid("ValidationError", "Period must be 10, 20, 30 or a multiple of 60");
    }
    if whole("EvaluationPeriods") < 1 || whole("DatapointsToAlarm") > whole("EvaluationPeriods") {
        return invalid(
            "InvalidParameterCombination",
            "DatapointsToAlarm must not be more than EvaluationPeriods",
        );
    }
    let actions = ["AlarmActions", "OKActions", "InsufficientDataActions"];
    for action in actions.iter().flat_map(|kind| body[*kind].as_array().into_iter().flatten()) {
        let arn = action.as_str().unwrap_or_default();
        if !arn.starts_with("arn:aws:") || arn.split(':').nth(3) != Some(region) {
            return invalid(
                "ValidationError",
                &format!("Invalid region or ARN in the action {arn}"),
            );
        }
    }
    store(account, name, body, region);
    Ok(json!({}))
}

/// Puts an alarm there, unchecked.
pub fn seed(account: &mut Account, told: &Value, region: &str) {
    store(account, told["AlarmName"].as_str().unwrap(), told, region);
}

fn store(account: &mut Account, name: &str, body: &Value, region: &str) {
    let arn = format!("arn:aws:cloudwatch:{region}:{ACCOUNT}:alarm:{name}");
    let is_new = !account.alarms.contains_key(name);
    // Tags of an alarm that is there are not touched by a put.
    if is_new {
        super::tag(account, &arn, &body["Tags"]);
    }
    let mut settings = Map::from_iter([
        ("AlarmName".to_owned(), json!(name)),
        ("AlarmArn".to_owned(), json!(arn)),
    ]);
    let given = body.as_object().unwrap();
    settings.extend(
        given
            .iter()
            .filter(|(key, _)| *key != "Tags")
            .map(|(key, value)| (key.clone(), value.clone())),
    );
    for (member, default) in [
        ("ActionsEnabled", json!(true)),
        ("OKActions", json!([])),
        ("AlarmActions", json!([])),
        ("InsufficientDataActions", json!([])),
        ("Dimensions", json!([])),
        ("TreatMissingData", json!("missing")),
    ] {
        settings.entry(member).or_insert(default);
    }
    settings.insert("AlarmConfigurationUpdatedTimestamp".to_owned(), account.now().0.into());
    let alarm = Alarm { settings: settings.into(), written: body.clone() };
    account.alarms.insert(name.to_owned(), alarm);
}

pub fn describe(account: &Account, body: &Value) -> Result<Value, Refusal> {
    let names: Option<Vec<&str>> =
        body["AlarmNames"].as_array().map(|list| list.iter().filter_map(Value::as_str).collect());
    let prefix = body["AlarmNamePrefix"].as_str().unwrap_or_default();
    let most = usize::try_from(body["MaxRecords"].as_u64().unwrap_or(50)).unwrap();
    let after = body["NextToken"].as_str().unwrap_or_default();
    let mut found = account
        .alarms
        .iter()
        .filter(|(name, _)| names.as_ref().is_none_or(|names| names.contains(&name.as_str())))
        .filter(|(name, _)| name.starts_with(prefix) && name.as_str() > after)
        .peekable();
    let mut told = Vec::new();
    let mut last = "";
    while told.len() < most && found.peek().is_some() {
        let (name, alarm) = found.next().unwrap();
        let mut settings = alarm.settings.clone();
        settings["StateValue"] = state(account, &settings).into();
        settings["StateUpdatedTimestamp"] = account.now().0.into();
        told.push(settings);
        last = name;
    }
    let mut answer = json!({ "MetricAlarms": told, "CompositeAlarms": [] });
    if found.peek().is_some() {
        answer["NextToken"] = last.into();
    }
    Ok(answer)
}

/// What an alarm on a sum says now.
fn state(account: &Account, settings: &Value) -> &'static str {
    let text = |name: &str| settings[name].as_str().unwrap_or_default();
    let whole = |name: &str| settings[name].as_i64().unwrap_or(1);
    let (period, periods) = (whole("Period"), whole("EvaluationPeriods"));
    let needed = settings["DatapointsToAlarm"].as_i64().unwrap_or(periods);
    let now = account.now().0;
    let sums: Vec<Option<f64>> = (0..periods)
        .map(|back| {
            let end = now - back * period;
            let dimensions = dimensions(&settings["Dimensions"]);
            account.metrics.sum(
                text("Namespace"),
                text("MetricName"),
                &dimensions,
                end - period,
                end,
            )
        })
        .collect();
    let threshold = settings["Threshold"].as_f64().unwrap_or(0.0);
    let breaches = |sum: f64| match text("ComparisonOperator") {
        "GreaterThanThreshold" => sum > threshold,
        "GreaterThanOrEqualToThreshold" => sum >= threshold,
        "LessThanThreshold" => sum < threshold,
        _ => sum <= threshold,
    };
    let breaching = sums
        .iter()
        .filter(|sum| sum.map_or(text("TreatMissingData") == "breaching", breaches))
        .count();
    if i64::try_from(breaching).unwrap() >= needed {
        "ALARM"
    } else if sums.iter().all(Option::is_none) && text("TreatMissingData") == "missing" {
        "INSUFFICIENT_DATA"
    } else {
        "OK"
    }
}

pub fn delete(account: &mut Account, body: &Value) -> Result<Value, Refusal> {
    let names: Vec<&str> =
        body["AlarmNames"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    // One that is missing keeps all of them.
    if let Some(missing) = names.iter().find(|name| !account.alarms.contains_key(**name)) {
        let message = format!("Alarm {missing} does not exist");
        return Err(Refusal::new(404, "ResourceNotFound", message));
    }
    for name in names {
        let alarm = account.alarms.remove(name).unwrap();
        account.tags.remove(alarm.settings["AlarmArn"].as_str().unwrap());
    }
    Ok(json!({}))
}

pub fn switch(account: &mut Account, body: &Value, enabled: bool) -> Result<Value, Refusal> {
    for name in body["AlarmNames"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if let Some(alarm) = account.alarms.get_mut(name) {
            alarm.settings["ActionsEnabled"] = enabled.into();
            alarm.written["ActionsEnabled"] = enabled.into();
        }
    }
    Ok(json!({}))
}
