//! `ratewaf check --live`, against an AWS on loopback: the examples of the checks as an account, and what a user
//! meets.

use std::collections::{BTreeMap, BTreeSet};

use ratewaf::checks::marker;
use ratewaf::checks::model::{Change, Found, build};
use serde_json::{Value, json};

use super::page::{Example, all, examples, findings, not_live};
use crate::fake_aws::FakeAws;
use crate::harness::{Outcome, Workspace};
use crate::live::{command, outcome};

/// An example as an account, and what has to be typed to look at it.
struct Account {
    aws: FakeAws,
    arguments: Vec<String>,
}

/// What values of an example are in an account.
#[derive(Default)]
struct Values {
    /// By the address of a resource.
    arns: BTreeMap<String, String>,
    names: BTreeMap<String, String>,
}

impl Values {
    /// `None`: it is known only to who deploys it.
    fn told(&self, value: &Value) -> Option<Value> {
        Some(match value {
            Value::Array(values) => {
                Value::Array(values.iter().map(|one| self.told(one)).collect::<Option<_>>()?)
            }
            Value::Object(_) if marker::resource(value).is_some() => {
                let (address, attribute) = marker::resource(value)?;
                let known = match attribute {
                    "Arn" => self.arns.get(address),
                    "Name" => self.names.get(address),
                    "Id" => self.arns.get(address).filter(|arn| arn.contains(":wafv2:")),
                    _ => None,
                }?;
                let id = known.rsplit('/').next()?;
                if attribute == "Id" { id.into() } else { known.as_str().into() }
            }
            Value::Object(_) if marker::is_unknown(value) || marker::is_hidden(value) => {
                return None;
            }
            Value::Object(members) => {
                let told = members.iter().filter(|(name, _)| !name.starts_with('$'));
                let told = told.map(|(name, value)| Some((name.clone(), self.told(value)?)));
                Value::Object(told.collect::<Option<_>>()?)
            }
            other => other.clone(),
        })
    }
}

fn scope(values: &Value) -> &str {
    values["Scope"].as_str().unwrap_or("CLOUDFRONT")
}

/// `None`: no account can be like that, or nobody would see it there.
fn account(example: &Example) -> Option<Account> {
    let found = &example.found;
    let is_change = |one: &Found| one.before.is_some() || one.item.change != Change::NotTold;
    if found.iter().any(is_change) {
        return None;
    }
    let aws = FakeAws::start();
    let mut values = Values::default();
    for one in found {
        let address = one.item.address.clone();
        let name = one.values["Name"].as_str().unwrap_or(&address).to_owned();
        values.names.insert(address.clone(), name.clone());
        let service = match one.kind.as_str() {
            kind if kind.starts_with("AWS::WAFv2::") => continue,
            "AWS::SNS::Topic" => "sns",
            "AWS::ElasticLoadBalancingV2::LoadBalancer" => "elasticloadbalancing",
            kind if kind.starts_with("AWS::ApiGateway") => "apigateway",
            "AWS::Logs::LogGroup" => "logs",
            _ => "s3",
        };
        values.arns.insert(address, format!("arn:aws:{service}:us-east-1:123456789012:{name}"));
    }
    let of = |kind: &'static str| found.iter().filter(move |one| one.kind == kind);
    for one in of("AWS::WAFv2::IPSet") {
        let arn = aws.put_any_ip_set(&values.told(&one.values)?, scope(&one.values));
        values.arns.insert(one.item.address.clone(), arn);
    }
    for one in of("AWS::WAFv2::RuleGroup") {
        let told = values.told(&one.values)?;
        let arn = aws.put_rule_group(&told.to_string(), scope(&one.values));
        values.arns.insert(one.item.address.clone(), arn);
    }
    let (mut arguments, mut scopes, mut names) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    for one in of("AWS::WAFv2::WebACL") {
        let mut told = values.told(&one.values)?;
        let owned = of("Ratewaf::WebACLRule").filter(|rule| {
            marker::resource(&rule.values["WebACLArn"])
                .is_some_and(|(address, _)| address == one.item.address)
        });
        for rule in owned {
            let rule = values.told(&rule.values["Rule"])?;
            if told["Rules"].is_null() {
                told["Rules"] = json!([]);
            }
            told["Rules"].as_array_mut()?.push(rule);
        }
        let scope = scope(&one.values);
        // AWS takes no other.
        if !matches!(scope, "CLOUDFRONT" | "REGIONAL") || one.values["Scope"].is_null() {
            return None;
        }
        if !names.insert((scope, told["Name"].as_str()?.to_owned())) {
            return None;
        }
        let arn = match scope {
            "CLOUDFRONT" => aws.put_web_acl(&told.to_string()),
            _ => aws.put_regional_web_acl(&told.to_string()),
        };
        let of = one.item.environment.as_ref().map(|it| format!("{it}=")).unwrap_or_default();
        arguments.push("--web-acl".to_owned());
        arguments.push(format!("{of}{arn}"));
        scopes.insert(scope);
        values.arns.insert(one.item.address.clone(), arn);
    }
    if scopes.is_empty() {
        return None;
    }
    let has_more = example.texts.0.is_some() || arguments.iter().any(|it| it.contains("=arn:"));
    // Everything there is, as people without a policy type it.
    if !has_more && scopes.len() == 1 {
        arguments.clear();
        if scopes.contains("REGIONAL") {
            arguments.extend(["--region".to_owned(), "us-east-1".to_owned()]);
        }
    }
    for one in of("AWS::WAFv2::LoggingConfiguration") {
        let told = values.told(&one.values)?;
        aws.put_logging(told["ResourceArn"].as_str()?, told.clone());
    }
    for one in of("AWS::WAFv2::WebACLAssociation") {
        let told = values.told(&one.values)?;
        aws.associate(told["WebACLArn"].as_str()?, told["ResourceArn"].as_str()?);
    }
    for (number, one) in of("AWS::CloudFront::Distribution").enumerate() {
        let config = &one.values["DistributionConfig"];
        let id = format!("E{number}");
        let web_acl = values.told(&config["WebACLId"])?;
        aws.put_distribution(&id, web_acl.as_str().unwrap_or_default());
        let mut told = config.clone();
        // Names of load balancers and the like are texts to CloudFront.
        for origin in told["Origins"].as_array_mut().into_iter().flatten() {
            if !origin["DomainName"].is_string() {
                origin["DomainName"] = "origin.example".into();
            }
        }
        aws.configure_distribution(&id, &told);
    }
    for one in of("AWS::CloudWatch::Alarm") {
        let mut told = values.told(&one.values)?;
        for query in told["Metrics"].as_array_mut().into_iter().flatten() {
            let metric = query["Metric"].take();
            if metric.is_object() {
                let dimensions = metric["Dimensions"].as_object().into_iter().flatten();
                let dimensions: Vec<Value> = dimensions
                    .map(|(name, value)| json!({ "Name": name, "Value": value }))
                    .collect();
                query["MetricStat"] = json!({
                    "Metric": { "Namespace": metric["Namespace"], "MetricName": metric["MetricName"],
                        "Dimensions": dimensions },
                    "Period": metric["Period"], "Stat": metric["Stat"],
                });
            }
            query.as_object_mut()?.retain(|_, value| !value.is_null());
        }
        // A figure goes over the wire as one.
        if let Some(threshold) = told["Threshold"].as_f64() {
            told["Threshold"] = threshold.into();
        }
        let region = one.item.region.as_deref().unwrap_or("us-east-1");
        // Nobody asks elsewhere.
        if region == "us-east-1" {
            aws.put_alarm(&told, region);
        }
    }
    Some(Account { aws, arguments })
}

fn run(workspace: &Workspace, aws: &FakeAws, arguments: &[&str]) -> Outcome {
    let all = [&["check", "--live", "--today", "2026-12-01"], arguments].concat();
    outcome(command(workspace, &aws.url(), &all))
}

#[test]
fn examples_say_the_same_of_an_account() {
    let mut wrong = Vec::new();
    let mut seen: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for check in all() {
        let id = check.about().id;
        for section in ["Bad", "Good"] {
            for example in examples(id, section) {
                let Some(account) = account(&example) else { continue };
                let wanted = findings(check, &example, &build(example.found.clone())).len();
                let workspace = Workspace::new();
                if let Some(policy) = &example.texts.0 {
                    workspace.write("ratewaf.yaml", policy);
                }
                if let Some(lock) = &example.texts.1 {
                    workspace.write("ratewaf.lock.json", lock);
                }
                let mut arguments: Vec<&str> =
                    account.arguments.iter().map(String::as_str).collect();
                arguments.extend(["--only", id, "--format", "json", "--fail-on", "never"]);
                let outcome = run(&workspace, &account.aws, &arguments);
                assert_eq!(outcome.status, 0, "{}: {}", example.name, outcome.stderr);
                assert_eq!(account.aws.writes(), Vec::<String>::new());
                let document: Value = serde_json::from_str(&outcome.stdout).unwrap();
                let told = document["findings"].as_array().unwrap();
                // Of what cannot be known there nothing is said: neither good nor bad.
                let wanted = if not_live(id).is_some() { 0 } else { wanted };
                if told.len() != wanted {
                    wrong.push(format!(
                        "{}: {wanted} as files, live {:?}",
                        example.name,
                        told.iter().map(|one| one["message"].to_string()).collect::<Vec<_>>()
                    ));
                }
                let (bad, good) = seen.entry(id).or_default();
                *(if section == "Bad" { bad } else { good }) += 1;
            }
        }
    }
    let missing: Vec<&str> = all()
        .map(|check| check.about().id)
        .filter(|id| not_live(id).is_none())
        .filter(|id| !seen.get(id).is_some_and(|(bad, good)| *bad > 0 && *good > 0))
        .collect();
    assert!(wrong.is_empty(), "{}\n{missing:?}", wrong.join("\n"));
    assert_eq!(missing, Vec::<&str>::new());
}

/// A web ACL with one rate rule and nothing around it.
fn bare(name: &str) -> String {
    json!({
        "Name": name, "DefaultAction": { "Allow": {} },
        "VisibilityConfig": { "SampledRequestsEnabled": true, "CloudWatchMetricsEnabled": true, "MetricName": name },
        "Rules": [{
            "Name": "token", "Priority": 1,
            "Action": { "Block": { "CustomResponse": { "ResponseCode": 429,
                "ResponseHeaders": [{ "Name": "Retry-After", "Value": "300" }] } } },
            "Statement": { "RateBasedStatement": { "Limit": 5, "EvaluationWindowSec": 300, "AggregateKeyType": "IP" } },
            "VisibilityConfig": { "SampledRequestsEnabled": true, "CloudWatchMetricsEnabled": true,
                "MetricName": "token" },
        }],
    })
    .to_string()
}

fn ids(outcome: &Outcome) -> Vec<String> {
    let document: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let found = document["findings"].as_array().unwrap();
    found.iter().map(|one| one["check"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_is_live_is_checked_and_only_read() {
    let (workspace, aws) = (Workspace::new(), FakeAws::start());
    aws.put_web_acl(&bare("shop"));
    let before = aws.everything();
    let outcome = run(&workspace, &aws, &[]);
    assert_eq!(outcome.status, 1, "{}", outcome.stderr);
    for text in [
        "error[limit-range]",
        "warning[rate-rule-without-alarm]: nobody is told when rule `token` of web ACL `shop` acts",
        "note[logging-absent]",
        "note[web-acl-unattached]: nothing is protected by web ACL `shop`",
        "in webacl/shop, rule token, of live CloudFront",
    ] {
        assert!(outcome.stdout.contains(text), "{text}: {}", outcome.stdout);
    }
    assert!(!outcome.stdout.contains("not seen"), "{}", outcome.stdout);
    assert_eq!(aws.everything(), before);
    assert_eq!(aws.writes(), Vec::<String>::new());
    for format in ["sarif", "github", "junit", "markdown"] {
        let outcome = run(&workspace, &aws, &["--format", format]);
        assert_eq!(outcome.status, 1, "{format}: {}", outcome.stderr);
        assert!(outcome.stdout.contains("limit-range"), "{format}: {}", outcome.stdout);
    }
}

#[test]
fn what_may_not_be_read_is_said_and_nothing_is_concluded_from_it() {
    use crate::fake_aws::{Fault, On};

    let (workspace, aws) = (Workspace::new(), FakeAws::start());
    aws.put_web_acl(&bare("shop"));
    for operation in ["DescribeAlarms", "GetLoggingConfiguration", "ListDistributionsByWebACLId"] {
        aws.fail(On::Every(operation), Fault::AccessDenied);
    }
    let outcome = run(&workspace, &aws, &["--format", "json"]);
    let found = ids(&outcome);
    for check in ["rate-rule-without-alarm", "logging-absent", "web-acl-unattached"] {
        assert!(!found.iter().any(|it| it == check), "{check}");
    }
    assert!(found.iter().any(|it| it == "limit-range"));
    let outcome = run(&workspace, &aws, &[]);
    for text in [
        "not seen: alarms: AWS denies cloudwatch:DescribeAlarms",
        "not seen: logging: AWS denies wafv2:GetLoggingConfiguration",
        "not seen: distributions: AWS denies cloudfront:ListDistributionsByWebACLId",
    ] {
        assert!(outcome.stdout.contains(text), "{text}: {}", outcome.stdout);
    }
    aws.fail(On::Every("GetWebACL"), Fault::AccessDenied);
    let outcome = run(&workspace, &aws, &[]);
    assert_eq!((outcome.status, outcome.stdout.as_str()), (2, ""));
    assert!(outcome.stderr.contains("hint: allow wafv2:GetWebACL"), "{}", outcome.stderr);
}

#[test]
fn a_web_acl_is_found_by_arn_distribution_policy_region_and_environment() {
    let (workspace, aws) = (Workspace::new(), FakeAws::start());
    let shop = aws.put_web_acl(&bare("shop"));
    aws.put_web_acl(&bare("stage"));
    aws.put_regional_web_acl(&bare("api"));
    aws.put_distribution("E1", &shop);
    aws.put_distribution("E2", "");
    let looked_at = |arguments: &[&str]| {
        let only = ["--only", "limit-range", "--format", "json"];
        let outcome = run(&workspace, &aws, &[&only[..], arguments].concat());
        assert_eq!(outcome.status, 1, "{arguments:?}: {}", outcome.stderr);
        let document: Value = serde_json::from_str(&outcome.stdout).unwrap();
        let found = document["findings"].as_array().unwrap().iter();
        found
            .map(|one| {
                let place = &one["place"];
                let environment = place["environment"].as_str().unwrap_or("-");
                format!("{environment} {}", place["address"].as_str().unwrap())
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(looked_at(&[]), ["- webacl/shop", "- webacl/stage"]);
    assert_eq!(looked_at(&["--region", "us-east-1"]), ["- webacl/api"]);
    assert_eq!(looked_at(&["--web-acl", &shop]), ["- webacl/shop"]);
    assert_eq!(looked_at(&["--web-acl", &format!("prod={shop}")]), ["prod webacl/shop"]);
    assert_eq!(looked_at(&["--distribution", "E1"]), ["- webacl/shop"]);
    workspace.write(
        "ratewaf.yaml",
        "version: 1\nname: acl\nweb_acl: { create: shop }\nroutes:\n  - name: token\n    path: { exactly: /token }\n    limit: 300\nenvironments:\n  stage: { web_acl: { create: stage } }\n",
    );
    assert_eq!(looked_at(&[]), ["- webacl/shop"]);
    assert_eq!(looked_at(&["--env", "stage"]), ["stage webacl/stage"]);

    let refused = |arguments: &[&str], texts: &[&str]| {
        let outcome = run(&workspace, &aws, arguments);
        assert_eq!((outcome.status, outcome.stdout.as_str()), (2, ""), "{arguments:?}");
        for text in texts.iter().chain(&["hint: "]) {
            assert!(outcome.stderr.contains(text), "{text}: {}", outcome.stderr);
        }
    };
    refused(&["--web-acl", "shop"], &["is not the ARN of a web ACL", "list-web-acls"]);
    refused(&["--distribution", "E2"], &["has no web ACL", "apply --distribution"]);
    refused(&["--distribution", "E3"], &["E3"]);
    refused(&["--env", "night"], &["night", "environments"]);
    let regional = aws.web_acl_arn("api").unwrap();
    let arguments = ["--web-acl", &regional, "--region", "eu-west-1"];
    refused(&arguments, &["is in us-east-1, and --region says eu-west-1"]);
    workspace.write(
        "ratewaf.yaml",
        workspace.read("ratewaf.yaml").replace("create: shop", "create: gone"),
    );
    refused(&[], &["there is no web ACL gone in front of CloudFront", "ratewaf apply"]);
    let empty = FakeAws::start();
    let bare = Workspace::new();
    let outcome = run(&bare, &empty, &[]);
    assert_eq!(outcome.status, 2);
    assert!(
        outcome.stderr.contains("there is no web ACL in front of CloudFront"),
        "{}",
        outcome.stderr
    );
    // Flags that only mean something there.
    for arguments in [
        &["check", "--profile", "x"][..],
        &["check", "--web-acl", "x"],
        &["check", "--live", "infra"],
        &["check", "--live", "--before", "infra"],
    ] {
        bare.refused(arguments, &["--"]);
    }
}

/// Sets, groups, distributions and logs are read where they are, and told apart from those of others.
#[test]
fn what_stands_around_is_read() {
    let (workspace, aws) = (Workspace::new(), FakeAws::start());
    let set =
        aws.put_ip_set(r#"{"Name":"office","IPAddressVersion":"IPV4","Addresses":["0.0.0.0/1"]}"#);
    let group = json!({ "Name": "limits", "Capacity": 10, "Rules": [
        serde_json::from_str::<Value>(&bare("x")).unwrap()["Rules"][0]
    ] });
    let group = aws.put_rule_group(&group.to_string(), "CLOUDFRONT");
    let mut acl: Value = serde_json::from_str(&bare("shop")).unwrap();
    let visibility = acl["VisibilityConfig"].clone();
    acl["Rules"] = json!([
        { "Name": "team", "Priority": 0, "Statement": { "RuleGroupReferenceStatement": { "ARN": group } },
          "OverrideAction": { "Count": {} }, "VisibilityConfig": visibility },
        { "Name": "let-in", "Priority": 1, "Statement": { "IPSetReferenceStatement": { "ARN": set } },
          "Action": { "Allow": {} }, "VisibilityConfig": visibility },
    ]);
    let arn = aws.put_web_acl(&acl.to_string());
    aws.put_distribution("E1", &arn);
    aws.put_logging(
        &arn,
        json!({
            "ResourceArn": arn, "LogDestinationConfigs": ["arn:aws:s3:::logs-of-the-shop"],
        }),
    );
    let outcome = run(&workspace, &aws, &["--format", "json"]);
    let found = ids(&outcome);
    for check in ["group-only-counts", "exemption-too-wide", "logging-destination", "limit-range"] {
        assert!(found.iter().any(|it| it == check), "{check}: {found:?}");
    }
    assert!(!outcome.stdout.contains("hush"), "a secret of an origin");
    let document: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let not_seen = document["not_seen"].to_string();
    assert!(not_seen.contains("called around CloudFront is not asked"), "{not_seen}");
}
