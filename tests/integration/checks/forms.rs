//! One example in other forms: what is wrong as HCL is wrong as a template and as API JSON.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ratewaf::checks::marker;
use ratewaf::checks::model::{Found, build};
use ratewaf::checks::read::{Input, Reading, read_text};
use serde_json::{Map, Value, json};

use super::page::{Example, all, examples, findings};

/// What is about Terraform itself or about how names are declared, so that there is no such fault elsewhere.
const OF_TERRAFORM: [&str; 6] = [
    "json-hides-drift",
    "json-member-unknown",
    "member-unknown",
    "nested-too-deep",
    "reference-undeclared",
    "secret-beside-limits",
];

/// What is about the region of a provider, which no template and no call names.
const OF_REGIONS: [&str; 2] = ["alarm-elsewhere", "cloudfront-region"];

/// What is missing beside a web ACL: nobody expects it in the web ACL's own JSON.
const OF_SURROUNDINGS: [&str; 2] = ["logging-absent", "rate-rule-without-alarm"];

fn id(address: &str) -> String {
    address.chars().filter(char::is_ascii_alphanumeric).collect()
}

/// A value as a template has it: functions for markers, and CloudFormation's spelling.
fn in_template(value: &Value, is_waf: bool) -> Value {
    match value {
        Value::Array(values) => values.iter().map(|one| in_template(one, is_waf)).collect(),
        Value::Object(_) if marker::resource(value).is_some() => {
            let (address, attribute) = marker::resource(value).unwrap();
            json!({ "Fn::GetAtt": [id(address), attribute] })
        }
        Value::Object(_) if marker::is_unknown(value) => json!({ "Ref": "Unknown" }),
        Value::Object(members) => {
            let mut out = Map::new();
            for (name, value) in members.iter().filter(|(name, _)| !name.starts_with('$')) {
                let blob = value.as_str().filter(|_| is_waf && name == "SearchString");
                let text =
                    blob.and_then(|blob| String::from_utf8(STANDARD.decode(blob).ok()?).ok());
                match (name.as_str(), text) {
                    ("SearchString", Some(text)) => drop(out.insert(name.clone(), text.into())),
                    ("ARN", _) if is_waf => {
                        drop(out.insert("Arn".into(), in_template(value, is_waf)))
                    }
                    _ => drop(out.insert(name.clone(), in_template(value, is_waf))),
                }
            }
            Value::Object(out)
        }
        other => other.clone(),
    }
}

fn template(found: &[Found]) -> String {
    let resources: Map<String, Value> = found
        .iter()
        .map(|one| {
            let properties = in_template(&one.values, one.kind.starts_with("AWS::WAFv2::"));
            (id(&one.item.address), json!({ "Type": one.kind, "Properties": properties }))
        })
        .collect();
    json!({ "Resources": resources }).to_string()
}

/// A value as the API has it, with ARNs for what has none yet; `None` if something else is unknown.
fn in_api(value: &Value, arns: &BTreeMap<String, String>) -> Option<Value> {
    Some(match value {
        Value::Array(values) => {
            Value::Array(values.iter().map(|one| in_api(one, arns)).collect::<Option<_>>()?)
        }
        Value::Object(_) if marker::resource(value).is_some() => {
            let (address, attribute) = marker::resource(value)?;
            arns.get(address).filter(|_| attribute == "Arn")?.as_str().into()
        }
        Value::Object(_) if marker::is_unknown(value) || marker::is_hidden(value) => return None,
        Value::Object(members) => {
            let members = members.iter().filter(|(name, _)| !name.starts_with('$'));
            let members = members.map(|(name, value)| Some((name.clone(), in_api(value, arns)?)));
            Value::Object(members.collect::<Option<_>>()?)
        }
        other => other.clone(),
    })
}

/// The calls that make a deployment of web ACLs, groups and sets; `None` if there is anything else in it.
fn calls(found: &[Found]) -> Option<String> {
    let mut arns = BTreeMap::new();
    for one in found {
        let part = match one.kind.as_str() {
            "AWS::WAFv2::WebACL" => "webacl",
            "AWS::WAFv2::RuleGroup" => "rulegroup",
            "AWS::WAFv2::IPSet" => "ipset",
            _ => return None,
        };
        let name = one.values["Name"].as_str()?;
        let place = if one.values["Scope"] == "CLOUDFRONT" { "global" } else { "regional" };
        let arn = format!("arn:aws:wafv2:us-east-1:123456789012:{place}/{part}/{name}/a1");
        arns.insert(one.item.address.clone(), arn);
    }
    let mut out: Map<String, Value> = Map::new();
    for one in found {
        let call = match one.kind.as_str() {
            "AWS::WAFv2::WebACL" => "wafv2 create-web-acl",
            "AWS::WAFv2::RuleGroup" => "wafv2 create-rule-group",
            _ => "wafv2 create-ip-set",
        };
        let input = in_api(&one.values, &arns)?;
        out.entry(call).or_insert_with(|| json!([])).as_array_mut()?.push(input);
    }
    Some(Value::Object(out).to_string())
}

fn read(text: String) -> Reading {
    let input = Input { name: "example".into(), environment: None, text };
    read_text(&input).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn examples_say_the_same_as_templates_and_as_api_json() {
    let (mut wrong, mut templates, mut apis) = (Vec::new(), 0, 0);
    for check in all() {
        let id = check.about().id;
        if OF_TERRAFORM.contains(&id) || OF_REGIONS.contains(&id) {
            continue;
        }
        for section in ["Bad", "Good"] {
            for example in examples(id, section) {
                let Some(_) = &example.hcl else { continue };
                // Rules of their own and associations of groups are Terraform's.
                if example.found.iter().any(|one| !one.kind.starts_with("AWS::")) {
                    continue;
                }
                let number = |found: Vec<Found>| {
                    let other = Example { name: example.name.clone(), ..Example::default() };
                    findings(check, &other, &build(found)).len()
                };
                let wanted = number(example.found.clone());
                let as_template = number(read(template(&example.found)).found);
                templates += 1;
                if as_template != wanted {
                    wrong.push(format!(
                        "{}: {wanted} as HCL, {as_template} as a template",
                        example.name
                    ));
                }
                let Some(text) = calls(&example.found) else { continue };
                let as_api = number(read(text).found);
                apis += 1;
                if as_api != wanted && !OF_SURROUNDINGS.contains(&id) {
                    wrong.push(format!("{}: {wanted} as HCL, {as_api} as API JSON", example.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(templates > 80 && apis > 50, "{templates} {apis}");
}
