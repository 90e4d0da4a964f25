//! Quoted strings that cannot run.

use std::fmt::Write as _;

use crate::units::is_plain;

/// A text as an HCL string literal. Nothing in it is a template: `${` and `%{` are written `$${` and
/// `%%{`. Where another `$` or `%` goes before, that would be ambiguous, so the sign is written as a
/// Unicode escape. Control characters and direction marks are escaped, so that a reviewer sees them.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let signs = rest.len() - rest.trim_start_matches(['$', '%']).len();
        if signs > 0 {
            let (run, after) = rest.split_at(signs);
            match (run, after.starts_with('{')) {
                ("$" | "%", true) => {
                    out.push_str(run);
                    out.push_str(run);
                }
                (_, true) => run.chars().for_each(|sign| escape(&mut out, sign)),
                (_, false) => out.push_str(run),
            }
            rest = after;
            continue;
        }
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if is_plain(character) => out.push(character),
            _ => escape(&mut out, character),
        }
        rest = &rest[character.len_utf8()..];
    }
    out.push('"');
    out
}

fn escape(out: &mut String, character: char) {
    let code = u32::from(character);
    // Writing to a string cannot fail.
    let _ =
        if code <= 0xffff { write!(out, "\\u{code:04x}") } else { write!(out, "\\U{code:08x}") };
}
