//! What is live: what the API says of web ACLs, and of what stands around them.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::Input;
use crate::checks::model::{Found, Tool};

/// Spells resources that the API told, each with CloudFormation's name of its kind.
///
/// Alarms of others are left out: one belongs here if its dimension `WebACL` names one of these web ACLs in any way,
/// or names none that is known (`others`) and its `Rule` is one of theirs.
#[must_use]
pub fn read_live(input: &Input, told: &[(&str, Value)], others: Option<&[String]>) -> Vec<Found> {
    let names = Names::of(told, others);
    told.iter()
        .filter(|(kind, values)| *kind != "AWS::CloudWatch::Alarm" || names.belongs(values))
        .map(|(kind, values)| found(input, kind, values.clone()))
        .collect()
}

fn found(input: &Input, kind: &str, mut values: Value) -> Found {
    let arn = ["ARN", "AlarmArn", "ResourceArn", "WebACLArn"]
        .iter()
        .find_map(|name| values[*name].as_str());
    let arn = arn.unwrap_or_default().to_owned();
    if kind.starts_with("AWS::WAFv2::")
        && values["ARN"].is_string()
        && let Some(members) = values.as_object_mut()
    {
        // What is told has no scope: the ARN has it.
        let scope = if arn.contains(":global/") { "CLOUDFRONT" } else { "REGIONAL" };
        members.entry("Scope").or_insert_with(|| scope.into());
    }
    let mut item = input.item(Tool::Live, address(kind, &values, &arn));
    item.region = arn.split(':').nth(3).filter(|it| !it.is_empty()).map(str::to_owned);
    Found { item, kind: kind.to_owned(), values, before: None }
}

/// `webacl/prod`, `alarm/acl-token`: unlike a name alone, nothing else is called that.
fn address(kind: &str, values: &Value, arn: &str) -> String {
    let named = |arn: &str| {
        let resource = arn.splitn(6, ':').nth(5)?;
        let mut parts = resource.split('/').skip(1);
        Some(format!("{}/{}", parts.next()?, parts.next()?))
    };
    let text = |name: &str| values[name].as_str().unwrap_or_default();
    match kind {
        "AWS::CloudWatch::Alarm" => format!("alarm/{}", text("AlarmName")),
        "AWS::CloudFront::Distribution" => format!("distribution/{}", text("Id")),
        "AWS::WAFv2::WebACLAssociation" => text("ResourceArn").to_owned(),
        "AWS::WAFv2::LoggingConfiguration" => {
            format!("logging of {}", named(arn).unwrap_or_else(|| arn.to_owned()))
        }
        _ => named(arn).unwrap_or_else(|| text("Name").to_owned()),
    }
}

/// What these web ACLs and their rules are called.
struct Names {
    web_acls: BTreeSet<String>,
    rules: BTreeSet<String>,
    /// Web ACLs that are not these; `None`: nobody knows.
    others: Option<BTreeSet<String>>,
}

impl Names {
    fn of(told: &[(&str, Value)], others: Option<&[String]>) -> Self {
        let (mut web_acls, mut rules) = (BTreeSet::new(), BTreeSet::new());
        for (kind, values) in told {
            if !matches!(*kind, "AWS::WAFv2::WebACL" | "AWS::WAFv2::RuleGroup") {
                continue;
            }
            let metric = |value: &Value| value["VisibilityConfig"]["MetricName"].clone();
            let own = [values["Name"].clone(), values["Id"].clone(), values["ARN"].clone()];
            let own = own.into_iter().chain([metric(values)]);
            if *kind == "AWS::WAFv2::WebACL" {
                web_acls.extend(own.filter_map(|it| it.as_str().map(str::to_owned)));
            }
            for rule in values["Rules"].as_array().into_iter().flatten() {
                let both = [rule["Name"].clone(), metric(rule)];
                rules.extend(both.into_iter().filter_map(|it| it.as_str().map(str::to_owned)));
            }
        }
        let others = others.map(|names| names.iter().cloned().collect());
        Self { web_acls, rules, others }
    }

    fn belongs(&self, alarm: &Value) -> bool {
        let own = json!([{ "Dimensions": alarm["Dimensions"] }]);
        let queries = alarm["Metrics"].as_array().into_iter().flatten();
        let queries = queries.map(|query| &query["MetricStat"]["Metric"]);
        own.as_array().into_iter().flatten().chain(queries).any(|metric| self.is_on(metric))
    }

    fn is_on(&self, metric: &Value) -> bool {
        let dimension = |wanted: &str| {
            let all = metric["Dimensions"].as_array().into_iter().flatten();
            all.filter(|one| one["Name"] == wanted).find_map(|one| one["Value"].as_str())
        };
        let rule_is_ours = || dimension("Rule").is_some_and(|rule| self.rules.contains(rule));
        match dimension("WebACL") {
            Some(name) if self.web_acls.contains(name) => true,
            Some(name) => {
                let is_nobodys = self.others.as_ref().is_some_and(|it| !it.contains(name));
                is_nobodys && rule_is_ours()
            }
            None => rule_is_ours(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alarm(name: &str, dimensions: &[(&str, &str)]) -> (&'static str, Value) {
        let dimensions: Vec<Value> = dimensions
            .iter()
            .map(|(name, value)| json!({ "Name": name, "Value": value }))
            .collect();
        let arn = format!("arn:aws:cloudwatch:us-east-1:123456789012:alarm:{name}");
        let told = json!({ "AlarmName": name, "AlarmArn": arn, "Dimensions": dimensions });
        ("AWS::CloudWatch::Alarm", told)
    }

    #[test]
    fn alarms_of_others_stay_out() {
        let arn = "arn:aws:wafv2:us-east-1:123456789012:global/webacl/prod/a1";
        let acl = json!({ "Name": "prod", "ARN": arn, "Rules": [
            { "Name": "token", "VisibilityConfig": { "MetricName": "tokens" } },
        ] });
        let told = [
            ("AWS::WAFv2::WebACL", acl),
            alarm("right", &[("WebACL", "prod"), ("Rule", "gone")]),
            alarm("without", &[("Rule", "tokens")]),
            alarm("misspelled", &[("WebACL", "prd"), ("Rule", "token")]),
            alarm("another", &[("WebACL", "shop"), ("Rule", "token")]),
            alarm("foreign", &[("WebACL", "prd"), ("Rule", "login")]),
        ];
        let input = Input { name: "live".into(), environment: None, text: String::new() };
        let addresses = |others: Option<&[String]>| -> Vec<String> {
            read_live(&input, &told, others).into_iter().map(|one| one.item.address).collect()
        };
        let whole = addresses(Some(&["shop".to_owned()]));
        assert_eq!(whole, ["webacl/prod", "alarm/right", "alarm/without", "alarm/misspelled"]);
        assert_eq!(addresses(None), ["webacl/prod", "alarm/right", "alarm/without"]);
        let acl = &read_live(&input, &told, None)[0];
        assert_eq!(acl.values["Scope"], "CLOUDFRONT");
        assert_eq!(acl.item.region.as_deref(), Some("us-east-1"));
    }
}
