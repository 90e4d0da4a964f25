//! Reading rules back out of dialects.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ratewaf::render::{
    KnownArns, TerraformOptions, api_json, api_of_template, cloudformation, cloudformation_json,
    terraform,
};
use ratewaf::stack::{Acl, Stack};
use ratewaf::wafv2::terraform::{Resource, ip_set, read_hcl, rule_group, web_acl};
use ratewaf::wafv2::{BlockAction, IpSet, RuleAction, RuleGroup, SearchString, Statement, WebAcl};
use serde_json::Value;

use super::template::worked_out;

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
        web_acls.extend(stack.guard.iter().map(|guard| guard.web_acl.clone()));
        let ip_sets =
            stack.networks.iter().flat_map(|network| network.sets.iter().cloned()).collect();
        Self { web_acls, groups, ip_sets }
    }

    /// What Terraform's resources say. A secret is a reference there: which one is not told.
    pub fn of(resources: &[Resource]) -> Self {
        let of = |kind: &'static str| resources.iter().filter(move |one| one.kind == kind);
        let mut said = Self {
            web_acls: of("aws_wafv2_web_acl").map(|acl| web_acl(acl, resources).unwrap()).collect(),
            groups: of("aws_wafv2_rule_group")
                .map(|group| rule_group(group, resources).unwrap())
                .collect(),
            ip_sets: of("aws_wafv2_ip_set").map(|set| ip_set(set).unwrap()).collect(),
        };
        said.sort();
        said
    }

    /// Brings what has no order into one, and forgets which secret is which.
    pub fn sort(&mut self) {
        self.web_acls.sort_by(|a, b| a.name.cmp(&b.name));
        self.groups.sort_by(|a, b| a.name.cmp(&b.name));
        self.ip_sets.sort_by(|a, b| a.name.cmp(&b.name));
        self.ip_sets.iter_mut().for_each(|set| set.addresses.sort());
        let acls = self.web_acls.iter_mut().map(|acl| &mut acl.rules);
        for rule in acls.chain(self.groups.iter_mut().map(|group| &mut group.rules)).flatten() {
            if let RuleAction::Block(BlockAction { custom_response: Some(response) }) =
                &mut rule.action
            {
                response.response_headers.sort_by(|a, b| a.name.cmp(&b.name));
            }
            forget_secrets(&mut rule.statement);
        }
    }
}

fn forget_secrets(statement: &mut Statement) {
    match statement {
        Statement::And(inner) => inner.statements.iter_mut().for_each(forget_secrets),
        Statement::Or(inner) => inner.statements.iter_mut().for_each(forget_secrets),
        Statement::Not(inner) => forget_secrets(&mut inner.statement),
        Statement::ByteMatch(inner) => {
            let text = match &inner.search_string {
                SearchString::Secret(_) => true,
                SearchString::Bytes(bytes) => bytes.starts_with(b"aws_ssm_parameter."),
            };
            if text {
                inner.search_string = SearchString::Secret(String::new());
            }
        }
        _ => {}
    }
}

/// The resources of HCL, by their addresses.
pub fn of_terraform(text: &str) -> Vec<Resource> {
    let mut resources = read_hcl(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    resources.sort_by_key(Resource::address);
    resources
}

/// The resources of Terraform's JSON syntax, which is turned back into HCL: members of objects are
/// arguments, objects (and lists of them) blocks, and texts are templates.
pub fn of_terraform_json(files: &[Value]) -> Vec<Resource> {
    let mut text = String::new();
    for file in files {
        for (kind, value) in file.as_object().unwrap() {
            let labels = match kind.as_str() {
                "//" => continue,
                "resource" | "data" => 2,
                "variable" | "output" | "provider" | "module" => 1,
                _ => 0,
            };
            blocks(kind, value, labels, &mut text);
        }
    }
    of_terraform(&text)
}

fn blocks(head: &str, value: &Value, labels: usize, out: &mut String) {
    if let Value::Array(several) = value {
        several.iter().for_each(|one| blocks(head, one, labels, out));
        return;
    }
    let members = value.as_object().unwrap();
    if labels > 0 {
        for (label, value) in members {
            blocks(&format!("{head} {}", Value::from(label.as_str())), value, labels - 1, out);
        }
        return;
    }
    out.push_str(&format!("{head} {{\n"));
    for (key, value) in members.iter().filter(|(key, _)| *key != "//") {
        let is_block = match value {
            Value::Object(_) => !["default", "dimensions", "tags"].contains(&key.as_str()),
            Value::Array(items) => items.first().is_some_and(Value::is_object),
            _ => false,
        };
        if is_block {
            blocks(key, value, 0, out);
        } else {
            out.push_str(&format!("{key} = {}\n", argument(value)));
        }
    }
    out.push_str("}\n");
}

fn argument(value: &Value) -> String {
    match value {
        Value::String(text) => {
            let whole = text.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'));
            // One expression and nothing else: a text with two would have a `}` in between.
            match whole.filter(|inner| hcl::parse(&format!("a = {inner}")).is_ok()) {
                Some(expression) => expression.to_owned(),
                None => Value::from(text.as_str()).to_string(),
            }
        }
        Value::Array(items) => {
            format!("[{}]", items.iter().map(argument).collect::<Vec<_>>().join(", "))
        }
        Value::Object(members) => {
            let members = members
                .iter()
                .map(|(key, value)| format!("{} = {}", Value::from(key.as_str()), argument(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

/// Every dialect of a stack that it can be said in, read back.
pub fn assert_same_rules(name: &str, stack: &Stack) {
    let mut wanted = Said::by(stack);
    wanted.sort();
    let json: Vec<Value> = cloudformation_json(stack)
        .unwrap()
        .iter()
        .map(|(_, text)| serde_json::from_str(text).unwrap())
        .collect();
    assert_eq!(of_templates(json), wanted, "{name}: CloudFormation JSON");
    let yaml = cloudformation(stack).unwrap();
    let yaml = yaml.iter().map(|(_, text)| template_of_yaml(text)).collect();
    assert_eq!(of_templates(yaml), wanted, "{name}: CloudFormation YAML");
    if stack.guard.is_none() {
        let api: Value =
            serde_json::from_str(&api_json(stack, &KnownArns::new()).unwrap()[0].1).unwrap();
        assert_eq!(of_api(&api), wanted, "{name}: API JSON");
    }
    // Terraform refuses names that would be one label.
    let Ok(hcl) = terraform(stack, &TerraformOptions::default()) else { return };
    let hcl = of_terraform(&hcl[0].1);
    assert_eq!(Said::of(&hcl), wanted, "{name}: Terraform");
    let options = TerraformOptions { is_json: true, ..TerraformOptions::default() };
    let json: Vec<Value> = terraform(stack, &options)
        .unwrap()
        .iter()
        .map(|(_, text)| serde_json::from_str(text).unwrap())
        .collect();
    assert_same_resources(&format!("{name}: Terraform JSON"), &of_terraform_json(&json), &hcl);
}

/// Says which one differs, not all of them.
pub fn assert_same_resources(what: &str, found: &[Resource], wanted: &[Resource]) {
    let addresses = |all: &[Resource]| all.iter().map(Resource::address).collect::<Vec<_>>();
    assert_eq!(addresses(found), addresses(wanted), "{what}");
    for (found, wanted) in found.iter().zip(wanted) {
        assert_eq!(found, wanted, "{what}");
    }
}

/// As [`of_template`], of all templates of a stack.
pub fn of_templates(templates: Vec<Value>) -> Said {
    let mut all = Said { web_acls: Vec::new(), groups: Vec::new(), ip_sets: Vec::new() };
    for template in templates {
        let said = of_template(template);
        all.web_acls.extend(said.web_acls);
        all.groups.extend(said.groups);
        all.ip_sets.extend(said.ip_sets);
    }
    all.sort();
    all
}

/// A template's WAF resources as the API has them.
pub fn of_template(template: Value) -> Said {
    let resources = worked_out(&template).as_object().unwrap().clone();
    let of = |kind: &'static str| {
        let kind = format!("AWS::{kind}");
        resources.iter().filter(move |(_, resource)| resource["Type"] == kind)
    };
    let named = |(id, resource): (&String, &Value), what: &str, before: &str, after: &str| {
        let name = resource["Properties"]["Name"].as_str().unwrap();
        (format!("{before}{id}{after}"), format!("{what}:{name}"))
    };
    let mut names: BTreeMap<String, String> =
        of("WAFv2::IPSet").map(|set| named(set, "ip-set", "⟦", ".Arn⟧")).collect();
    let secret = ("{{resolve:secretsmanager:⟦", "⟧:SecretString}}");
    names.extend(of("SecretsManager::Secret").map(|one| named(one, "secret", secret.0, secret.1)));
    let all = |kind: &'static str| -> Vec<Value> {
        of(kind)
            .map(|(_, resource)| {
                let mut properties = resource["Properties"].clone();
                if kind != "WAFv2::IPSet" {
                    api_of_template(&mut properties);
                }
                rename(&mut properties, &names);
                properties
            })
            .collect()
    };
    Said {
        web_acls: all("WAFv2::WebACL").into_iter().map(from).collect(),
        groups: all("WAFv2::RuleGroup").into_iter().map(from).collect(),
        ip_sets: all("WAFv2::IPSet").into_iter().map(from).collect(),
    }
}

fn from<T: serde::de::DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{error}: {value:#}"))
}

/// References to sets and secrets become their names.
fn rename(value: &mut Value, names: &BTreeMap<String, String>) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(|value| rename(value, names)),
        Value::Object(members) => members.values_mut().for_each(|value| rename(value, names)),
        Value::String(text) => {
            let bytes = STANDARD.decode(text.as_bytes()).ok();
            let decoded = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
            let known = decoded.as_ref().filter(|text| text.starts_with("{{")).unwrap_or(text);
            if let Some(name) = names.get(known) {
                *text = name.clone();
            }
        }
        _ => {}
    }
}

pub fn of_api(api: &Value) -> Said {
    let all = |command: &str| -> Vec<Value> {
        api.get(command).and_then(Value::as_array).cloned().unwrap_or_default()
    };
    assert_eq!(all("wafv2 create-web-acl"), all("wafv2 update-web-acl"));
    let mut said = Said {
        web_acls: all("wafv2 update-web-acl").into_iter().map(from).collect(),
        groups: all("wafv2 create-rule-group").into_iter().map(from).collect(),
        ip_sets: all("wafv2 create-ip-set").into_iter().map(from).collect(),
    };
    said.sort();
    said
}

/// A YAML template as JSON: the short forms of the functions become the long ones, as CloudFormation
/// reads them.
pub fn template_of_yaml(text: &str) -> Value {
    let mut plain = String::new();
    for line in text.lines() {
        let long = ["!Ref ", "!GetAtt ", "!Sub ", "!FindInMap "].into_iter().find_map(|tag| {
            let (before, after) = line.split_once(tag)?;
            // A tag stands where a value begins; elsewhere it is text in quotes or in a comment.
            let is_value = before.ends_with(": ") || before.ends_with("- ");
            let in_text = before.contains('"') && !before.ends_with("\": ") || before.contains('#');
            (is_value && !in_text).then(|| match tag {
                "!Ref " => format!("{before}{{ \"Ref\": \"{after}\" }}"),
                "!Sub " => format!("{before}{{ \"Fn::Sub\": {} }}", with_mappings(after)),
                "!FindInMap " => format!("{before}{{ \"Fn::FindInMap\": {after} }}"),
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

/// The variables of `Fn::Sub` that are settings.
fn with_mappings(argument: &str) -> String {
    let Some(start) = argument.rfind(", { ").filter(|_| argument.starts_with('[')) else {
        return argument.to_owned();
    };
    let (text, values) = argument.split_at(start);
    let values = values.replace("!FindInMap [", "{ \"Fn::FindInMap\": [").replace("],", "] },");
    format!("{text}{}", values.replace("] }]", "] } }]"))
}

/// What JSON has in place of comments.
pub fn without_metadata(template: &mut Value) {
    template.as_object_mut().unwrap().remove("Metadata");
    for resource in template["Resources"].as_object_mut().unwrap().values_mut() {
        resource.as_object_mut().unwrap().remove("Metadata");
    }
}
