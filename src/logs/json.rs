//! What can be told of a JSON object that may be cut off.

use std::borrow::Cow;

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
