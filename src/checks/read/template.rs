//! CloudFormation templates.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::{Error, Input, Reading};
use crate::checks::marker;
use crate::checks::model::{Found, Tool};
use crate::render::api_of_template;

/// A macro in the middle of a template: its result takes the place of the object, its members beside it are kept.
const INCLUDE: &str = "Fn::Transform";
/// Macros of AWS that add nothing of AWS WAF, or only what stands as `Fn::…` where it is added.
const HARMLESS: [&str; 4] = [
    "AWS::Serverless-2016-10-31",
    "AWS::LanguageExtensions",
    "AWS::SecretsManager-2020-07-23",
    "AWS::SecretsManager-2024-09-16",
];

/// Reads a template that has been parsed, with the long forms of functions (`Fn::GetAtt`).
///
/// # Errors
/// When it has no resources.
pub fn read_template(input: &Input, template: &Value) -> Result<Reading, Error> {
    let Some(resources) = template["Resources"].as_object() else {
        return Err(input.error("has no mapping `Resources`"));
    };
    let mut known = BTreeMap::new();
    for (name, parameter) in template["Parameters"].as_object().into_iter().flatten() {
        // A secret's default would be in the template for all to see, but it is not ours to print.
        let no_echo = &parameter["NoEcho"];
        let is_secret = match no_echo.as_str() {
            Some(text) => !text.eq_ignore_ascii_case("false"),
            None => !(no_echo.is_null() || *no_echo == false),
        };
        if !is_secret && !parameter["Default"].is_null() {
            known.insert(name.as_str(), parameter["Default"].clone());
        }
    }
    // What a macro adds is not in the text.
    let has_macros = !template["Transform"].is_null();
    let declared = (!has_macros)
        .then(|| template["Parameters"].as_object().into_iter().flatten().map(|(name, _)| name))
        .map(|names| names.map(String::as_str).collect());
    let reader = Reader { resources, known, declared };
    let mut reading = Reading::default();
    let mut blind = |address: &str, what: &str| {
        reading.blind.push((input.item(Tool::CloudFormation, address), what.to_owned()));
    };
    for name in macros(&template["Transform"]).filter(|name| !HARMLESS.contains(name)) {
        blind(&input.name, &format!("what the macro `{name}` makes of the template"));
    }
    for (id, resource) in resources {
        // A loop (`Fn::ForEach::…`), or a part of another template.
        if id.starts_with("Fn::") {
            blind(id, "the resources that it makes");
            continue;
        }
        let kind = resource["Type"].as_str().unwrap_or_default().to_owned();
        let mut values = match &resource["Properties"] {
            Value::Object(members) if members.contains_key(INCLUDE) => {
                blind(id, "what `Fn::Transform` makes of its properties");
                let rest = members.iter().filter(|(name, _)| *name != INCLUDE);
                let mut rest: Map<String, Value> =
                    rest.map(|(name, value)| (name.clone(), reader.value(value))).collect();
                rest.insert("$incomplete".to_owned(), true.into());
                Value::Object(rest)
            }
            properties => reader.value(properties),
        };
        if values.is_null() {
            values = Value::Object(Map::new());
        }
        if kind.starts_with("AWS::WAFv2::") {
            api_of_template(&mut values);
        }
        let item = input.item(Tool::CloudFormation, id.as_str());
        reading.found.push(Found { item, kind, values, before: None });
    }
    Ok(reading)
}

/// The names of the macros that a template is sent through.
fn macros(transform: &Value) -> impl Iterator<Item = &str> {
    let list = match transform {
        Value::Array(list) => list.as_slice(),
        Value::Null => &[],
        one => std::slice::from_ref(one),
    };
    list.iter().map(|one| one.as_str().or_else(|| one["Name"].as_str()).unwrap_or("Fn::Transform"))
}

struct Reader<'a> {
    resources: &'a Map<String, Value>,
    known: BTreeMap<&'a str, Value>,
    /// Parameters; `None`: there may be more names than the text has.
    declared: Option<BTreeSet<&'a str>>,
}

impl Reader<'_> {
    /// Values with functions worked out where that can be done here, else markers.
    fn value(&self, value: &Value) -> Value {
        match value {
            Value::Array(values) => values.iter().map(|one| self.value(one)).collect(),
            Value::Object(members) if members.contains_key(INCLUDE) => {
                marker::unknown(&value.to_string())
            }
            Value::Object(members) => {
                let only = members.iter().next().filter(|_| members.len() == 1);
                match only {
                    Some((name, of)) if name == "Ref" => self.reference(of, "Ref", value),
                    Some((name, of)) if name == "Fn::GetAtt" => self.attribute(of, value),
                    Some((name, of)) if name == "Fn::Sub" => self.substituted(of, value),
                    Some((name, _)) if name.starts_with("Fn::") => {
                        marker::unknown(&value.to_string())
                    }
                    _ => members.iter().map(|(name, of)| (name.clone(), self.value(of))).collect(),
                }
            }
            other => other.clone(),
        }
    }

    fn reference(&self, to: &Value, attribute: &str, whole: &Value) -> Value {
        let Some(name) = to.as_str() else { return marker::unknown(&whole.to_string()) };
        if let Some(value) = self.known.get(name) {
            return value.clone();
        }
        let Some(resource) = self.resources.get(name) else {
            return self.elsewhere(name, name);
        };
        // `Ref` of an alarm, a log group, … is its name.
        let named = match resource["Type"].as_str() {
            Some("AWS::CloudWatch::Alarm") => &resource["Properties"]["AlarmName"],
            Some("AWS::Logs::LogGroup") => &resource["Properties"]["LogGroupName"],
            _ => &Value::Null,
        };
        match named {
            Value::String(_) => named.clone(),
            _ => marker::of_resource(name, name, attribute),
        }
    }

    fn attribute(&self, of: &Value, whole: &Value) -> Value {
        let (id, attribute) = match of {
            Value::String(text) => match text.split_once('.') {
                Some((id, attribute)) => (id, attribute),
                None => return marker::unknown(text),
            },
            Value::Array(parts) => match (parts.first().and_then(Value::as_str), parts.get(1)) {
                (Some(id), Some(Value::String(attribute))) => (id, attribute.as_str()),
                _ => return marker::unknown(&whole.to_string()),
            },
            _ => return marker::unknown(&whole.to_string()),
        };
        if self.resources.contains_key(id) {
            marker::of_resource(&format!("{id}.{attribute}"), id, attribute)
        } else {
            self.elsewhere(&format!("{id}.{attribute}"), id)
        }
    }

    /// A value that is not in the template: of a parameter, of AWS, or of nothing.
    fn elsewhere(&self, expression: &str, name: &str) -> Value {
        let is_missing = self.declared.as_ref().is_some_and(|names| !names.contains(name));
        if is_missing && !name.starts_with("AWS::") {
            marker::of_nothing(expression, name)
        } else {
            marker::unknown(expression)
        }
    }

    /// `Fn::Sub` whose variables are all parameters that are known.
    fn substituted(&self, of: &Value, whole: &Value) -> Value {
        let text = of.as_str().or_else(|| of.get(0)?.as_str());
        let Some(text) = text else { return marker::unknown(&whole.to_string()) };
        let mut out = String::new();
        let mut rest = text;
        while let Some(start) = rest.find("${") {
            let Some(end) = rest[start..].find('}') else { return marker::unknown(text) };
            let name = &rest[start + 2..start + end];
            let value = self.known.get(name).or_else(|| of.get(1)?.get(name));
            match value {
                Some(Value::String(value)) => out.push_str(&format!("{}{value}", &rest[..start])),
                Some(Value::Number(value)) => out.push_str(&format!("{}{value}", &rest[..start])),
                _ if text == format!("${{{name}}}") && self.resources.contains_key(name) => {
                    return marker::of_resource(name, name, "Ref");
                }
                // `Acl.Arn` is an attribute, `!x` is the text, and the form of a list has names of its own.
                _ if name.contains(['.', '!']) || !of.is_string() => return marker::unknown(text),
                _ if self.resources.contains_key(name) => return marker::unknown(text),
                _ => return self.elsewhere(text, name),
            }
            rest = &rest[start + end + 1..];
        }
        Value::String(out + rest)
    }
}
