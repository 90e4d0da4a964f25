//! JSON: what can be told of an object that may be cut off, and values that are texts for us.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer, Visitor};

/// The keys of an object, not of objects in it, as far as it goes.
pub(super) fn keys(object: &[u8]) -> Vec<Cow<'_, str>> {
    let mut keys = Vec::new();
    let mut depth = 0_u32;
    let mut at = 0;
    // Whether a text at the outer level would be a key.
    let mut expected = false;
    while at < object.len() {
        match object[at] {
            b'{' | b'[' => {
                depth += 1;
                expected = depth == 1;
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            b',' => expected = depth == 1,
            b'"' => {
                let Some(length) = text_length(&object[at + 1..]) else { break };
                if expected && depth == 1 {
                    keys.push(String::from_utf8_lossy(&object[at + 1..at + 1 + length]));
                }
                expected = false;
                at += length + 1;
            }
            _ => {}
        }
        at += 1;
    }
    keys
}

/// The length of a text up to its closing quote.
fn text_length(rest: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr::memchr2(b'"', b'\\', rest.get(at..)?)?;
        if rest[at] == b'"' {
            return Some(at);
        }
        at += 2;
    }
}

/// A value as text: borrowed where it has no escapes. A number that somebody's pipeline made of it
/// will do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Text<'a>(pub(super) Cow<'a, str>);

impl<'de: 'a, 'a> serde::Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextVisitor)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a text or a number")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Text(Cow::Owned(text.to_owned())))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
        Ok(Text(Cow::Owned(number.to_string())))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
        Ok(Text(Cow::Owned(number.to_string())))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Self::Value, E> {
        Ok(Text(Cow::Owned(format!("{number:.3}"))))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Text(Cow::Borrowed("-")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_the_outer_object_are_found() {
        assert_eq!(keys(br#"{"a":{"b":"c"},"d":["e","f"],"g\"":"h","i"#), ["a", "d", "g\\\""]);
        assert_eq!(keys(b"no object"), [""; 0]);
        assert_eq!(keys(b"{\"cut\\"), [""; 0]);
    }
}
