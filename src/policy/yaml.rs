//! YAML text to a tree in which every node knows its place. The only user of the YAML library.
//!
//! Typed deserialisation stops at the first fault; a tree lets the reader report all of them.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_saphyr::options::{DuplicateKeyPolicy, MergeKeyPolicy};
use serde_saphyr::{Location, Spanned};

use super::problem::{Problem, Span};

/// Bytes that a policy may have. Ten full IP sets (10,000 CIDRs each) fit.
pub const MOST_BYTES: usize = 8 << 20;
/// Levels of nesting; the grammar needs six.
const MOST_LEVELS: usize = 32;
/// Nodes, aliases written out.
const MOST_NODES: usize = 250_000;
/// Nodes that aliases may add: a few shared lists, not a bomb.
const MOST_ALIASED: usize = 20_000;

/// A node with its place.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub value: Value,
    /// Where the text of a scalar, or the beginning of a list or a mapping, stands.
    pub span: Span,
}

/// What a node is, with the types of YAML 1.2.
#[derive(Clone, Debug)]
pub enum Value {
    /// Nothing written.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Integer(i128),
    /// Another number.
    Float,
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// Keys and values in the order of the file; a key may occur twice.
    Map(Vec<(Key, Node)>),
}

/// A key with its place.
#[derive(Clone, Debug)]
pub struct Key {
    /// Its text.
    pub text: String,
    /// Its place.
    pub span: Span,
}

/// Reads one YAML document.
///
/// # Errors
/// The fault that makes the text no YAML, or more than a policy can need.
pub fn parse(text: &str) -> Result<Node, Problem> {
    if text.len() > MOST_BYTES {
        return Err(Problem::new("the policy is too large")
            .found(format!("it has {} bytes, {MOST_BYTES} are allowed", text.len())));
    }
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: MOST_LEVELS,
            flow_nesting_limit: MOST_LEVELS,
            max_nodes: MOST_NODES,
            max_events: 2 * MOST_NODES,
            max_aliases: 1_000,
            max_anchors: 1_000,
            max_recorded_anchor_events: MOST_NODES,
        },
        alias_limits: serde_saphyr::alias_limits! {
            max_total_replayed_events: MOST_ALIASED,
            max_replay_stack_depth: 8,
        },
        emit_comments: false,
        strict_booleans: true,
        duplicate_keys: DuplicateKeyPolicy::PassThrough,
        // `<<` then is an unknown key and reported as one.
        merge_keys: MergeKeyPolicy::AsOrdinary,
        with_snippet: false,
    };
    match serde_saphyr::from_str_with_options::<Spanned<Raw>>(text, options) {
        Ok(root) => Ok(node(root)),
        Err(error) => Err(fault(&error, text)),
    }
}

fn fault(error: &serde_saphyr::Error, text: &str) -> Problem {
    let error = error.without_snippet();
    if let serde_saphyr::Error::MultipleDocuments { location, .. } = error {
        return Problem::new("a policy is one YAML document")
            .at(place(*location, text))
            .found("another one begins here")
            .help("remove it, or put it into a file of its own");
    }
    // The library ends its messages with the place, which the snippet shows.
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    let message = message.lines().next().unwrap_or_default().trim_end_matches([':', ' ']);
    if message.starts_with("tabs disallowed")
        && let Some(problem) = error.location().and_then(|at| tab(place(at, text).start, text))
    {
        return problem;
    }
    let problem = Problem::new("this is no YAML that a policy can be read from")
        .found(if message.is_empty() { "here".to_owned() } else { message.to_owned() });
    match error.location() {
        Some(location) => problem.at(place(location, text)),
        None => problem,
    }
}

/// A tab where YAML wants spaces, in the line of a byte: the scanner says where it noticed.
fn tab(byte: usize, text: &str) -> Option<Problem> {
    let line_start = text[..text.floor_char_boundary(byte)].rfind('\n').map_or(0, |at| at + 1);
    let start = line_start + text[line_start..].lines().next()?.find('\t')?;
    Some(
        Problem::new("this line is indented with a tab, and YAML takes spaces only")
            .at(Span { start, end: start + 1 })
            .found("a tab")
            .help("replace it by spaces"),
    )
}

/// The place of an error: the scanner's errors know line and column only.
fn place(location: Location, text: &str) -> Span {
    if location.span().byte_offset().is_some() {
        let span = span(location);
        return Span { start: span.start.min(text.len()), end: span.end.min(text.len()) };
    }
    let line = usize::try_from(location.line()).unwrap_or(1).max(1);
    let column = usize::try_from(location.column()).unwrap_or(1).max(1);
    let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let inside = text[start..].chars().take(column - 1).take_while(|character| *character != '\n');
    let start = start + inside.map(char::len_utf8).sum::<usize>();
    Span { start, end: start }
}

fn span(location: Location) -> Span {
    let span = location.span();
    let start = span.byte_offset().unwrap_or_default() as usize;
    Span { start, end: start.saturating_add(span.byte_len().unwrap_or_default() as usize) }
}

fn node(raw: Spanned<Raw>) -> Node {
    let span = span(raw.referenced);
    let value = match raw.value {
        Raw::Null => Value::Null,
        Raw::Bool(value) => Value::Bool(value),
        Raw::Integer(value) => Value::Integer(value),
        Raw::Float => Value::Float,
        Raw::Text(text) => Value::Text(text),
        Raw::List(items) => Value::List(items.into_iter().map(node).collect()),
        Raw::Map(entries) => Value::Map(
            entries
                .into_iter()
                .map(|(key, value)| {
                    (Key { span: self::span(key.referenced), text: key.value }, node(value))
                })
                .collect(),
        ),
    };
    Node { value, span }
}

/// The tree as the library hands it out.
enum Raw {
    Null,
    Bool(bool),
    Integer(i128),
    Float,
    Text(String),
    List(Vec<Spanned<Self>>),
    Map(Vec<(Spanned<String>, Spanned<Self>)>),
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RawVisitor)
    }
}

struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = Raw;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }

    fn visit_none<E>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Raw, E> {
        Ok(Raw::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Raw, E> {
        Ok(Raw::Integer(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Raw, E> {
        Ok(Raw::Integer(value.into()))
    }

    fn visit_i128<E>(self, value: i128) -> Result<Raw, E> {
        Ok(Raw::Integer(value))
    }

    fn visit_u128<E: serde::de::Error>(self, value: u128) -> Result<Raw, E> {
        i128::try_from(value)
            .map(Raw::Integer)
            .map_err(|_| E::custom("this number is larger than any that a policy can hold"))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Raw, E> {
        Ok(Raw::Float)
    }

    fn visit_str<E>(self, text: &str) -> Result<Raw, E> {
        Ok(Raw::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Raw, E> {
        Ok(Raw::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Raw, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Raw::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Raw, A::Error> {
        let mut map = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            map.push(entry);
            if map.len() > MOST_NODES {
                return Err(A::Error::custom("too many keys"));
            }
        }
        Ok(Raw::Map(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(node: &Node, text: &str, out: &mut Vec<String>) {
        let here = |span: Span| text.get(span.start..span.end).unwrap_or("?").to_owned();
        match &node.value {
            Value::List(items) => items.iter().for_each(|item| show(item, text, out)),
            Value::Map(entries) => {
                for (key, value) in entries {
                    out.push(format!("{}={}", key.text, here(key.span)));
                    show(value, text, out);
                }
            }
            scalar => out.push(format!("{scalar:?}={}", here(node.span))),
        }
    }

    #[test]
    fn every_scalar_knows_its_place() {
        let text = "ä: [203.0.113.10/32, 2001:db8:7::/64, off, 2027-03-01]\n\"k\": 'x'\nn: {a: 300, a: 1.5, b: , c: true}\n";
        let mut out = Vec::new();
        show(&parse(text).unwrap(), text, &mut out);
        assert_eq!(
            out,
            [
                "ä=ä",
                "Text(\"203.0.113.10/32\")=203.0.113.10/32",
                "Text(\"2001:db8:7::/64\")=2001:db8:7::/64",
                "Text(\"off\")=off",
                "Text(\"2027-03-01\")=2027-03-01",
                "k=\"k\"",
                "Text(\"x\")='x'",
                "n=n",
                "a=a",
                "Integer(300)=300",
                "a=a",
                "Float=1.5",
                "b=b",
                "Null=",
                "c=c",
                "Bool(true)=true",
            ]
        );
    }

    #[test]
    fn bombs_end_in_a_problem() {
        let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..9 {
            let aliases = vec![format!("*a{}", level - 1); 10].join(", ");
            bomb.push_str(&format!("a{level}: &a{level} [{aliases}]\n"));
        }
        for text in [bomb, "[".repeat(10_000), "{a: ".repeat(10_000), "- ".repeat(10_000)] {
            let problem = parse(&text).unwrap_err();
            assert_eq!(problem.title, "this is no YAML that a policy can be read from");
        }
        assert!(parse(&" ".repeat(MOST_BYTES + 1)).is_err());
    }
}
