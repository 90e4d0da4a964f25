//! HCL with comments: hcl-rs holds the values, the printer lays them out like `terraform fmt`.

mod json;
mod print;
mod text;
mod value;

use ::hcl::{Attribute, Block as PlainBlock, Body, Expression, Identifier, Structure};

pub use text::quoted;
pub use value::{Part, call, format, list, map, number, object, reference, template, text};

use crate::units::plain;

/// Columns that a comment may fill.
const COMMENT_WIDTH: usize = 100;

/// What stands between braces, or the whole file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Content {
    items: Vec<Item>,
}

#[derive(Clone, Debug, PartialEq)]
enum Item {
    /// One paragraph.
    Comment(String),
    /// One line.
    Line(String),
    Blank,
    Attribute(Attribute),
    Block(Block),
}

#[derive(Clone, Debug, PartialEq)]
struct Block {
    identifier: Identifier,
    labels: Vec<String>,
    content: Content,
}

impl Content {
    /// A comment of its own lines. Text from anywhere is harmless here: whatever could end the line
    /// or make it read as another is escaped. Long text is wrapped.
    pub fn comment(&mut self, text: &str) {
        self.items.push(Item::Comment(plain(text).trim_end().to_owned()));
    }

    /// A comment of one line, whose spaces stay: it is not wrapped.
    pub fn line_comment(&mut self, text: &str) {
        self.items.push(Item::Line(plain(text).trim_end().to_owned()));
    }

    /// Adds all of another content behind this one.
    pub fn append(&mut self, other: Self) {
        self.items.extend(other.items);
    }

    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// An empty line. Those around blocks and before comments come by themselves.
    pub fn blank(&mut self) {
        self.items.push(Item::Blank);
    }

    /// `name = value`.
    pub fn attribute(&mut self, name: &str, value: impl Into<Expression>) {
        let key = Identifier::sanitized(name);
        self.items.push(Item::Attribute(Attribute { key, expr: value.into() }));
    }

    /// `name "label" { … }`.
    pub fn block(&mut self, name: &str, labels: &[&str], fill: impl FnOnce(&mut Self)) {
        let mut content = Self::default();
        fill(&mut content);
        self.items.push(Item::Block(Block {
            identifier: Identifier::sanitized(name),
            labels: labels.iter().map(|&label| label.to_owned()).collect(),
            content,
        }));
    }

    /// The model without the comments: what a parser has to read from the printed text.
    #[must_use]
    pub fn to_body(&self) -> Body {
        self.items
            .iter()
            .filter_map(|item| match item {
                Item::Comment(_) | Item::Line(_) | Item::Blank => None,
                Item::Attribute(attribute) => Some(Structure::Attribute(attribute.clone())),
                Item::Block(block) => Some(Structure::Block(PlainBlock {
                    identifier: block.identifier.clone(),
                    labels: block.labels.iter().map(|label| label.as_str().into()).collect(),
                    body: block.content.to_body(),
                })),
            })
            .collect()
    }
}

/// The text of a file.
impl std::fmt::Display for Content {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        print::print(self, f)
    }
}

#[cfg(test)]
mod tests;
