//! TypeScript.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::super::cloudformation::node::{Item, Member, Node};
use super::super::cloudformation::template::{Resource, Template};
use super::super::comment;
use super::names::{property, variable};

/// A construct, and the file it stands in.
pub(super) struct Construct<'a> {
    /// Without `.ts`.
    pub file: &'static str,
    /// The name of its class.
    pub class: &'static str,
    pub template: &'a Template,
}

/// The file of a construct.
pub(super) fn construct(construct: &Construct<'_>) -> String {
    let Construct { class, template, .. } = construct;
    let mut out = Printer::default();
    template.about.iter().for_each(|text| out.comment(0, text));
    let modules: BTreeSet<String> =
        template.resources.iter().map(|resource| resource.kind.module()).collect();
    out.line(0, "import * as cdk from 'aws-cdk-lib';");
    for module in modules {
        out.line(0, &format!("import * as {module} from 'aws-cdk-lib/aws-{module}';"));
    }
    out.line(0, "import { Construct } from 'constructs';");
    out.line(0, "");
    out.comment(0, &template.description);
    out.line(0, &format!("export class {class} extends Construct {{"));
    for output in &template.outputs {
        out.comment(1, &output.description);
        out.line(1, &format!("public readonly {}: string;", variable(&output.id)));
    }
    if !template.outputs.is_empty() {
        out.line(0, "");
    }
    out.line(1, "constructor(scope: Construct, id: string) {");
    out.line(2, "super(scope, id);");
    for setting in &template.settings {
        out.line(0, "");
        setting.about.iter().for_each(|text| out.comment(2, text));
        for (which, number) in setting.numbers() {
            out.line(2, &format!("const {}{which} = {number};", variable(&setting.id)));
        }
    }
    for resource in &template.resources {
        out.line(0, "");
        out.resource(resource, is_named(template, &resource.id));
    }
    if !template.outputs.is_empty() {
        out.line(0, "");
    }
    for output in &template.outputs {
        let value = inline(&output.value).unwrap_or_default();
        out.line(2, &format!("this.{} = {value};", variable(&output.id)));
        let id = text(&output.id);
        let about = text(&output.description);
        out.line(
            2,
            &format!("new cdk.CfnOutput(this, {id}, {{ description: {about}, value: {value} }});"),
        );
    }
    out.line(1, "}");
    out.line(0, "}");
    out.text
}

/// An app that deploys constructs, each in a stack of its own.
pub(super) fn app(name: &str, constructs: &[Construct<'_>]) -> String {
    let mut out = Printer::default();
    out.comment(0, "Deploys what ratewaf emit wrote beside it. In an app of your own, take the constructs alone.");
    out.line(0, "import * as cdk from 'aws-cdk-lib';");
    for Construct { file, class, .. } in constructs {
        out.line(0, &format!("import {{ {class} }} from './{file}';"));
    }
    out.line(0, "");
    out.line(0, "const app = new cdk.App();");
    for Construct { file, class, template } in constructs {
        let id = text(&format!("{name}-{file}"));
        let region = text(&template.region);
        out.line(0, "");
        out.line(0, &format!("const {} = new cdk.Stack(app, {id}, {{", variable(class)));
        out.line(1, &format!("description: {},", text(&template.description)));
        out.comment(1, "The account is that of the credentials.");
        out.line(1, &format!("env: {{ region: {region} }},"));
        out.line(0, "});");
        out.line(0, &format!("new {class}({}, '{class}');", variable(class)));
    }
    out.text
}

/// Whether another resource, or an output, names this one.
fn is_named(template: &Template, id: &str) -> bool {
    fn names(node: &Node, id: &str) -> bool {
        match node {
            Node::Ref(other) | Node::Attribute(other, _) => other == id,
            Node::List(items) => items.iter().any(|item| names(&item.value, id)),
            Node::Map(members) | Node::Names(members) => {
                members.iter().any(|member| names(&member.value, id))
            }
            Node::Verbatim(inner) => names(inner, id),
            Node::Join(parts) => parts.iter().any(|part| names(part, id)),
            Node::Text(_) | Node::Number(_) | Node::Bool(_) | Node::Setting(..) => false,
        }
    }
    template.outputs.iter().any(|output| names(&output.value, id))
        || template.resources.iter().any(|resource| {
            resource.depends_on.iter().any(|other| other == id)
                || resource.properties.iter().any(|member| names(&member.value, id))
        })
}

#[derive(Default)]
struct Printer {
    text: String,
}

impl Printer {
    fn line(&mut self, depth: usize, text: &str) {
        if !text.is_empty() {
            self.text.push_str(&"  ".repeat(depth));
            self.text.push_str(text);
        }
        self.text.push('\n');
    }

    /// A paragraph; an empty one is an empty line of the comment.
    fn comment(&mut self, depth: usize, text: &str) {
        for line in comment::lines(text) {
            self.line(depth, format!("// {line}").trim_end());
        }
    }

    fn resource(&mut self, resource: &Resource, is_named: bool) {
        resource.about.iter().for_each(|text| self.comment(2, text));
        let name = variable(&resource.id);
        let needs_name = is_named || resource.retain || !resource.depends_on.is_empty();
        let bound = if needs_name { format!("const {name} = ") } else { String::new() };
        let kind = resource.kind;
        let id = text(&resource.id);
        self.line(2, &format!("{bound}new {}.Cfn{}(this, {id}, {{", kind.module(), kind.resource));
        self.members(3, &resource.properties, Keys::Properties);
        self.line(2, "});");
        if resource.retain {
            self.line(2, &format!("{name}.applyRemovalPolicy(cdk.RemovalPolicy.RETAIN);"));
        }
        for other in &resource.depends_on {
            self.line(2, &format!("{name}.addDependency({});", variable(other)));
        }
    }

    fn members(&mut self, depth: usize, members: &[Member], keys: Keys) {
        for member in members {
            member.about.iter().for_each(|text| self.comment(depth, text));
            self.value(depth, &format!("{}: ", keys.spell(&member.key)), &member.value, keys);
        }
    }

    /// `lead` and a value, with a comma.
    fn value(&mut self, depth: usize, lead: &str, node: &Node, keys: Keys) {
        if let Some(value) = inline(node) {
            self.line(depth, &format!("{lead}{value},"));
            return;
        }
        match node {
            Node::Map(members) => {
                self.line(depth, &format!("{lead}{{"));
                self.members(depth + 1, members, keys);
                self.line(depth, "},");
            }
            Node::Names(members) => {
                self.line(depth, &format!("{lead}{{"));
                for Member { key, about, value } in members {
                    about.iter().for_each(|text| self.comment(depth + 1, text));
                    let lead = format!("{}: ", Keys::Verbatim.spell(key));
                    self.value(depth + 1, &lead, value, keys);
                }
                self.line(depth, "},");
            }
            Node::List(items) => {
                self.line(depth, &format!("{lead}["));
                for Item { about, value } in items {
                    about.iter().for_each(|text| self.comment(depth + 1, text));
                    self.value(depth + 1, "", value, keys);
                }
                self.line(depth, "],");
            }
            Node::Verbatim(inner) => self.value(depth, lead, inner, Keys::Verbatim),
            // Everything else fits in a line.
            _ => {}
        }
    }
}

/// How the keys of an object are spelled.
#[derive(Clone, Copy)]
enum Keys {
    /// As properties of the CDK.
    Properties,
    /// As they are.
    Verbatim,
}

impl Keys {
    fn spell(self, key: &str) -> String {
        let key = match self {
            Self::Properties => property(key),
            Self::Verbatim => key.to_owned(),
        };
        let plain = key.starts_with(|first: char| first.is_ascii_alphabetic())
            && key.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if plain { key } else { text(&key) }
    }
}

/// What fits in a line.
fn inline(node: &Node) -> Option<String> {
    Some(match node {
        Node::Text(value) => text(value),
        Node::Number(number) => number.to_string(),
        Node::Bool(yes) => yes.to_string(),
        Node::Ref(_) | Node::Attribute(..) | Node::Setting(..) => reference(node),
        Node::Join(parts) => {
            let mut out = String::from("`");
            for part in parts {
                match part {
                    Node::Text(text) => out.push_str(&template_text(text)),
                    other => {
                        // Writing to a string cannot fail.
                        let _ = write!(out, "${{{}}}", reference(other));
                    }
                }
            }
            out.push('`');
            out
        }
        Node::List(items) if items.is_empty() => "[]".to_owned(),
        Node::Map(members) | Node::Names(members) if members.is_empty() => "{}".to_owned(),
        Node::Verbatim(inner) => match &**inner {
            Node::Map(_) | Node::Names(_) | Node::List(_) => {
                return match &**inner {
                    Node::Map(members) if members.is_empty() => Some("{}".to_owned()),
                    _ => None,
                };
            }
            other => return inline(other),
        },
        Node::List(_) | Node::Map(_) | Node::Names(_) => return None,
    })
}

fn reference(node: &Node) -> String {
    match node {
        Node::Ref(id) => match id.strip_prefix("AWS::") {
            Some("AccountId") => "cdk.Aws.ACCOUNT_ID".to_owned(),
            Some("Region") => "cdk.Aws.REGION".to_owned(),
            Some(_) => "cdk.Aws.PARTITION".to_owned(),
            None => format!("{}.ref", variable(id)),
        },
        Node::Attribute(id, attribute) => format!("{}.attr{attribute}", variable(id)),
        Node::Setting(id, which) => format!("{}{which}", variable(id)),
        _ => String::new(),
    }
}

/// A text as a literal in single quotes. Whatever is no plain character is escaped.
pub(in crate::render) fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('\'');
    escape(text, '\'', &mut out);
    out.push('\'');
    out
}

/// A text inside a template literal: nothing in it begins a substitution.
fn template_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    escape(text, '`', &mut out);
    out.replace("${", "\\${")
}

fn escape(text: &str, quote: char, out: &mut String) {
    for character in text.chars() {
        match character {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if character == quote => {
                out.push('\\');
                out.push(character);
            }
            _ if crate::units::is_plain(character) => out.push(character),
            _ => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{{{:x}}}", u32::from(character));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_cannot_end_or_run() {
        assert_eq!(text("a'b\\c\n\u{2028}${x}`"), "'a\\'b\\\\c\\n\\u{2028}${x}`'");
        assert_eq!(template_text("`${x}\\${y}"), "\\`\\${x}\\\\\\${y}");
    }
}
