//! A template as YAML, with comments.

use super::super::comment;
use super::json::{setting_name, settings_of, sub};
use super::node::{Item, Member, Node};
use super::template::{Setting, Template};
use crate::policy::yaml_scalar;

pub(super) fn print(template: &Template) -> String {
    let mut printer = Printer { out: String::new() };
    for paragraph in &template.about {
        printer.comment(0, paragraph);
    }
    printer.line(0, "");
    printer.line(0, "AWSTemplateFormatVersion: \"2010-09-09\"");
    printer.line(0, &format!("Description: {}", yaml_scalar(&template.description)));
    printer.settings(&template.settings);
    printer.line(0, "");
    printer.line(0, if template.resources.is_empty() { "Resources: {}" } else { "Resources:" });
    for (place, resource) in template.resources.iter().enumerate() {
        if place > 0 {
            printer.line(0, "");
        }
        resource.about.iter().for_each(|text| printer.comment(1, text));
        printer.line(1, &format!("{}:", yaml_scalar(&resource.id)));
        printer.line(2, &format!("Type: {}", resource.kind.cloudformation()));
        if !resource.depends_on.is_empty() {
            let ids: Vec<String> = resource.depends_on.iter().map(|id| yaml_scalar(id)).collect();
            printer.line(2, &format!("DependsOn: [{}]", ids.join(", ")));
        }
        if resource.retain {
            printer.line(2, "DeletionPolicy: Retain");
            printer.line(2, "UpdateReplacePolicy: Retain");
        }
        printer.line(2, "Properties:");
        printer.members(3, &resource.properties);
    }
    if !template.outputs.is_empty() {
        printer.line(0, "");
        printer.line(0, "Outputs:");
        for output in &template.outputs {
            printer.line(1, &format!("{}:", yaml_scalar(&output.id)));
            printer.line(2, &format!("Description: {}", yaml_scalar(&output.description)));
            let value = scalar(&output.value).unwrap_or_default();
            printer.line(2, &format!("Value: {value}"));
        }
    }
    printer.out
}

struct Printer {
    out: String,
}

impl Printer {
    fn line(&mut self, depth: usize, text: &str) {
        if !text.is_empty() {
            self.out.push_str(&"  ".repeat(depth));
            self.out.push_str(text);
        }
        self.out.push('\n');
    }

    /// A paragraph; an empty one is an empty line of the comment.
    fn comment(&mut self, depth: usize, text: &str) {
        for line in comment::lines(text) {
            self.line(depth, format!("# {line}").trim_end());
        }
    }

    fn settings(&mut self, settings: &[Setting]) {
        if settings.is_empty() {
            return;
        }
        self.line(0, "");
        self.line(0, "Mappings:");
        self.line(1, &format!("{}:", Setting::MAPPING));
        for setting in settings {
            setting.about.iter().for_each(|text| self.comment(2, text));
            self.line(2, &format!("{}:", yaml_scalar(&setting.id)));
            for (name, number) in setting.numbers() {
                // Values of mappings are texts.
                self.line(3, &format!("{name}: \"{number}\""));
            }
        }
    }

    fn members(&mut self, depth: usize, members: &[Member]) {
        for member in members {
            member.about.iter().for_each(|text| self.comment(depth, text));
            let key = yaml_scalar(&member.key);
            match scalar(&member.value) {
                Some(value) => self.line(depth, &format!("{key}: {value}")),
                None => {
                    self.line(depth, &format!("{key}:"));
                    self.inside(depth + 1, &member.value);
                }
            }
        }
    }

    /// What stands below a key.
    fn inside(&mut self, depth: usize, node: &Node) {
        match node {
            Node::Map(members) | Node::Names(members) => self.members(depth, members),
            Node::Verbatim(inner) => self.inside(depth, inner),
            Node::List(items) => items.iter().for_each(|item| self.item(depth, item)),
            // Everything else fits beside its key.
            _ => {}
        }
    }

    fn item(&mut self, depth: usize, item: &Item) {
        item.about.iter().for_each(|text| self.comment(depth, text));
        if let Some(value) = scalar(&item.value) {
            self.line(depth, &format!("- {value}"));
            return;
        }
        // The first line of the value goes beside the dash, its comments before it.
        let start = self.out.len();
        self.inside(depth + 1, &item.value);
        let text = self.out.split_off(start);
        let dash = format!("{}- ", "  ".repeat(depth));
        let indent = "  ".repeat(depth + 1);
        let mut dashed = false;
        for line in text.lines() {
            let is_comment = line.trim_start().starts_with('#');
            if dashed || is_comment {
                self.out.push_str(line);
            } else {
                self.out.push_str(&dash);
                self.out.push_str(line.strip_prefix(&indent).unwrap_or(line));
                dashed = true;
            }
            self.out.push('\n');
        }
    }
}

/// What fits beside its key.
fn scalar(node: &Node) -> Option<String> {
    Some(match node {
        Node::Text(text) => yaml_scalar(text),
        Node::Number(number) => number.to_string(),
        Node::Bool(yes) => yes.to_string(),
        Node::Ref(id) => format!("!Ref {id}"),
        Node::Attribute(id, attribute) => format!("!GetAtt {id}.{attribute}"),
        // A rule may be called `N`, which some readers take for false.
        Node::Setting(id, which) => {
            format!("!FindInMap [{}, {}, {which}]", Setting::MAPPING, yaml_scalar(id))
        }
        Node::Join(parts) => {
            let text = yaml_scalar(&sub(parts));
            let values: Vec<String> = settings_of(parts)
                .into_iter()
                .filter_map(|part| Some(format!("{}: {}", setting_name(part), scalar(part)?)))
                .collect();
            if values.is_empty() {
                format!("!Sub {text}")
            } else {
                format!("!Sub [{text}, {{ {} }}]", values.join(", "))
            }
        }
        Node::List(items) if items.is_empty() => "[]".to_owned(),
        Node::Map(members) | Node::Names(members) if members.is_empty() => "{}".to_owned(),
        Node::Verbatim(inner) => return scalar(inner),
        Node::List(_) | Node::Map(_) | Node::Names(_) => return None,
    })
}
