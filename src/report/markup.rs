//! The one place where text becomes part of HTML or SVG.

use std::fmt::Write as _;

use crate::units::plain;

/// Text for an element or for an attribute in double quotes, of HTML or XML. Control and invisible
/// characters are spelled out, as everywhere.
#[must_use]
pub(super) fn escape(text: &str) -> String {
    let text = plain(text);
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '`' => out.push_str("&#96;"),
            // XML takes neither.
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}

/// JSON that may stand in a `<script>` element: nothing in it ends the element, opens a comment, or ends
/// a line of JavaScript.
#[must_use]
pub(super) fn json_in_script(value: &serde_json::Value) -> String {
    let text = value.to_string();
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '<' | '>' | '&' | '\'' | '\u{2028}' | '\u{2029}' => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(character));
            }
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_breaks_out() {
        let wild = "</script><img src=x onerror='alert(1)'>\" ` & \u{2028}\u{202e}\u{1b}";
        let escaped = escape(wild);
        assert!(!escaped.contains(['<', '>', '"', '\'', '`', '\u{2028}', '\u{202e}', '\u{1b}']));
        let value = serde_json::json!({ "a": wild });
        let json = json_in_script(&value);
        assert!(!json.contains(['<', '>', '&', '\u{2028}']));
        assert_eq!(serde_json::from_str::<serde_json::Value>(&json).unwrap(), value);
    }
}
