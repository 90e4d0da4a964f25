//! YAML and JSON with CloudFormation's short forms, and where things stand in them.

use std::collections::BTreeMap;

use granit_parser::{Event, Options, Parser, ScalarStyle, ScanError, Span, Tag};
use serde_json::{Map, Number, Value, json};

/// Values in one text, aliases written out.
const NODES: usize = 300_000;
/// Bytes that anchors and aliases copy.
const COPIED: usize = 32 << 20;

/// A step from a value to one inside.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// Of a mapping.
    Key(String),
    /// Of a list.
    Index(usize),
}

/// Bytes of a text.
pub type Range = std::ops::Range<usize>;

/// Reads one document. Short forms (`!GetAtt A.Arn`) become long ones (`{"Fn::GetAtt": ["A", "Arn"]}`).
///
/// # Errors
/// What is wrong, with line and column.
pub fn parse(text: &str) -> Result<Value, String> {
    let mut builder = Builder::default();
    builder.read(text)?;
    builder.done.ok_or_else(|| "is empty".to_owned())
}

/// Where values stand: the key of a mapping's value, the beginning of a list's item.
///
/// # Errors
/// As [`parse`].
pub fn places(text: &str, wanted: &[Vec<Step>]) -> Result<BTreeMap<Vec<Step>, Range>, String> {
    let mut builder = Builder {
        wanted: wanted.iter().cloned().map(|path| (path, None)).collect(),
        ..Builder::default()
    };
    builder.read(text)?;
    Ok(builder.wanted.into_iter().filter_map(|(path, range)| Some((path, range?))).collect())
}

#[derive(Default)]
struct Builder {
    open: Vec<Open>,
    anchors: BTreeMap<usize, Value>,
    nodes: usize,
    copied: usize,
    done: Option<Value>,
    wanted: BTreeMap<Vec<Step>, Option<Range>>,
    path: Vec<Step>,
}

/// A list or mapping that has begun.
struct Open {
    value: Value,
    anchor: usize,
    function: Option<String>,
    /// The key that waits for its value.
    key: Option<String>,
}

impl Builder {
    fn read(&mut self, text: &str) -> Result<(), String> {
        let mut options = Options::default();
        options.emit_comments = false;
        for event in Parser::new_from_str_with_options(text, options) {
            let (event, span) = event.map_err(|error| fault(&error))?;
            let at = || format!("line {}, column {}", span.start.line(), span.start.col() + 1);
            match event {
                Event::DocumentStart(..) if self.done.is_some() => {
                    return Err(format!("{}: another document begins here; one is read", at()));
                }
                Event::MappingStart(_, anchor, tag) => {
                    self.begin(Value::Object(Map::new()), anchor, tag.as_deref(), &span);
                }
                Event::SequenceStart(_, anchor, tag) => {
                    self.begin(Value::Array(Vec::new()), anchor, tag.as_deref(), &span);
                }
                Event::MappingEnd | Event::SequenceEnd => {
                    let Some(open) = self.open.pop() else { continue };
                    let value = wrapped(open.value, open.function);
                    self.keep(open.anchor, &value, &at)?;
                    self.add(value);
                }
                Event::Scalar(text, style, anchor, tag) => {
                    if self.takes_key() {
                        self.key(text.into_owned(), &span, &at)?;
                        continue;
                    }
                    self.note(&span);
                    let function = function(tag.as_deref());
                    let value = match (&function, tag.as_deref()) {
                        (None, None) => scalar(&text, style),
                        _ => Value::String(text.into_owned()),
                    };
                    let value = wrapped(value, function);
                    self.keep(anchor, &value, &at)?;
                    self.add(value);
                }
                Event::Alias(anchor) => {
                    let value = self.anchors.get(&anchor).unwrap_or(&Value::Null);
                    let (nodes, bytes) = size(value);
                    self.nodes += nodes;
                    self.copied += bytes;
                    if self.nodes > NODES || self.copied > COPIED {
                        return Err(too_large(&at()));
                    }
                    let value = value.clone();
                    self.note(&span);
                    self.add(value);
                }
                _ => {}
            }
            self.nodes += 1;
            if self.nodes > NODES {
                return Err(too_large(&at()));
            }
        }
        Ok(())
    }

    /// Keeps a value that aliases may ask for.
    fn keep(
        &mut self,
        anchor: usize,
        value: &Value,
        at: &impl Fn() -> String,
    ) -> Result<(), String> {
        if anchor > 0 {
            self.copied += size(value).1;
            if self.copied > COPIED {
                return Err(too_large(&at()));
            }
            self.anchors.insert(anchor, value.clone());
        }
        Ok(())
    }

    fn takes_key(&self) -> bool {
        self.open.last().is_some_and(|open| open.value.is_object() && open.key.is_none())
    }

    fn key(&mut self, key: String, span: &Span, at: &impl Fn() -> String) -> Result<(), String> {
        let Some(open) = self.open.last_mut() else { return Ok(()) };
        if open.value.get(&key).is_some() {
            return Err(format!("{}: the key `{key}` stands here again", at()));
        }
        if let Some(Step::Key(step)) = self.path.last_mut() {
            step.clone_from(&key);
        }
        open.key = Some(key);
        self.note(span);
        Ok(())
    }

    /// Notes where the value at the present path stands, if somebody wants to know.
    fn note(&mut self, span: &Span) {
        if let Some(Step::Index(index)) = self.path.last_mut()
            && let Some(Open { value: Value::Array(items), .. }) = self.open.last()
        {
            *index = items.len();
        }
        if self.wanted.is_empty() {
            return;
        }
        if let Some(place @ None) = self.wanted.get_mut(&self.path) {
            let start = span.start.byte_offset().unwrap_or_default();
            let end = span.end.byte_offset().unwrap_or(start);
            *place = Some(start..end.max(start));
        }
    }

    fn begin(&mut self, value: Value, anchor: usize, tag: Option<&Tag>, span: &Span) {
        self.note(span);
        let step = if value.is_object() { Step::Key(String::new()) } else { Step::Index(0) };
        self.open.push(Open { value, anchor, function: function(tag), key: None });
        self.path.push(step);
    }

    fn add(&mut self, value: Value) {
        // The path of what has ended is one step longer.
        self.path.truncate(self.open.len());
        match self.open.last_mut() {
            None => self.done = Some(value),
            Some(open) => match &mut open.value {
                Value::Array(items) => items.push(value),
                Value::Object(members) => {
                    // A key that is no text has become the value of an empty one.
                    let key = open.key.take().unwrap_or_default();
                    members.insert(key, value);
                }
                _ => {}
            },
        }
    }
}

fn fault(error: &ScanError) -> String {
    let place = error.marker();
    format!("line {}, column {}: {}", place.line(), place.col() + 1, error.info())
}

/// The function that a tag stands for.
fn function(tag: Option<&Tag>) -> Option<String> {
    let tag = tag.filter(|tag| tag.handle() == "!")?;
    Some(match tag.suffix() {
        name @ ("Ref" | "Condition") => name.to_owned(),
        name => format!("Fn::{name}"),
    })
}

fn wrapped(value: Value, function: Option<String>) -> Value {
    match (function, value) {
        (None, value) => value,
        (Some(name), Value::String(text)) if name == "Fn::GetAtt" => {
            let (id, attribute) = text.split_once('.').unwrap_or((&text, ""));
            json!({ name: [id, attribute] })
        }
        (Some(name), value) => json!({ name: value }),
    }
}

/// A whole number of YAML 1.1 that another base or digit groups make other than it looks: `010` is eight, `0x10`
/// sixteen, `1_000` a thousand. CloudFormation reads templates as YAML 1.1 ("Template formats").
fn of_another_base(text: &str) -> Option<i64> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    if !digits.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    let plain = digits.replace('_', "");
    let number = if let Some(digits) = plain.strip_prefix("0x") {
        i64::from_str_radix(digits, 16)
    } else if let Some(digits) = plain.strip_prefix("0b") {
        i64::from_str_radix(digits, 2)
    } else if plain.len() > 1 && plain.starts_with('0') {
        i64::from_str_radix(&plain, 8)
    } else if plain != digits {
        plain.parse()
    } else {
        return None;
    };
    number.ok()?.checked_mul(sign)
}

/// Digits that YAML 1.1 takes for a text, because they begin like an octal number and are none: `089`.
fn is_text_of_digits(text: &str) -> bool {
    let digits = text.trim_start_matches(['-', '+']);
    digits.len() > 1 && digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// A plain scalar by the rules of YAML 1.2's core schema, numbers by those of 1.1.
fn scalar(text: &str, style: ScalarStyle) -> Value {
    if style != ScalarStyle::Plain {
        return Value::String(text.to_string());
    }
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        text => {
            if let Some(number) = of_another_base(text) {
                return number.into();
            }
            if is_text_of_digits(text) {
                return Value::String(text.to_owned());
            }
            if let Ok(number) = text.parse::<i64>() {
                return number.into();
            }
            let decimal =
                text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte))
                    && text.bytes().any(|byte| byte.is_ascii_digit());
            let number = text.parse::<f64>().ok().filter(|_| decimal).and_then(Number::from_f64);
            // A version such as 2010-09-09 or 1.2.3 is none.
            number.map_or_else(|| Value::String(text.to_owned()), Value::Number)
        }
    }
}

fn too_large(at: &str) -> String {
    format!("{at}: it holds more than {NODES} values, or its aliases copy more than {COPIED} bytes")
}

/// Values in a value, and about how many bytes they take.
fn size(value: &Value) -> (usize, usize) {
    let add = |(nodes, bytes): (usize, usize), (more, larger)| (nodes + more, bytes + larger);
    match value {
        Value::String(text) => (1, 32 + text.len()),
        Value::Array(values) => values.iter().map(size).fold((1, 32), add),
        Value::Object(members) => members
            .iter()
            .map(|(key, value)| add(size(value), (0, 64 + key.len())))
            .fold((1, 32), add),
        _ => (1, 32),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_forms_become_long_ones() {
        let text = "a: !Ref B\nb: !GetAtt C.Arn\nc: !Sub \"x-${B}\"\nd: !If [x, 1, !Ref B]\ne: 'yes'\nf: 10\ng: 1.5\nh: 2010-09-09\ni: &x [1, {k: v}]\nj: *x\n";
        let wanted = json!({
            "a": {"Ref": "B"}, "b": {"Fn::GetAtt": ["C", "Arn"]}, "c": {"Fn::Sub": "x-${B}"},
            "d": {"Fn::If": ["x", 1, {"Ref": "B"}]}, "e": "yes", "f": 10, "g": 1.5, "h": "2010-09-09",
            "i": [1, {"k": "v"}], "j": [1, {"k": "v"}],
        });
        assert_eq!(parse(text).unwrap(), wanted);
        let json = wanted.to_string();
        assert_eq!(parse(&json).unwrap(), wanted, "JSON is YAML");
    }

    #[test]
    fn numbers_are_those_of_yaml_1_1() {
        for (text, wanted) in [
            ("010", json!(8)),
            ("-010", json!(-8)),
            ("0300", json!(192)),
            ("0x1F", json!(31)),
            ("1_000", json!(1000)),
            ("'010'", json!("010")),
            ("089", json!("089")),
            ("0", json!(0)),
            ("10", json!(10)),
            ("0.5", json!(0.5)),
            ("0x", json!("0x")),
            ("_1", json!("_1")),
        ] {
            assert_eq!(parse(text).unwrap(), wanted, "{text}");
        }
    }

    #[test]
    fn values_know_their_places() {
        let key = |name: &str| Step::Key(name.to_owned());
        let text = "ä: 1\nRules:\n  - Name: a\n    Limit: 5\n  - Name: b\n    Deep: { Limit: 6 }\n";
        let wanted = [
            vec![key("Rules"), Step::Index(1), key("Deep"), key("Limit")],
            vec![key("Rules"), Step::Index(0), key("Limit")],
            vec![key("Rules"), Step::Index(1)],
            vec![key("Nowhere")],
        ];
        let found = places(text, &wanted).unwrap();
        let at = |path: &[Step]| &text[found[path].start..];
        assert!(at(&wanted[0]).starts_with("Limit: 6"), "{}", at(&wanted[0]));
        assert!(at(&wanted[1]).starts_with("Limit: 5"), "{}", at(&wanted[1]));
        assert!(at(&wanted[2]).starts_with("Name: b"), "{}", at(&wanted[2]));
        assert_eq!(found.len(), 3);
    }

    #[test]
    fn bombs_are_errors_with_a_place() {
        let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..9 {
            let aliases = vec![format!("*a{}", level - 1); 10].join(", ");
            bomb.push_str(&format!("a{level}: &a{level} [{aliases}]\n"));
        }
        for text in
            [bomb, "[".repeat(10_000), "{a: ".repeat(10_000), "- ".repeat(10_000), "a: [".into()]
        {
            let error = parse(&text).unwrap_err();
            assert!(error.starts_with("line "), "{error}");
        }
        // Few values, many bytes: in aliases of one text, and in anchors around each other.
        let text =
            format!("a: &a \"{}\"\nb: [{}]", "x".repeat(1 << 20), vec!["*a"; 100].join(", "));
        let list = vec!["x"; 100_000].join(", ");
        let around = (0..60).map(|number| format!("&a{number} [")).collect::<String>();
        let around = format!("a: {around}{list}{}", "]".repeat(60));
        for text in [text, around] {
            let error = parse(&text).unwrap_err();
            assert!(error.contains("aliases copy more than"), "{error}");
        }
        assert!(parse("a: 1\na: 2").unwrap_err().contains("again"));
    }
}
