//! Reading rules back out of dialects.

use std::collections::BTreeMap;

use ratewaf::render::{
    KnownArns, TerraformOptions, api_json, api_of_template, cloudformation, cloudformation_json,
    terraform,
};
use ratewaf::stack::{Acl, Stack};
use ratewaf::wafv2::{IpSet, RuleGroup, WebAcl};
use serde_json::Value;

/// Rules, sets and groups as a dialect says them.
#[derive(Debug, PartialEq)]
pub struct Said {
    pub web_acls: Vec<WebAcl>,
    pub groups: Vec<RuleGroup>,
    pub ip_sets: Vec<IpSet>,
}

impl Said {
    pub fn by(stack: &Stack) -> Self {
        let (mut web_acls, mut groups) = (Vec::new(), Vec::new());
        match &stack.acl {
            Acl::Own(acl) => web_acls.push(acl.clone()),
            Acl::Groups { groups: joined, .. } => {
                groups.extend(joined.iter().map(|joined| joined.group.clone()));
            }
            Acl::Rules { .. } => {}
        }
        let ip_sets =
            stack.networks.iter().flat_map(|network| network.sets.iter().cloned()).collect();
        Self { web_acls, groups, ip_sets }
    }
}

/// Every dialect of a stack that it can be said in, read back.
pub fn assert_same_rules(name: &str, stack: &Stack) {
    let wanted = Said::by(stack);
    let json: Value = serde_json::from_str(&cloudformation_json(stack).unwrap()[0].1).unwrap();
    assert_eq!(of_template(json), wanted, "{name}: CloudFormation JSON");
    let yaml = template_of_yaml(&cloudformation(stack).unwrap()[0].1);
    assert_eq!(of_template(yaml), wanted, "{name}: CloudFormation YAML");
    if stack.guard.is_none() {
        let api: Value =
            serde_json::from_str(&api_json(stack, &KnownArns::new()).unwrap()[0].1).unwrap();
        assert_eq!(of_api(&api), wanted, "{name}: API JSON");
    }
    // That Terraform's JSON syntax says the same as its HCL, Terraform itself is asked.
    let options = TerraformOptions { is_json: true, ..TerraformOptions::default() };
    // It refuses names that would be one label.
    for (_, text) in terraform(stack, &options).unwrap_or_default() {
        let _: Value = serde_json::from_str(&text).unwrap();
    }
}

/// A template's WAF resources as the API has them.
pub fn of_template(template: Value) -> Said {
    let resources = template["Resources"].as_object().unwrap().clone();
    let names: BTreeMap<String, String> = resources
        .iter()
        .filter(|(_, resource)| resource["Type"] == "AWS::WAFv2::IPSet")
        .map(|(id, resource)| {
            let name = resource["Properties"]["Name"].as_str().unwrap();
            (id.clone(), format!("ip-set:{name}"))
        })
        .collect();
    let all = |kind: &str| -> Vec<Value> {
        resources
            .values()
            .filter(|resource| resource["Type"] == format!("AWS::WAFv2::{kind}"))
            .map(|resource| {
                let mut properties = resource["Properties"].clone();
                named(&mut properties, &names);
                if kind != "IPSet" {
                    api_of_template(&mut properties);
                }
                properties
            })
            .collect()
    };
    Said {
        web_acls: all("WebACL").into_iter().map(from).collect(),
        groups: all("RuleGroup").into_iter().map(from).collect(),
        ip_sets: all("IPSet").into_iter().map(from).collect(),
    }
}

fn from<T: serde::de::DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{error}: {value:#}"))
}

/// References to sets become their names.
fn named(value: &mut Value, names: &BTreeMap<String, String>) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(|value| named(value, names)),
        Value::Object(members) => {
            if let Some(Value::Array(of)) = members.get("Fn::GetAtt") {
                assert_eq!(of[1], "Arn");
                *value = Value::String(names[of[0].as_str().unwrap()].clone());
                return;
            }
            members.values_mut().for_each(|value| named(value, names));
        }
        _ => {}
    }
}

fn of_api(api: &Value) -> Said {
    let all = |command: &str| -> Vec<Value> {
        api.get(command).and_then(Value::as_array).cloned().unwrap_or_default()
    };
    assert_eq!(all("wafv2 create-web-acl"), all("wafv2 update-web-acl"));
    Said {
        web_acls: all("wafv2 update-web-acl").into_iter().map(from).collect(),
        groups: all("wafv2 create-rule-group").into_iter().map(from).collect(),
        ip_sets: all("wafv2 create-ip-set").into_iter().map(from).collect(),
    }
}

/// A YAML template as JSON: the short forms of the functions become the long ones, as CloudFormation
/// reads them.
pub fn template_of_yaml(text: &str) -> Value {
    let mut plain = String::new();
    for line in text.lines() {
        let long = ["!Ref ", "!GetAtt ", "!Sub "].into_iter().find_map(|tag| {
            let (before, after) = line.split_once(tag)?;
            // A tag stands where a value begins; elsewhere it is text in quotes or in a comment.
            let is_value = before.ends_with(": ") || before.ends_with("- ");
            let in_text = before.contains('"') && !before.ends_with("\": ") || before.contains('#');
            (is_value && !in_text).then(|| match tag {
                "!Ref " => format!("{before}{{ \"Ref\": \"{after}\" }}"),
                "!Sub " => format!("{before}{{ \"Fn::Sub\": {after} }}"),
                _ => {
                    let (id, attribute) = after.split_once('.').unwrap();
                    format!("{before}{{ \"Fn::GetAtt\": [\"{id}\", \"{attribute}\"] }}")
                }
            })
        });
        plain.push_str(&long.unwrap_or_else(|| line.to_owned()));
        plain.push('\n');
    }
    serde_saphyr::from_str(&plain).unwrap_or_else(|error| panic!("{error}\n{plain}"))
}

/// What JSON has in place of comments.
pub fn without_metadata(template: &mut Value) {
    template.as_object_mut().unwrap().remove("Metadata");
    for resource in template["Resources"].as_object_mut().unwrap().values_mut() {
        resource.as_object_mut().unwrap().remove("Metadata");
    }
}
