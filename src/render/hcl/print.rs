//! The layout of `terraform fmt` (hclwrite's format): two spaces a level; in a run of lines with a
//! whole `key = value` the `=` stand under each other; a line that opens a bracket, a comment, a block
//! and an empty line end the run.

use std::fmt::{self, Write};

use ::hcl::expr::{TemplateExpr, TraversalOperator};
use ::hcl::{Expression, ObjectKey};

use super::super::comment::wrap;
use super::text::quoted;
use super::{COMMENT_WIDTH, Content, Item};

/// One line. `value` is there only if the line holds a whole `key = value`.
struct Line {
    depth: usize,
    lead: String,
    value: Option<String>,
}

struct Printer {
    lines: Vec<Line>,
    depth: usize,
}

pub(super) fn print(content: &Content, out: &mut impl Write) -> fmt::Result {
    let mut printer = Printer { lines: Vec::new(), depth: 0 };
    printer.content(content);
    let lines = printer.lines;
    let mut start = 0;
    while start < lines.len() {
        let run = lines[start..].iter().take_while(|line| line.value.is_some()).count();
        let width = lines[start..start + run]
            .iter()
            .map(|line| line.lead.chars().count())
            .max()
            .unwrap_or(0);
        for line in &lines[start..start + run.max(1)] {
            let Line { depth, lead, value } = line;
            let indent = depth * 2;
            match value {
                Some(value) => writeln!(out, "{:indent$}{lead:<width$} = {value}", "")?,
                None if lead.is_empty() => writeln!(out)?,
                None => writeln!(out, "{:indent$}{lead}", "")?,
            }
        }
        start += run.max(1);
    }
    Ok(())
}

impl Printer {
    fn line(&mut self, lead: impl Into<String>) {
        self.lines.push(Line { depth: self.depth, lead: lead.into(), value: None });
    }

    fn content(&mut self, content: &Content) {
        let mut before: Option<&Item> = None;
        for item in &content.items {
            let apart = match (before, item) {
                (None | Some(Item::Blank), _) | (_, Item::Blank) => false,
                (Some(Item::Comment(_) | Item::Line(_)), _) => false,
                (Some(Item::Block(_)), _)
                | (Some(_), Item::Block(_) | Item::Comment(_) | Item::Line(_)) => true,
                (Some(Item::Attribute(_)), Item::Attribute(_)) => false,
            };
            if apart {
                self.line("");
            }
            self.item(item);
            before = Some(item);
        }
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Blank => self.line(""),
            Item::Comment(text) => {
                for line in wrap(text, COMMENT_WIDTH.saturating_sub(2 + self.depth * 2)) {
                    self.line(if line.is_empty() { "#".to_owned() } else { format!("# {line}") });
                }
            }
            Item::Line(text) => {
                self.line(if text.is_empty() { "#".to_owned() } else { format!("# {text}") });
            }
            Item::Attribute(attribute) => {
                self.value(Some(attribute.key.as_str()), &attribute.expr, "");
            }
            Item::Block(block) => {
                let mut lead = block.identifier.to_string();
                for label in &block.labels {
                    lead.push(' ');
                    lead.push_str(&quoted(label));
                }
                if block.content.items.is_empty() {
                    self.line(lead + " {}");
                    return;
                }
                self.line(lead + " {");
                self.depth += 1;
                self.content(&block.content);
                self.depth -= 1;
                self.line("}");
            }
        }
    }

    /// A value with its key (none for an element of a list) and what follows it.
    fn value(&mut self, key: Option<&str>, value: &Expression, after: &str) {
        if let Some(text) = one_line(value) {
            match key {
                Some(key) => self.lines.push(Line {
                    depth: self.depth,
                    lead: key.to_owned(),
                    value: Some(text + after),
                }),
                None => self.line(text + after),
            }
            return;
        }
        let lead = key.map(|key| format!("{key} = ")).unwrap_or_default();
        self.lines_of(lead, value, after);
    }

    fn lines_of(&mut self, lead: String, value: &Expression, after: &str) {
        match value {
            Expression::Array(items) => {
                self.line(lead + "[");
                self.depth += 1;
                for item in items {
                    self.value(None, item, ",");
                }
                self.depth -= 1;
                self.line(format!("]{after}"));
            }
            Expression::Object(members) => {
                self.line(lead + "{");
                self.depth += 1;
                for (key, value) in members {
                    self.value(Some(&object_key(key)), value, "");
                }
                self.depth -= 1;
                self.line(format!("}}{after}"));
            }
            Expression::FuncCall(call) if call.args.len() == 1 => {
                let open = format!("{lead}{}(", call.name.name);
                self.lines_of(open, &call.args[0], &format!("){after}"));
            }
            other => self.line(format!("{lead}{}{after}", atom(other))),
        }
    }
}

fn object_key(key: &ObjectKey) -> String {
    match key {
        ObjectKey::Identifier(identifier) => identifier.to_string(),
        ObjectKey::Expression(Expression::String(text)) => quoted(text),
        other => other.to_string(),
    }
}

/// A value that stands on one line: everything but objects and lists of several things.
fn one_line(value: &Expression) -> Option<String> {
    match value {
        Expression::Array(items) => match items.as_slice() {
            [] => Some("[]".to_owned()),
            [item] => one_line(item).map(|item| format!("[{item}]")),
            _ => None,
        },
        Expression::Object(members) => members.is_empty().then(|| "{}".to_owned()),
        Expression::FuncCall(call) => {
            let arguments: Option<Vec<String>> = call.args.iter().map(one_line).collect();
            let ending = if call.expand_final { "...)" } else { ")" };
            arguments.map(|list| format!("{}({}{ending}", call.name.name, list.join(", ")))
        }
        other => Some(atom(other)),
    }
}

pub(super) fn atom(value: &Expression) -> String {
    match value {
        Expression::String(text) => quoted(text),
        // Made by `template`, which has escaped what is text.
        Expression::TemplateExpr(template) => match template.as_ref() {
            TemplateExpr::QuotedString(source) => format!("\"{source}\""),
            TemplateExpr::Heredoc(_) => value.to_string(),
        },
        Expression::Traversal(traversal) => {
            let mut out = atom(&traversal.expr);
            for operator in &traversal.operators {
                match operator {
                    TraversalOperator::GetAttr(name) => {
                        out.push('.');
                        out.push_str(name);
                    }
                    TraversalOperator::Index(index) => {
                        out.push('[');
                        out.push_str(&atom(index));
                        out.push(']');
                    }
                    TraversalOperator::LegacyIndex(index) => {
                        out.push('.');
                        out.push_str(&index.to_string());
                    }
                    TraversalOperator::AttrSplat => out.push_str(".*"),
                    TraversalOperator::FullSplat => out.push_str("[*]"),
                }
            }
            out
        }
        other => other.to_string(),
    }
}
