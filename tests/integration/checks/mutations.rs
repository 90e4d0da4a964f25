//! Faults of a deployment that was good: each kind of them is found by the check that is for it. And changes that
//! do not matter: nothing is said about them.

use ratewaf::checks::model::{Found, build};
use ratewaf::checks::read::{Folder, read_folder};
use ratewaf::checks::{CHECKS, Check, Context, Finding, run};
use ratewaf::policy::{Lock, Policy};
use serde_json::{Value, json};

use super::page::today;
use crate::harness::repository;

/// A change of the good deployment.
struct Change {
    /// What is changed, for messages.
    name: String,
    /// The check that has to find it; none for a change that does not matter.
    found_by: Option<&'static str>,
    found: Vec<Found>,
}

struct Stack {
    good: Vec<Found>,
    policy: Policy,
    lock: Lock,
}

const ACL: &str = "AWS::WAFv2::WebACL";
const SET: &str = "AWS::WAFv2::IPSet";
const ALARM: &str = "AWS::CloudWatch::Alarm";

impl Stack {
    fn new() -> Self {
        let text = |name: &str| std::fs::read_to_string(repository(name)).unwrap();
        let file = "tests/golden/emit/whole-story-6.tf";
        let files = vec![("main.tf".to_owned(), text(file))];
        let reading = read_folder(&Folder { name: "good".to_owned(), files, ..Folder::default() });
        let mut good = reading.unwrap().found;
        // The guard before the origin is a deployment of its own.
        good.retain(|one| !one.item.address.contains("origin"));
        Self {
            good,
            policy: Policy::parse(&text("tests/golden/emit/whole-story.yaml"), "policy").unwrap(),
            lock: Lock::parse(&text("tests/golden/emit/ratewaf.lock.json"), "lock").unwrap(),
        }
    }

    fn findings(&self, checks: &[&dyn Check], found: &[Found]) -> Vec<Finding> {
        let deployment = build(found.to_vec());
        let context = Context {
            deployment: &deployment,
            policy: Some(&self.policy),
            lock: Some(&self.lock),
            today: today(),
            pricing_plan: Some(self.policy.pricing_plan),
        };
        run(checks, &context)
    }
}

/// The changes of one list.
struct Changes<'a> {
    stack: &'a Stack,
    list: Vec<Change>,
}

impl Changes<'_> {
    /// Adds a change of all resources.
    fn all(
        &mut self,
        name: String,
        found_by: Option<&'static str>,
        change: impl Fn(&mut Vec<Found>),
    ) {
        let mut found = self.stack.good.clone();
        change(&mut found);
        assert_ne!(found, self.stack.good, "{name} changes nothing");
        self.list.push(Change { name, found_by, found });
    }

    /// Adds the same change of each resource of a kind.
    fn each(
        &mut self,
        kind: &str,
        name: &str,
        found_by: impl Into<Option<&'static str>>,
        change: impl Fn(&mut Value),
    ) {
        let found_by = found_by.into();
        for place in 0..self.stack.good.len() {
            let one = &self.stack.good[place];
            if one.kind != kind {
                continue;
            }
            let name = format!("{name} ({})", one.item.address);
            self.all(name, found_by, |found| change(&mut found[place].values));
        }
    }

    /// Adds the same change of each rule.
    fn rules(
        &mut self,
        name: &str,
        found_by: impl Into<Option<&'static str>>,
        change: impl Fn(&mut Value),
    ) {
        let found_by = found_by.into();
        let acl = self.stack.good.iter().position(|one| one.kind == ACL).unwrap();
        let count = self.stack.good[acl].values["Rules"].as_array().unwrap().len();
        for place in 0..count {
            let name = format!("{name} (rule {place})");
            self.all(name, found_by, |found| change(&mut found[acl].values["Rules"][place]));
        }
    }

    /// Adds the same change of each match on a path that a rule counts, one at a time.
    fn paths(
        &mut self,
        name: &str,
        found_by: impl Into<Option<&'static str>>,
        change: impl Fn(&mut Value),
    ) {
        let found_by = found_by.into();
        let acl = self.stack.good.iter().position(|one| one.kind == ACL).unwrap();
        let mut pointers = Vec::new();
        gather(&self.stack.good[acl].values, String::new(), &mut pointers);
        for pointer in pointers {
            let name = format!("{name} ({pointer})");
            self.all(name, found_by, |found| {
                change(found[acl].values.pointer_mut(&pointer).unwrap());
            });
        }
    }
}

/// Where string matches on the path stand that no `not` is around.
fn gather(value: &Value, at: String, into: &mut Vec<String>) {
    match value {
        Value::Array(values) => {
            for (place, one) in values.iter().enumerate() {
                gather(one, format!("{at}/{place}"), into);
            }
        }
        Value::Object(members) => {
            for (name, one) in members {
                let at = format!("{at}/{name}");
                match name.as_str() {
                    "NotStatement" => {}
                    "ByteMatchStatement" if one["FieldToMatch"]["UriPath"].is_object() => {
                        into.push(at)
                    }
                    _ => gather(one, at, into),
                }
            }
        }
        _ => {}
    }
}

fn rate(rule: &mut Value) -> &mut Value {
    &mut rule["Statement"]["RateBasedStatement"]
}

fn remove(value: &mut Value, name: &str) {
    value.as_object_mut().unwrap().remove(name);
}

/// Runs a transformation off a match.
fn without(path: &mut Value, transformation: &str) {
    let list = path["TextTransformations"].as_array_mut().unwrap();
    list.retain(|one| one["Type"] != transformation);
}

fn dimension(alarm: &mut Value, name: &str, value: Option<&str>) {
    let list = alarm["Dimensions"].as_array_mut().unwrap();
    list.retain(|one| one["Name"] != name);
    if let Some(value) = value {
        list.push(json!({ "Name": name, "Value": value }));
    }
}

fn faults(stack: &Stack) -> Vec<Change> {
    let mut all = Changes { stack, list: Vec::new() };
    all.rules("a limit of 5", "limit-range", |rule| rate(rule)["Limit"] = 5.into());
    all.rules("no limit", "limit-range", |rule| remove(rate(rule), "Limit"));
    all.rules("a limit with letters", "limit-range", |rule| rate(rule)["Limit"] = "5OO".into());
    all.rules("a misspelt limit", "member-unknown", |rule| rate(rule)["Limits"] = 500.into());
    all.rules("a limit in the rule", "member-unknown", |rule| rule["Limit"] = 500.into());
    all.rules("a misspelt action", "member-unknown", |rule| rule["Action"] = json!({"Bloc": {}}));
    all.rules("a misspelt key", "member-unknown", |rule| {
        rate(rule)["CustomKeys"] = json!([{"Heder": {"Name": "x"}}]);
    });
    all.rules("a window in minutes", "window-not-offered", |rule| {
        rate(rule)["EvaluationWindowSec"] = "5m".into();
    });
    all.rules("a window of 180 s", "window-not-offered", |rule| {
        rate(rule)["EvaluationWindowSec"] = 180.into();
    });
    for code in [403, 600] {
        let by = if code == 403 { "block-without-429" } else { "custom-response" };
        all.rules(&format!("the status {code}"), by, |rule| {
            rule["Action"]["Block"]["CustomResponse"]["ResponseCode"] = code.into();
        });
    }
    all.rules("no custom response", "block-without-429", |rule| {
        rule["Action"] = json!({"Block": {}})
    });
    all.rules("no headers", "block-without-retry-after", |rule| {
        rule["Action"]["Block"]["CustomResponse"]["ResponseHeaders"] = json!([]);
    });
    all.rules("a header twice", "custom-response", |rule| {
        let headers = &mut rule["Action"]["Block"]["CustomResponse"]["ResponseHeaders"];
        let first = headers[0].clone();
        headers.as_array_mut().unwrap().push(first);
    });
    all.rules("a body that is nowhere", "custom-response", |rule| {
        rule["Action"]["Block"]["CustomResponse"]["CustomResponseBodyKey"] = "nowhere".into();
    });
    all.rules("no action", "rule-action-shape", |rule| remove(rule, "Action"));
    all.rules("two actions", "rule-action-shape", |rule| rule["Action"]["Count"] = json!({}));
    all.rules("allow", "rule-action-shape", |rule| rule["Action"] = json!({"Allow": {}}));
    all.rules("an override", "rule-action-shape", |rule| {
        rule["OverrideAction"] = json!({"None": {}});
    });
    all.rules(
        "only counts, and its alarm does not follow",
        "alarm-metric-follows-action",
        |rule| {
            rule["Action"] = json!({"Count": {}});
        },
    );
    all.rules("a negative priority", "priority-twice", |rule| rule["Priority"] = (-1).into());
    all.rules("no metric", "metrics-off", |rule| {
        rule["VisibilityConfig"]["CloudWatchMetricsEnabled"] = false.into();
    });
    all.rules("no samples", "samples-off", |rule| {
        rule["VisibilityConfig"]["SampledRequestsEnabled"] = false.into();
    });
    all.rules("a reserved metric", "metric-name-twice", |rule| {
        rule["VisibilityConfig"]["MetricName"] = "Default_Action".into();
    });
    all.rules("another metric than its alarm's", "alarm-rule-dimension", |rule| {
        rule["VisibilityConfig"]["MetricName"] = "renamed".into();
    });
    all.rules("no keys", "rate-key-shape", |rule| {
        rate(rule)["AggregateKeyType"] = "CUSTOM_KEYS".into();
    });
    all.rules("no header of the address", "rate-key-shape", |rule| {
        rate(rule)["AggregateKeyType"] = "FORWARDED_IP".into();
    });
    all.rules("a forwarded address", "forwarded-ip-forged", |rule| {
        rate(rule)["AggregateKeyType"] = "FORWARDED_IP".into();
        rate(rule)["ForwardedIPConfig"] =
            json!({"HeaderName": "X-Forwarded-For", "FallbackBehavior": "MATCH"});
    });
    all.rules("one count for all", "key-shared", |rule| {
        rate(rule)["AggregateKeyType"] = "CONSTANT".into();
    });
    all.rules("a key that can be left out", "key-left-out", |rule| {
        rate(rule)["AggregateKeyType"] = "CUSTOM_KEYS".into();
        rate(rule)["CustomKeys"] = json!([{"Header": {
            "Name": "x-api-key", "TextTransformations": [{"Priority": 0, "Type": "NONE"}]}}]);
    });
    all.rules("inside a not", "nested-too-deep", |rule| {
        rule["Statement"] = json!({"NotStatement": {"Statement": rule["Statement"]}});
    });
    all.rules("an and with one part", "statement-shape", |rule| {
        let scope_down = &mut rate(rule)["ScopeDownStatement"];
        *scope_down = json!({"AndStatement": {"Statements": [scope_down.clone()]}});
    });
    all.rules("a country that is none", "country-unknown", |rule| {
        let parts = &mut rate(rule)["ScopeDownStatement"]["AndStatement"]["Statements"];
        parts.as_array_mut().unwrap().push(json!({"GeoMatchStatement": {"CountryCodes": ["UK"]}}));
    });
    for (one, other) in [(0, 1), (1, 2), (2, 3), (3, 0)] {
        for (member, by) in [
            ("/Priority", "priority-twice"),
            ("/Name", "rule-name-twice"),
            ("/VisibilityConfig/MetricName", "metric-name-twice"),
        ] {
            all.all(format!("{member} of rules {one} and {other}"), Some(by), |found| {
                let acl = found.iter_mut().find(|one| one.kind == ACL).unwrap();
                let value = acl.values["Rules"][one].pointer(member).unwrap().clone();
                *acl.values["Rules"][other].pointer_mut(member).unwrap() = value;
            });
        }
    }
    all.paths("no LOWERCASE", "path-case", |path| without(path, "LOWERCASE"));
    all.paths("no URL_DECODE", "path-not-decoded", |path| without(path, "URL_DECODE"));
    all.paths("no NORMALIZE_PATH", "path-not-normalized", |path| without(path, "NORMALIZE_PATH"));
    all.paths("no transformations", "statement-shape", |path| {
        path["TextTransformations"] = json!([]);
    });
    all.paths("LOWERCASE first", "transformations-out-of-order", |path| {
        path["TextTransformations"][2]["Priority"] = (-1).into();
    });
    all.paths("priorities twice", "statement-shape", |path| {
        path["TextTransformations"][1]["Priority"] = 0.into();
    });
    all.paths("no field", "statement-shape", |path| remove(path, "FieldToMatch"));
    all.paths("two fields", "statement-shape", |path| path["FieldToMatch"]["Method"] = json!({}));
    all.paths("capitals", "match-never", |path| path["SearchString"] = "L0xvZ2lu".into());
    all.paths("a wildcard", "match-never", |path| path["SearchString"] = "L2FwaS8q".into());
    all.paths("a query", "match-never", |path| path["SearchString"] = "L2xvZ2luP3g9MQ==".into());
    all.paths("a misspelt transformation", "statement-shape", |path| {
        path["TextTransformations"][2]["Type"] = "LOWER_CASE".into();
    });
    all.paths("a misspelt constraint", "statement-shape", |path| {
        path["PositionalConstraint"] = "STARTSWITH".into();
    });
    all.paths("a word with a slash", "statement-shape", |path| {
        path["PositionalConstraint"] = "CONTAINS_WORD".into();
    });
    for kind in [ACL, SET] {
        all.each(kind, "a misspelt scope", "scope-unknown", |it| it["Scope"] = "CloudFront".into());
    }
    all.paths("no slash", "match-never", |path| path["SearchString"] = "bG9naW4=".into());

    let set_faults: [(&str, &str); 5] = [
        ("a bare address", "ip-set-address"),
        ("everybody", "ip-set-address"),
        ("rubbish", "ip-set-address"),
        ("host bits", "ip-set-address"),
        ("too wide", "exemption-too-wide"),
    ];
    for (place, (name, by)) in set_faults.into_iter().enumerate() {
        all.each(SET, name, by, |set| {
            let four = ["192.0.2.1", "0.0.0.0/0", "office", "192.0.2.1/24", "198.0.0.0/8"];
            let six = ["2001:db8::1", "::/0", "office", "2001:db8::1/64", "2001::/16"];
            let text = if set["IPAddressVersion"] == "IPV4" { four[place] } else { six[place] };
            set["Addresses"] = json!([text]);
        });
    }
    all.each(SET, "the other family", "ip-set-address", |set| {
        let version = if set["IPAddressVersion"] == "IPV4" { "IPV6" } else { "IPV4" };
        set["IPAddressVersion"] = version.into();
    });
    all.each(SET, "empty", "match-never", |set| set["Addresses"] = json!([]));

    around(&mut all);
    routes(&mut all);
    all.list
}

/// Faults of alarms, topics, logs and places.
fn around(all: &mut Changes<'_>) {
    all.each(ALARM, "the rule's name with a word more", "alarm-rule-dimension", |alarm| {
        dimension(alarm, "Rule", Some("acl-token-rule"));
    });
    all.each(ALARM, "no rule", "alarm-rule-dimension", |alarm| dimension(alarm, "Rule", None));
    all.each(ALARM, "another web ACL", "alarm-web-acl-dimension", |alarm| {
        dimension(alarm, "WebACL", Some("stage"));
    });
    all.each(ALARM, "no web ACL", "alarm-web-acl-dimension", |alarm| {
        dimension(alarm, "WebACL", None)
    });
    all.each(ALARM, "a Region", "alarm-region", |alarm| {
        dimension(alarm, "Region", Some("us-east-1"))
    });
    all.each(ALARM, "no missing data", "alarm-missing-data", |alarm| {
        remove(alarm, "TreatMissingData")
    });
    all.each(ALARM, "missing data ignored", "alarm-missing-data", |alarm| {
        alarm["TreatMissingData"] = "ignore".into();
    });
    all.each(ALARM, "no actions", "alarm-without-action", |alarm| {
        alarm["AlarmActions"] = json!([])
    });
    all.each(ALARM, "actions off", "alarm-without-action", |alarm| {
        alarm["ActionsEnabled"] = false.into();
    });
    all.each(ALARM, "another metric", "alarm-metric-follows-action", |alarm| {
        alarm["MetricName"] = "CountedRequests".into();
    });
    all.each(ALARM, "an average", "alarm-never-fires", |alarm| {
        alarm["Statistic"] = "Average".into()
    });
    all.each(ALARM, "less than", "alarm-never-fires", |alarm| {
        alarm["ComparisonOperator"] = "LessThanThreshold".into();
    });
    all.each(ALARM, "too many datapoints", "alarm-never-fires", |alarm| {
        alarm["DatapointsToAlarm"] = 2.into();
    });
    all.each(ALARM, "a misspelt metric", "alarm-never-fires", |alarm| {
        alarm["MetricName"] = "BlockedRequest".into();
    });
    all.each(ALARM, "the old namespace", "alarm-never-fires", |alarm| {
        alarm["Namespace"] = "AWS/WAF".into();
    });
    all.each(ALARM, "a threshold of -1", "alarm-never-fires", |alarm| {
        alarm["Threshold"] = (-1).into();
    });
    all.each(ALARM, "no metric at all", "alarm-never-fires", |alarm| remove(alarm, "MetricName"));
    all.each(ALARM, "another namespace", "rate-rule-without-alarm", |alarm| {
        alarm["Namespace"] = "AWS/CloudFront".into();
    });
    let count = all.stack.good.len();
    for place in 0..count {
        let (kind, address) = {
            let one = &all.stack.good[place];
            (one.kind.clone(), one.item.address.clone())
        };
        let gone = match kind.as_str() {
            ALARM => "rate-rule-without-alarm",
            "AWS::WAFv2::LoggingConfiguration" => "logging-absent",
            _ => "",
        };
        if !gone.is_empty() {
            all.all(format!("{address} is gone"), Some(gone), |found| {
                found.remove(place);
            });
        }
        let moved = match kind.as_str() {
            ALARM => "alarm-elsewhere",
            ACL | SET => "cloudfront-region",
            _ => "",
        };
        if !moved.is_empty() {
            all.all(format!("{address} in Frankfurt"), Some(moved), |found| {
                found[place].item.region = Some("eu-central-1".to_owned());
            });
        }
    }
    all.each("AWS::SNS::TopicPolicy", "another service", "alarm-topic-policy", |policy| {
        policy["PolicyDocument"]["Statement"][0]["Principal"] =
            json!({"Service": "events.amazonaws.com"});
    });
    all.each("AWS::SNS::TopicPolicy", "another action", "alarm-topic-policy", |policy| {
        policy["PolicyDocument"]["Statement"][0]["Action"] = "sns:Subscribe".into();
    });
    all.each("AWS::SNS::Topic", "SNS's own key", "alarm-topic-policy", |topic| {
        topic["KmsMasterKeyId"] = "alias/aws/sns".into();
    });
    let logging = "AWS::WAFv2::LoggingConfiguration";
    let arn = |name: &str| format!("arn:aws:logs:us-east-1:123456789012:log-group:{name}");
    all.each(logging, "another name", "logging-destination", |logging| {
        logging["LogDestinationConfigs"] = json!([arn("waf")]);
    });
    all.each(logging, "a star", "logging-destination", |logging| {
        logging["LogDestinationConfigs"] = json!([arn("aws-waf-logs-acl:*")]);
    });
    all.each(logging, "two places", "logging-destination", |logging| {
        logging["LogDestinationConfigs"] = json!([arn("aws-waf-logs-a"), arn("aws-waf-logs-b")]);
    });
    all.each(logging, "no blocked requests", "logging-drops-evidence", |logging| {
        logging["LoggingFilter"]["Filters"][0]["Conditions"] =
            json!([{"ActionCondition": {"Action": "COUNT"}}]);
    });
    all.each(logging, "no paths", "logging-redacts-evidence", |logging| {
        logging["RedactedFields"] = json!([{"UriPath": {}}]);
    });
}

/// Faults of what rules count, and of their limits.
fn routes(all: &mut Changes<'_>) {
    let rule_of = |found: &mut Vec<Found>, place: usize, change: &dyn Fn(&mut Value)| {
        let acl = found.iter_mut().find(|one| one.kind == ACL).unwrap();
        change(&mut acl.values["Rules"][place]);
    };
    for (limit, by) in [
        (100, "limit-below-normal"),
        (187, "limit-below-normal"),
        (468, "limit-above-abuser"),
        (2000, "limit-above-abuser"),
    ] {
        all.all(format!("the limit {limit}"), Some(by), |found| {
            rule_of(found, 0, &|rule| rate(rule)["Limit"] = limit.into());
        });
    }
    for window in [60, 120, 600] {
        all.all(format!("the window {window}"), Some("limit-not-for-window"), |found| {
            rule_of(found, 0, &|rule| rate(rule)["EvaluationWindowSec"] = window.into());
        });
    }
    // Rules 0 and 2 leave the tester's sets out, which their twins 1 and 3 count.
    for place in [0, 2] {
        for family in ["v4", "v6"] {
            for by in ["exempt-one-family", "twin-overlap"] {
                all.all(format!("rule {place} does not leave {family} out"), Some(by), |found| {
                    rule_of(found, place, &|rule| {
                        let parts =
                            &mut rate(rule)["ScopeDownStatement"]["AndStatement"]["Statements"];
                        parts.as_array_mut().unwrap().retain(|part| {
                            let arn = &part["NotStatement"]["Statement"]["IPSetReferenceStatement"]
                                ["ARN"];
                            !arn.to_string().contains(family)
                        });
                    });
                });
            }
        }
    }
    for place in 0..4 {
        all.all(
            format!("everything passes before rule {place}"),
            Some("hidden-by-allow"),
            |found| {
                let acl = found.iter_mut().find(|one| one.kind == ACL).unwrap();
                let rules = acl.values["Rules"].as_array_mut().unwrap();
                let mut allow = rules[place].clone();
                allow["Name"] = "let-in".into();
                allow["Priority"] = 0.into();
                allow["VisibilityConfig"]["MetricName"] = "let-in".into();
                allow["Statement"] =
                    allow["Statement"]["RateBasedStatement"]["ScopeDownStatement"].take();
                allow["Action"] = json!({"Allow": {}});
                rules.push(allow);
            },
        );
        all.all(
            format!("a stricter rule before rule {place}"),
            Some("rate-rule-never-acts"),
            |found| {
                let acl = found.iter_mut().find(|one| one.kind == ACL).unwrap();
                let rules = acl.values["Rules"].as_array_mut().unwrap();
                let mut strict = rules[place].clone();
                strict["Name"] = "strict".into();
                strict["Priority"] = 0.into();
                strict["VisibilityConfig"]["MetricName"] = "strict".into();
                rate(&mut strict)["Limit"] = 50.into();
                rules.push(strict);
            },
        );
    }
    all.all("the exact path only".to_owned(), Some("trailing-slash"), |found| {
        rule_of(found, 0, &|rule| {
            let either = &mut rate(rule)["ScopeDownStatement"]["AndStatement"]["Statements"][0];
            *either = either["OrStatement"]["Statements"][0].clone();
        });
    });
    all.all("webhooks are counted".to_owned(), Some("site-wide-counts-machines"), |found| {
        rule_of(found, 2, &|rule| {
            let parts = &mut rate(rule)["ScopeDownStatement"]["AndStatement"]["Statements"];
            parts.as_array_mut().unwrap().retain(|part| {
                !part["NotStatement"]["Statement"]["ByteMatchStatement"].is_object()
            });
        });
    });
}

/// Changes that leave the deployment as good as it was.
fn harmless(stack: &Stack) -> Vec<Change> {
    let mut all = Changes { stack, list: Vec::new() };
    for steps in 1..4 {
        all.each(ACL, &format!("rules in another order, {steps}"), None, |acl| {
            acl["Rules"].as_array_mut().unwrap().rotate_left(steps);
        });
    }
    for first in [1, 7, 100, 1_000] {
        all.each(ACL, &format!("other priorities from {first}"), None, |acl| {
            for rule in acl["Rules"].as_array_mut().unwrap() {
                let own = rule["Priority"].as_i64().unwrap();
                rule["Priority"] = (own * 3 + first).into();
            }
        });
    }
    all.each(ACL, "another description", None, |acl| acl["Description"] = "Ours".into());
    all.each(ACL, "another body", None, |acl| {
        acl["CustomResponseBodies"]["acl-limited"]["Content"] = "{}".into();
    });
    all.each(ACL, "token domains", None, |acl| acl["TokenDomains"] = json!(["example.com"]));
    for name in ["AWSManagedRulesCommonRuleSet", "AWSManagedRulesAmazonIpReputationList"] {
        all.each(ACL, &format!("{name} beside them"), None, |acl| {
            acl["Rules"].as_array_mut().unwrap().push(json!({
                "Name": name, "Priority": 5, "OverrideAction": {"None": {}},
                "Statement": {"ManagedRuleGroupStatement": {"VendorName": "AWS", "Name": name}},
                "VisibilityConfig": {"SampledRequestsEnabled": true, "CloudWatchMetricsEnabled": true, "MetricName": name},
            }));
        });
    }
    for (name, country) in [("blocks", "KP"), ("counts", "DE")] {
        all.each(ACL, &format!("a rule that {name} a country"), None, |acl| {
            acl["Rules"].as_array_mut().unwrap().push(json!({
                "Name": name, "Priority": 1, "Action": {if name == "blocks" { "Block" } else { "Count" }: {}},
                "Statement": {"GeoMatchStatement": {"CountryCodes": [country]}},
                "VisibilityConfig": {"SampledRequestsEnabled": false, "CloudWatchMetricsEnabled": true, "MetricName": name},
            }));
        });
    }
    for seconds in ["30", "60", "120", "600", "900"] {
        all.rules(&format!("Retry-After of {seconds}"), None, |rule| {
            rule["Action"]["Block"]["CustomResponse"]["ResponseHeaders"][0]["Value"] =
                seconds.into();
        });
    }
    for name in ["X-Contact", "RateLimit", "X-Request-Limited"] {
        all.rules(&format!("the header {name}"), None, |rule| {
            let headers = &mut rule["Action"]["Block"]["CustomResponse"]["ResponseHeaders"];
            headers.as_array_mut().unwrap().push(json!({"Name": name, "Value": "sre"}));
        });
    }
    all.rules("no body", None, |rule| {
        remove(&mut rule["Action"]["Block"]["CustomResponse"], "CustomResponseBodyKey");
    });
    all.rules("a label", None, |rule| rule["RuleLabels"] = json!([{"Name": "limited"}]));
    all.rules("conditions in another order", None, |rule| {
        let parts = &mut rate(rule)["ScopeDownStatement"]["AndStatement"]["Statements"];
        parts.as_array_mut().unwrap().reverse();
    });
    for tenths in [11, 12, 15] {
        // Limits may change inside the gap.
        all.rules(&format!("a limit of {tenths} tenths"), None, |rule| {
            let own = rate(rule)["Limit"].as_i64().unwrap();
            rate(rule)["Limit"] = (own * tenths / 10).into();
        });
    }
    all.paths("transformations written in another order", None, |path| {
        path["TextTransformations"].as_array_mut().unwrap().reverse();
    });
    all.paths("priorities of transformations with gaps", None, |path| {
        for one in path["TextTransformations"].as_array_mut().unwrap() {
            one["Priority"] = (one["Priority"].as_i64().unwrap() * 10).into();
        }
    });
    all.paths("one more transformation", None, |path| {
        let list = path["TextTransformations"].as_array_mut().unwrap();
        list.push(json!({"Priority": 9, "Type": "LOWERCASE"}));
    });
    for (family, texts) in [
        ("IPV4", ["192.0.2.1/32", "192.0.2.0/28", "198.51.100.0/24", "203.0.113.128/25"]),
        ("IPV6", ["2001:db8::/48", "2001:db8:1::/64", "2001:db8:2::1/128", "2001:db8:3::/56"]),
    ] {
        for text in texts {
            let places: Vec<usize> = (0..stack.good.len())
                .filter(|&place| stack.good[place].values["IPAddressVersion"] == family)
                .collect();
            for place in places {
                all.all(format!("{text} in a set"), None, |found| {
                    found[place].values["Addresses"] = json!([text]);
                });
            }
        }
    }
    all.each(SET, "a description", None, |set| set["Description"] = "the office".into());
    all.each(SET, "a last day", None, |set| set["Description"] = "until 2029-01-31".into());
    for threshold in [1, 5, 10, 50, 100, 1_000] {
        all.each(ALARM, &format!("the threshold {threshold}"), None, |alarm| {
            alarm["Threshold"] = threshold.into();
        });
    }
    for period in [60, 120, 600, 900] {
        all.each(ALARM, &format!("the period {period}"), None, |alarm| {
            alarm["Period"] = period.into()
        });
    }
    for periods in [2, 3, 5] {
        all.each(ALARM, &format!("{periods} periods"), None, |alarm| {
            alarm["EvaluationPeriods"] = periods.into();
        });
    }
    all.each(ALARM, "at the threshold already", None, |alarm| {
        alarm["ComparisonOperator"] = "GreaterThanOrEqualToThreshold".into();
        alarm["Threshold"] = 1.into();
    });
    all.each(ALARM, "dimensions in another order", None, |alarm| {
        alarm["Dimensions"].as_array_mut().unwrap().reverse();
    });
    all.each(ALARM, "a unit", None, |alarm| alarm["Unit"] = "Count".into());
    all.each(ALARM, "told without data", None, |alarm| {
        alarm["InsufficientDataActions"] = alarm["AlarmActions"].clone();
    });
    all.each(ALARM, "another name", None, |alarm| alarm["AlarmName"] = "loud".into());
    all.each(ALARM, "another description", None, |alarm| alarm["AlarmDescription"] = "Ours".into());
    all.each(ALARM, "a topic elsewhere known", None, |alarm| {
        alarm["AlarmActions"] = json!(["arn:aws:sns:us-east-1:123456789012:alerts"]);
    });
    all.each(ALARM, "no action when it is over", None, |alarm| remove(alarm, "OkActions"));
    let logging = "AWS::WAFv2::LoggingConfiguration";
    all.each(logging, "everything is logged", None, |logging| remove(logging, "LoggingFilter"));
    all.each(logging, "more headers are redacted", None, |logging| {
        logging["RedactedFields"] =
            json!([{"SingleHeader": {"Name": "x-api-key"}}, {"QueryString": {}}]);
    });
    all.each(logging, "a bucket", None, |logging| {
        logging["LogDestinationConfigs"] = json!(["arn:aws:s3:::aws-waf-logs-acl-123456789012"]);
    });
    all.each("AWS::Logs::LogGroup", "kept for a year", None, |group| {
        group["RetentionInDays"] = 365.into();
    });
    all.each("AWS::SNS::TopicPolicy", "everybody of the account", None, |policy| {
        let statements = policy["PolicyDocument"]["Statement"].as_array_mut().unwrap();
        statements
            .push(json!({"Effect": "Allow", "Principal": {"AWS": "*"}, "Action": "sns:Publish",
            "Resource": "*", "Condition": {"StringEquals": {"aws:SourceOwner": "123456789012"}}}));
    });
    for (place, _) in stack.good.iter().enumerate() {
        all.all(format!("tags of resource {place}"), None, |found| {
            found[place].values["Tags"] = json!([{"Key": "team", "Value": "sre"}]);
        });
    }
    all.list
}

fn ids(findings: &[Finding]) -> Vec<&'static str> {
    findings.iter().map(|finding| finding.check).collect()
}

#[test]
fn the_good_deployment_has_no_findings() {
    let stack = Stack::new();
    assert_eq!(ids(&stack.findings(CHECKS, &stack.good)), Vec::<&str>::new());
}

#[test]
fn faults_are_found_by_the_check_that_is_for_them() {
    let stack = Stack::new();
    let faults = faults(&stack);
    assert!(faults.len() >= 200, "{}", faults.len());
    let mut missed = Vec::new();
    for fault in &faults {
        let wanted = fault.found_by.unwrap();
        let check = CHECKS.iter().copied().find(|check| check.about().id == wanted).unwrap();
        if stack.findings(&[check], &fault.found).is_empty() {
            missed.push(format!("{}: {wanted} says nothing", fault.name));
        }
    }
    assert!(missed.is_empty(), "{} of {}:\n{}", missed.len(), faults.len(), missed.join("\n"));
}

/// "Nobody is told, add an alarm" stood beside the alarm that is to tell.
#[test]
fn one_fault_of_an_alarm_is_one_finding() {
    let stack = Stack::new();
    let mut all = Changes { stack: &stack, list: Vec::new() };
    around(&mut all);
    let faults: Vec<&Change> = all
        .list
        .iter()
        .filter(|one| {
            ["the rule's name", "no rule", "another web", "no web", "a misspelt", "the old"]
                .iter()
                .any(|name| one.name.starts_with(name))
        })
        .collect();
    assert!(faults.len() >= 24, "{}", faults.len());
    for fault in faults {
        let findings = stack.findings(CHECKS, &fault.found);
        assert_eq!(ids(&findings), [fault.found_by.unwrap()], "{}", fault.name);
        let [finding] = &findings[..] else { unreachable!() };
        if fault.found_by != Some("alarm-web-acl-dimension") {
            let (place, _) = &finding.related[0];
            assert!(place.rule.is_some(), "{}: {}", fault.name, finding.message);
        }
    }
}

#[test]
fn nothing_is_said_about_changes_that_do_not_matter() {
    let stack = Stack::new();
    let changes = harmless(&stack);
    assert!(changes.len() >= 200, "{}", changes.len());
    let mut wrong = Vec::new();
    for change in &changes {
        for finding in stack.findings(CHECKS, &change.found) {
            wrong.push(format!("{}: {}: {}", change.name, finding.check, finding.message));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), changes.len(), wrong.join("\n"));
}
