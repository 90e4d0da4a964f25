//! The same configuration in Terraform's JSON syntax (Terraform language, "JSON Configuration Syntax"):
//! blocks are members under their labels, expressions are strings with one interpolation, and comments
//! are members called `//`, which Terraform skips.

use ::hcl::{Expression, ObjectKey};
use serde_json::{Map, Value as Json, json};

use super::print::atom;
use super::text::quoted;
use super::{Block, Content, Item};

/// Members that hold names, not expressions: in JSON they are plain strings.
const NAMES: [&str; 5] =
    ["provider", "type", "ignore_changes", "depends_on", "configuration_aliases"];

impl Content {
    /// The text of a `.tf.json` file.
    #[must_use]
    pub fn to_json(&self) -> String {
        // JSON of texts and numbers always prints.
        let mut text = serde_json::to_string_pretty(&body(self)).unwrap_or_default();
        text.push('\n');
        text
    }
}

fn body(content: &Content) -> Json {
    let comments: Vec<&str> = content
        .items
        .iter()
        .filter_map(|item| match item {
            Item::Comment(text) | Item::Line(text) if !text.is_empty() => Some(text.as_str()),
            _ => None,
        })
        .collect();
    let mut out = Map::new();
    match comments.as_slice() {
        [] => {}
        [one] => {
            out.insert("//".to_owned(), json!(one));
        }
        several => {
            out.insert("//".to_owned(), json!(several));
        }
    }
    for item in &content.items {
        match item {
            Item::Comment(_) | Item::Line(_) | Item::Blank => {}
            Item::Attribute(attribute) => {
                let key = attribute.key.to_string();
                let names = NAMES.contains(&key.as_str());
                out.insert(key, value(&attribute.expr, names));
            }
            Item::Block(block) => insert(block, &mut out),
        }
    }
    Json::Object(out)
}

/// Puts a block under its labels; the second one there makes it a list.
fn insert(block: &Block, out: &mut Map<String, Json>) {
    let mut path = vec![block.identifier.to_string()];
    path.extend(block.labels.iter().cloned());
    let Some(last) = path.pop() else { return };
    let mut place = out;
    for key in path {
        let entry = place.entry(key).or_insert_with(|| json!({}));
        match entry {
            Json::Object(members) => place = members,
            // Labels of one kind of block are always equally many.
            _ => return,
        }
    }
    let new = body(&block.content);
    match place.get_mut(&last) {
        None => {
            place.insert(last, new);
        }
        Some(Json::Array(blocks)) => blocks.push(new),
        Some(one) => {
            let first = one.take();
            *one = json!([first, new]);
        }
    }
}

fn value(expression: &Expression, names: bool) -> Json {
    match expression {
        Expression::Null => Json::Null,
        Expression::Bool(yes) => json!(yes),
        Expression::Number(number) => {
            number.as_u64().map_or_else(|| json!(number.as_f64()), |number| json!(number))
        }
        Expression::String(text) => json!(literal(text)),
        Expression::Array(items) => items.iter().map(|item| value(item, names)).collect(),
        Expression::Object(members) => Json::Object(
            members
                .iter()
                .map(|(key, member)| {
                    let key = match key {
                        ObjectKey::Identifier(identifier) => identifier.to_string(),
                        ObjectKey::Expression(Expression::String(text)) => literal(text),
                        other => format!("${{{other}}}"),
                    };
                    let names = NAMES.contains(&key.as_str());
                    (key, value(member, names))
                })
                .collect(),
        ),
        other if names => json!(inline(other)),
        other => json!(format!("${{{}}}", inline(other))),
    }
}

/// A text in JSON, where Terraform still reads templates: `${` is written `$${`. Where another sign goes
/// before, that would be ambiguous, and the text is an interpolated HCL literal.
fn literal(text: &str) -> String {
    let signs = |open: &str| text.contains(open);
    if !signs("${") && !signs("%{") {
        return text.to_owned();
    }
    if signs("$${") || signs("%%{") || signs("$%{") || signs("%${") {
        return format!("${{{}}}", quoted(text));
    }
    text.replace("${", "$${").replace("%{", "%%{")
}

/// An expression on one line.
fn inline(expression: &Expression) -> String {
    match expression {
        Expression::Array(items) => {
            let items: Vec<String> = items.iter().map(inline).collect();
            format!("[{}]", items.join(", "))
        }
        Expression::Object(members) => {
            let members: Vec<String> = members
                .iter()
                .map(|(key, value)| {
                    let key = match key {
                        ObjectKey::Identifier(identifier) => identifier.to_string(),
                        ObjectKey::Expression(Expression::String(text)) => quoted(text),
                        other => other.to_string(),
                    };
                    format!("{key} = {}", inline(value))
                })
                .collect();
            format!("{{ {} }}", members.join(", "))
        }
        Expression::FuncCall(call) => {
            let arguments: Vec<String> = call.args.iter().map(inline).collect();
            format!("{}({})", call.name.name, arguments.join(", "))
        }
        other => atom(other),
    }
}
