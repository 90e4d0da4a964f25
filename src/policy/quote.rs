//! Foreign text in YAML: as a value that loads back unchanged, or in a comment that stays one.

use std::fmt::Write;

use crate::units::is_plain;

/// Words that some YAML reader takes for something else than text.
const WORDS: [&str; 9] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];

/// A scalar that loads back as exactly this text, in any YAML: bare if nothing could mistake it, else in
/// double quotes with escapes.
#[must_use]
pub fn scalar(text: &str) -> String {
    if is_bare(text) { text.to_owned() } else { quoted(text) }
}

/// Letters, digits and `-_./`, from a letter or a slash on.
fn is_bare(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '/')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./".contains(&byte))
        && !WORDS.contains(&text.to_ascii_lowercase().as_str())
}

fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            character if is_printable(character) => out.push(character),
            // Writing to a string cannot fail.
            character if u32::from(character) <= 0xffff => {
                let _ = write!(out, "\\u{:04X}", u32::from(character));
            }
            character => {
                let _ = write!(out, "\\U{:08X}", u32::from(character));
            }
        }
    }
    out.push('"');
    out
}

/// Text for a comment: one line of characters that YAML and terminals take as they are.
#[must_use]
pub fn comment(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if is_printable(character) {
            out.push(character);
        } else {
            out.extend(character.escape_unicode());
        }
    }
    out
}

/// Whether a character may stand in YAML (1.2, section 5.1) and cannot fool a reader.
fn is_printable(character: char) -> bool {
    let code = u32::from(character);
    // The last two of each plane are no characters.
    is_plain(character) && code & 0xfffe != 0xfffe && !(0xfdd0..=0xfdef).contains(&code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn plain_paths_stay_bare_and_the_rest_is_quoted() {
        for text in ["/oauth/token", "GET", "qa-runner", "/a.b_c"] {
            assert_eq!(scalar(text), text);
        }
        assert_eq!(scalar("off"), "\"off\"");
        assert_eq!(scalar("1.2"), "\"1.2\"");
        assert_eq!(scalar("/a: b #c"), "\"/a: b #c\"");
        assert_eq!(scalar("/\"\\\n\u{202e}\u{e0001}"), "\"/\\\"\\\\\\u000A\\u202E\\U000E0001\"");
    }

    proptest! {
        #[test]
        fn any_text_loads_back(text in any::<String>(), tail in "[-:#\\[\\]{}&*!|>%@`\"'\\\\ ,?~a-z0-9.\u{0}-\u{20}\u{85}\u{2028}\u{feff}\u{fffe}]*") {
            for text in [text, tail] {
                let yaml = format!("a: [{}, x] # {}\nb: 1\n", scalar(&text), comment(&text));
                let value: serde_json::Value = serde_saphyr::from_str(&yaml).unwrap();
                prop_assert_eq!(value, serde_json::json!({ "a": [text, "x"], "b": 1 }), "{}", yaml);
            }
        }
    }
}
