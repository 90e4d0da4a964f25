//! Whether a lock still says what was written: a checksum over its content, whatever its layout.
//!
//! It is there for accidents: a number changed by hand, two locks merged. It is no signature, and keeps
//! nobody from writing a lock that fits itself.

use serde_json::Value;
use xxhash_rust::xxh3::xxh3_64;

const MEMBER: &str = "checksum";

/// What the checksum of a text says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seal {
    Fits,
    /// The text has none.
    Absent,
    Broken,
}

/// Puts the checksum behind the version.
pub(super) fn add(lock: &mut Value) {
    let sum = of(lock.clone());
    if let Value::Object(members) = lock {
        members.shift_insert(1, MEMBER.to_owned(), Value::String(sum));
    }
}

/// Compares the checksum of a text that is a lock with its content: indentation, line ends and the order
/// of members do not count, members of later versions do.
pub(super) fn compare(text: &str) -> Seal {
    let mut lock: Value = serde_json::from_str(text).unwrap_or_default();
    match lock.as_object_mut().and_then(|members| members.shift_remove(MEMBER)) {
        None => Seal::Absent,
        Some(stands) if stands.as_str() == Some(&of(lock)) => Seal::Fits,
        Some(_) => Seal::Broken,
    }
}

fn of(mut lock: Value) -> String {
    lock.sort_all_objects();
    format!("{:016x}", xxh3_64(lock.to_string().as_bytes()))
}

/// The line, from 1, of the first mark that git leaves where it could not merge. No line of a lock's JSON
/// begins like that.
pub(super) fn merge_mark(text: &str) -> Option<usize> {
    let is_mark =
        |line: &str| ["<<<<<<< ", "||||||| ", ">>>>>>> "].iter().any(|mark| line.starts_with(mark));
    text.lines().position(is_mark).map(|place| place + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_and_order_do_not_count_and_everything_else_does() {
        let mut lock = serde_json::json!({"version": 1, "a": [1, {"b": 1.6043, "c": "x"}]});
        add(&mut lock);
        let text = lock.to_string();
        assert_eq!(compare(&text), Seal::Fits);
        assert_eq!(
            compare(&serde_json::to_string_pretty(&lock).unwrap().replace('\n', "\r\n")),
            Seal::Fits
        );
        let turned = text.replace(r#""b":1.6043,"c":"x""#, r#""c":"x","b":1.6043"#);
        assert_ne!(turned, text);
        assert_eq!(compare(&turned), Seal::Fits);
        assert_eq!(compare(&text.replace("1.6043", "1.6044")), Seal::Broken);
        assert_eq!(compare(&text.replacen("\"checksum\":\"", "\"checksum\":\"0", 1)), Seal::Broken);
        assert_eq!(compare(r#"{"version": 1}"#), Seal::Absent);
        assert_eq!(merge_mark("{\n<<<<<<< HEAD\n"), Some(2));
        assert_eq!(merge_mark("{\"a\": \"<<<<<<< b\"}"), None);
    }
}
