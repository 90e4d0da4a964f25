//! A template as JSON.

use serde_json::{Map, Value as Json, json};

use super::node::{Item, Member, Node};
use super::template::{Setting, Template};

pub(super) fn print(template: &Template) -> String {
    let mut out = Map::new();
    out.insert("AWSTemplateFormatVersion".to_owned(), json!("2010-09-09"));
    out.insert("Description".to_owned(), json!(template.description));
    let about: Vec<&String> = template.about.iter().filter(|line| !line.is_empty()).collect();
    let mut metadata = json!({ "ratewaf": about });
    if !template.settings.is_empty() {
        let evidence = template.settings.iter().map(|one| (one.id.clone(), json!(one.about)));
        metadata[Setting::MAPPING] = Json::Object(evidence.collect());
    }
    out.insert("Metadata".to_owned(), metadata);
    if !template.settings.is_empty() {
        out.insert("Mappings".to_owned(), mappings(&template.settings));
    }
    let mut resources = Map::new();
    for resource in &template.resources {
        let mut body = Map::new();
        body.insert("Type".to_owned(), json!(resource.kind.cloudformation()));
        if !resource.depends_on.is_empty() {
            body.insert("DependsOn".to_owned(), json!(resource.depends_on));
        }
        if resource.retain {
            body.insert("DeletionPolicy".to_owned(), json!("Retain"));
            body.insert("UpdateReplacePolicy".to_owned(), json!("Retain"));
        }
        let mut about: Vec<&str> = resource.about.iter().map(String::as_str).collect();
        resource.properties.iter().for_each(|member| comments_of_member(member, &mut about));
        if !about.is_empty() {
            body.insert("Metadata".to_owned(), json!({ "ratewaf": about }));
        }
        body.insert("Properties".to_owned(), members(&resource.properties));
        resources.insert(resource.id.clone(), Json::Object(body));
    }
    out.insert("Resources".to_owned(), Json::Object(resources));
    let outputs: Map<String, Json> = template
        .outputs
        .iter()
        .map(|output| {
            let body = json!({ "Description": output.description, "Value": value(&output.value) });
            (output.id.clone(), body)
        })
        .collect();
    if !outputs.is_empty() {
        out.insert("Outputs".to_owned(), Json::Object(outputs));
    }
    // JSON of texts and numbers always prints.
    let mut text = serde_json::to_string_pretty(&out).unwrap_or_default();
    text.push('\n');
    text
}

/// Values of mappings are texts.
fn mappings(settings: &[Setting]) -> Json {
    let numbers = |one: &Setting| -> Map<String, Json> {
        let numbers = one.numbers().into_iter();
        numbers.map(|(name, number)| (name.to_owned(), json!(number.to_string()))).collect()
    };
    let all: Map<String, Json> =
        settings.iter().map(|one| (one.id.clone(), Json::Object(numbers(one)))).collect();
    json!({ Setting::MAPPING: all })
}

fn members(list: &[Member]) -> Json {
    Json::Object(list.iter().map(|member| (member.key.clone(), value(&member.value))).collect())
}

fn value(node: &Node) -> Json {
    match node {
        Node::Text(text) => json!(text),
        Node::Number(number) => json!(number),
        Node::Bool(yes) => json!(yes),
        Node::List(items) => items.iter().map(|item| value(&item.value)).collect(),
        Node::Map(list) | Node::Names(list) => members(list),
        Node::Verbatim(inner) => value(inner),
        Node::Ref(id) => json!({ "Ref": id }),
        Node::Attribute(id, attribute) => json!({ "Fn::GetAtt": [id, attribute] }),
        Node::Setting(id, which) => json!({ "Fn::FindInMap": [Setting::MAPPING, id, which] }),
        Node::Join(parts) => {
            let settings = settings_of(parts);
            if settings.is_empty() {
                json!({ "Fn::Sub": sub(parts) })
            } else {
                let values: Map<String, Json> =
                    settings.into_iter().map(|part| (setting_name(part), value(part))).collect();
                json!({ "Fn::Sub": [sub(parts), values] })
            }
        }
    }
}

/// Parts as a text for `Fn::Sub`, in which `${!` stands for a plain `${`.
pub(super) fn sub(parts: &[Node]) -> String {
    parts
        .iter()
        .map(|part| match part {
            Node::Text(text) => text.replace("${", "${!"),
            Node::Ref(id) => format!("${{{id}}}"),
            Node::Attribute(id, attribute) => format!("${{{id}.{attribute}}}"),
            Node::Setting(..) => format!("${{{}}}", setting_name(part)),
            // Nothing else is ever joined.
            _ => String::new(),
        })
        .collect()
}

/// The settings among parts: `Fn::Sub` gets them as variables.
pub(super) fn settings_of(parts: &[Node]) -> Vec<&Node> {
    parts.iter().filter(|part| matches!(part, Node::Setting(..))).collect()
}

/// The variable of `Fn::Sub` for a setting.
pub(super) fn setting_name(node: &Node) -> String {
    match node {
        Node::Setting(id, which) => format!("{id}{which}"),
        // Nobody else has one.
        _ => String::new(),
    }
}

fn comments_of_member<'a>(member: &'a Member, out: &mut Vec<&'a str>) {
    out.extend(member.about.iter().map(String::as_str));
    comments(&member.value, out);
}

fn comments<'a>(node: &'a Node, out: &mut Vec<&'a str>) {
    match node {
        Node::List(items) => {
            for Item { about, value } in items {
                out.extend(about.iter().map(String::as_str));
                comments(value, out);
            }
        }
        Node::Map(list) | Node::Names(list) => {
            list.iter().for_each(|member| comments_of_member(member, out));
        }
        Node::Verbatim(inner) => comments(inner, out),
        _ => {}
    }
}
