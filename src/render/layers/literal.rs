//! Values as TypeScript literals, with the texts that the CDK's dialect writes.

use serde_json::Value;

use crate::render::cdk::text;

/// A value, broken into lines where it holds others.
pub(super) fn write(value: &Value, depth: usize, out: &mut String) {
    let indent = |depth: usize| "  ".repeat(depth);
    match value {
        Value::String(value) => out.push_str(&text(value)),
        Value::Array(values) if values.is_empty() => out.push_str("[]"),
        // Words and numbers stand in a line.
        Value::Array(values) if values.iter().all(|one| !one.is_object() && !one.is_array()) => {
            out.push('[');
            for (place, one) in values.iter().enumerate() {
                out.push_str(if place == 0 { "" } else { ", " });
                write(one, depth, out);
            }
            out.push(']');
        }
        Value::Array(values) => {
            out.push_str("[\n");
            for value in values {
                out.push_str(&indent(depth + 1));
                write(value, depth + 1, out);
                out.push_str(",\n");
            }
            out.push_str(&indent(depth));
            out.push(']');
        }
        Value::Object(members) => {
            out.push_str("{\n");
            for (key, value) in members {
                out.push_str(&indent(depth + 1));
                name(key, out);
                out.push_str(": ");
                write(value, depth + 1, out);
                out.push_str(",\n");
            }
            out.push_str(&indent(depth));
            out.push('}');
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => out.push_str(&value.to_string()),
    }
}

/// The name of a member.
fn name(key: &str, out: &mut String) {
    let is_word = |text: &str| {
        text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            && !text.starts_with(|first: char| first.is_ascii_digit())
            && !text.is_empty()
    };
    match key {
        // In any other form it would be the prototype.
        "__proto__" => out.push_str("['__proto__']"),
        word if is_word(word) => out.push_str(word),
        other => out.push_str(&text(other)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_of_members_are_names_whatever_people_choose() {
        let mut out = String::new();
        write(&json!({ "pro-plan": 1, "9": 2, "a'b": 3, "__proto__": 4, "ok_1": 5 }), 0, &mut out);
        let wanted =
            "{\n  'pro-plan': 1,\n  '9': 2,\n  'a\\'b': 3,\n  ['__proto__']: 4,\n  ok_1: 5,\n}";
        assert_eq!(out, wanted);
    }

    #[test]
    fn texts_are_escaped_and_members_keep_their_order() {
        let mut out = String::new();
        let value = json!({ "name": "a'b\\\u{2028}", "on": true, "by": ["a", 1], "none": [] });
        write(&json!([value]), 0, &mut out);
        let wanted = "[\n  {\n    name: 'a\\'b\\\\\\u{2028}',\n    on: true,\n    by: ['a', 1],\n    none: [],\n  },\n]";
        assert_eq!(out, wanted);
    }
}
