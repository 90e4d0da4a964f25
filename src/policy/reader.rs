//! From the tree to typed values: every fault is noted and reading goes on.

use schemars::JsonSchema;

use super::problem::{Problem, Span};
use super::suggest::closest;
use super::yaml::{Key, Node, Value};

/// A value with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Located<T> {
    /// The value.
    pub value: T,
    /// Its place.
    pub span: Span,
}

/// What a key holds; `None` if the key is absent or its value faulty (which has been noted).
pub type Field<T> = Option<Located<T>>;

/// A value that can be read from a node, and described by a JSON Schema.
pub trait Read: Sized + JsonSchema {
    /// Reads a node. `None` means that a problem has been noted.
    fn read(node: &Node, reader: &mut Reader<'_>) -> Option<Self>;
}

/// Collects what is wrong.
#[derive(Debug)]
pub struct Reader<'a> {
    /// The text that the tree was read from.
    text: &'a str,
    /// Noted so far.
    pub problems: Vec<Problem>,
}

impl<'a> Reader<'a> {
    /// A reader of a text's tree.
    #[must_use]
    pub const fn new(text: &'a str) -> Self {
        Self { text, problems: Vec::new() }
    }

    /// Notes a problem; `None`, to be returned.
    pub fn refuse<T>(&mut self, problem: Problem) -> Option<T> {
        self.problems.push(problem);
        None
    }

    /// What stands at a node, for people: its kind, and the text of a scalar.
    #[must_use]
    pub fn describe(&self, node: &Node) -> String {
        let text = self.text.get(node.span.start..node.span.end).unwrap_or_default();
        let text = short(text);
        match &node.value {
            Value::Null => "nothing".to_owned(),
            Value::Bool(_) => format!("the truth value `{text}`"),
            Value::Integer(_) | Value::Float => format!("the number `{text}`"),
            Value::Text(text) => {
                let short = short(text);
                format!("the text `{short}`")
            }
            Value::List(_) => "a list".to_owned(),
            Value::Map(_) => "a mapping (keys and values)".to_owned(),
        }
    }

    /// Refuses a node whose kind is wrong.
    pub fn wrong_kind<T>(&mut self, node: &Node, wanted: &str) -> Option<T> {
        let found = format!("this is {}", self.describe(node));
        let mut problem = Problem::new(format!("expected {wanted}")).at(node.span).found(found);
        if wanted.starts_with("text")
            && matches!(node.value, Value::Integer(_) | Value::Bool(_) | Value::Float)
        {
            problem = problem.help("put it in quotes to make it text");
        }
        self.refuse(problem)
    }

    /// Text.
    pub fn text<'n>(&mut self, node: &'n Node, wanted: &str) -> Option<&'n str> {
        match &node.value {
            Value::Text(text) => Some(text),
            _ => self.wrong_kind(node, wanted),
        }
    }

    /// A whole number within bounds.
    pub fn integer(&mut self, node: &Node, least: u64, most: u64, what: &str) -> Option<u64> {
        let allowed = || {
            let thousands = crate::units::thousands;
            format!("allowed: a whole number from {} to {}", thousands(least), thousands(most))
        };
        let Value::Integer(number) = node.value else {
            let found = format!("this is {}", self.describe(node));
            let problem = Problem::new(format!("{what} is a whole number"));
            return self.refuse(problem.at(node.span).found(found).help(allowed()));
        };
        match u64::try_from(number).ok().filter(|number| (least..=most).contains(number)) {
            Some(number) => Some(number),
            None => {
                let side = if number < i128::from(least) { "small" } else { "large" };
                self.refuse(
                    Problem::new(format!("{what} is too {side}"))
                        .at(node.span)
                        .found(format!("this is {number}"))
                        .help(allowed()),
                )
            }
        }
    }

    /// One of some words.
    pub fn word(&mut self, node: &Node, words: &[&'static str], what: &str) -> Option<usize> {
        let allowed = format!("allowed: {}", list(words));
        let Value::Text(text) = &node.value else {
            let found = format!("this is {}", self.describe(node));
            let problem = Problem::new(format!("{what} is one of a few words"));
            return self.refuse(problem.at(node.span).found(found).help(allowed));
        };
        if let Some(place) = words.iter().position(|word| word == text) {
            return Some(place);
        }
        let short = short(text);
        let found = match closest(text, words) {
            Some(word) => format!("did you mean `{word}`?"),
            None => "unknown".to_owned(),
        };
        let problem = Problem::new(format!("`{short}` is no {what}"));
        self.refuse(problem.at(node.span).found(found).help(allowed))
    }

    /// The entries of a mapping whose keys are names that people choose; a name that comes twice is
    /// noted and its second value left out.
    pub fn entries<'n>(
        &mut self,
        node: &'n Node,
        wanted: &str,
    ) -> Option<Vec<(&'n Key, &'n Node)>> {
        let Value::Map(entries) = &node.value else {
            return self.wrong_kind(node, wanted);
        };
        let mut seen = std::collections::BTreeMap::<&str, Span>::new();
        let mut out = Vec::with_capacity(entries.len());
        for (key, value) in entries {
            if let Some(first) = seen.get(key.text.as_str()) {
                let short = short(&key.text);
                self.problems.push(
                    Problem::new(format!("the key `{short}` comes twice"))
                        .at(key.span)
                        .found("only one of the two can count")
                        .help("remove one of them")
                        .related(*first, "it is here already"),
                );
            } else {
                seen.insert(&key.text, key.span);
                out.push((key, value));
            }
        }
        Some(out)
    }

    /// The entries of a mapping with a fixed set of keys.
    pub fn fields<'n>(
        &mut self,
        node: &'n Node,
        what: &'static str,
        known: &'static [&'static str],
    ) -> Option<Fields<'n>> {
        let wanted = format!("a mapping with the keys of {what}: {}", list(known));
        let entries = self.entries(node, &wanted)?;
        let mut fields = Fields { span: node.span, what, entries: Vec::new() };
        for (key, value) in entries {
            if known.contains(&key.text.as_str()) {
                fields.entries.push((key, value));
                continue;
            }
            let short = short(&key.text);
            let found = match closest(&key.text, known) {
                Some(word) => format!("did you mean `{word}`?"),
                None => "unknown key".to_owned(),
            };
            self.problems.push(
                Problem::new(format!("{what} has no key `{short}`"))
                    .at(key.span)
                    .found(found)
                    .help(format!("allowed: {}", list(known))),
            );
        }
        Some(fields)
    }

    /// A mapping with exactly one of some keys and text behind it: which key, and the text.
    pub fn one_key(
        &mut self,
        node: &Node,
        what: &'static str,
        keys: &'static [&'static str],
        text: &str,
    ) -> Option<(usize, Located<String>)> {
        let before = self.problems.len();
        let fields = self.fields(node, what, keys)?;
        match fields.entries.as_slice() {
            [(key, value)] => {
                let text = self.text(value, text)?.to_owned();
                let text = Located { value: text, span: value.span };
                keys.iter().position(|known| *known == key.text).map(|place| (place, text))
            }
            // An unknown or repeated key has been noted; that there is none then says nothing new.
            [] if self.problems.len() > before => None,
            entries => {
                let (span, found) = match entries {
                    [_, (second, _), ..] => (second.span, "this is one too many"),
                    _ => (node.span, "there is none"),
                };
                let problem = Problem::new(format!("{what} has exactly one key"));
                self.refuse(problem.at(span).found(found).help(format!("one of: {}", list(keys))))
            }
        }
    }
}

/// The known entries of a mapping.
#[derive(Debug)]
pub struct Fields<'n> {
    span: Span,
    what: &'static str,
    entries: Vec<(&'n Key, &'n Node)>,
}

impl Fields<'_> {
    /// A key that may be absent. A key without a value counts as faulty: it is written for something.
    pub fn optional<T: Read>(&self, key: &str, reader: &mut Reader<'_>) -> Field<T> {
        let (_, node) = self.entries.iter().find(|(found, _)| found.text == key)?;
        let value = T::read(node, reader)?;
        Some(Located { value, span: node.span })
    }

    /// A key that has to be there.
    pub fn required<T: Read>(&self, key: &str, reader: &mut Reader<'_>) -> Field<T> {
        if self.entries.iter().any(|(found, _)| found.text == key) {
            return self.optional(key, reader);
        }
        // A mapping begins at its first key; point there.
        let span = self.entries.first().map_or(self.span, |(key, _)| key.span);
        reader.refuse(
            Problem::new(format!("{} has no `{key}`", self.what))
                .at(span)
                .found(format!("`{key}` is missing here"))
                .help(format!("`{key}` is required; see docs/policy-file.md")),
        )
    }
}

/// Foreign text, short enough for a message.
#[must_use]
pub fn short(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}

/// `a`, `b`, `c`.
#[must_use]
pub fn list(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    quoted.join(", ")
}
