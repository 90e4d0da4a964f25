//! Foreign text in Markdown: nothing of it may become a link, an image, a mention, HTML, a table or the
//! end of a code span.
//!
//! A code span is the one place where Markdown interprets nothing; GitHub also leaves mentions and
//! references in it alone. So whatever is not plainly harmless goes into one.

use std::fmt::Write as _;

use crate::units::is_plain;

/// One foreign value (a client, a path) as a code span.
pub(super) fn code(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('`');
    for character in text.chars() {
        // A backtick would end the span, a bar the cell of a table; a backslash before a bar that is
        // ours would take it for its own.
        let harmless = is_plain(character) && !matches!(character, '`' | '|' | '\\');
        if harmless {
            out.push(character);
        } else if character == '\\' {
            out.push_str("\\u{5c}");
        } else {
            // Writing to a string cannot fail.
            let _ = write!(out, "{}", character.escape_unicode());
        }
    }
    if text.trim_matches(' ').is_empty() {
        // A span of spaces alone is dropped or changed by renderers.
        out.push('.');
    }
    out.push('`');
    out
}

/// A sentence of ours that may hold foreign words: these become code spans. What stands between backticks
/// is one span, with its blanks; both ways to write a word are safe for foreign text.
pub(super) fn prose(text: &str) -> String {
    // How shares near the ends are written for a terminal.
    let text = text.replace("< 0.1 %", "under 0.1 %").replace("> 99.9 %", "over 99.9 %");
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some((words, after)) = rest.split_once('`') {
        let Some((span, after)) = after.split_once('`').filter(|(span, _)| !span.is_empty()) else {
            break;
        };
        prose_words(words, &mut out);
        push(&mut out, &code(span));
        rest = after;
    }
    prose_words(rest, &mut out);
    out.trim_matches(' ').to_owned()
}

fn prose_words(text: &str, out: &mut String) {
    for (place, word) in text.split(' ').enumerate() {
        if place > 0 && !out.ends_with(' ') {
            out.push(' ');
        }
        if !word.is_empty() {
            let is_first = out.trim_matches(' ').is_empty();
            push(out, &prose_word(word, is_first));
        }
    }
}

/// Keeps two code spans apart, which side by side are none.
fn push(out: &mut String, piece: &str) {
    if out.ends_with('`') && piece.starts_with('`') {
        out.push(' ');
    }
    out.push_str(piece);
}

fn prose_word(word: &str, first: bool) -> String {
    if is_harmless(word, first) {
        return word.to_owned();
    }
    // Punctuation of the sentence stays outside of the span, brackets only if they are not its own.
    let start = usize::from(word.starts_with('('));
    let mut end = word.len();
    while let Some(last) = word[start..end].chars().next_back() {
        let closes = |inner: &str| inner.matches(')').count() > inner.matches('(').count();
        match last {
            ',' | '.' | ';' | ':' => end -= 1,
            ')' if closes(&word[start..end]) => end -= 1,
            _ => break,
        }
    }
    if start >= end {
        return code(word);
    }
    format!("{}{}{}", &word[..start], code(&word[start..end]), &word[end..])
}

/// Letters, digits and the punctuation of sentences, in no combination that means something.
fn is_harmless(word: &str, first: bool) -> bool {
    let allowed = |character: char| {
        character.is_alphanumeric()
            || matches!(character, ',' | '.' | ';' | ':' | '(' | ')')
            || matches!(character, '%' | '-' | '/' | '\'' | '"' | '?')
    };
    if !word.chars().all(allowed) || !word.chars().all(is_plain) {
        return false;
    }
    let body = word.trim_end_matches([',', '.', ';', ':', ')']).trim_start_matches('(');
    let lower = body.to_ascii_lowercase();
    // Schemes, emoji names and addresses have a colon inside, paths begin with a slash.
    let marked = body.contains(':') || body.starts_with('/') || lower.contains("www");
    // `GH-12`, `PROJ-12`, commit ids: GitHub makes links of them.
    let reference = body
        .match_indices('-')
        .any(|(place, _)| body[place + 1..].starts_with(|next: char| next.is_ascii_digit()));
    let commit = body
        .split(|character: char| !character.is_ascii_hexdigit())
        .any(|digits| digits.len() >= 7 && digits.chars().any(char::is_alphabetic));
    // At the start of a block, `-`, `1.` and `1)` make lists.
    let block = first
        && (!body.starts_with(char::is_alphanumeric)
            || (body.chars().all(|character| character.is_ascii_digit()) && body != word));
    !(marked || reference || commit || block)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_spans_cannot_be_left() {
        assert_eq!(code("198.51.100.7"), "`198.51.100.7`");
        assert_eq!(code("a`|b\\\n"), "`a\\u{60}\\u{7c}b\\u{5c}\\u{a}`");
        assert_eq!(code(""), "`.`");
    }

    #[test]
    fn sentences_stay_readable() {
        let sentence =
            "300 requests per 300 s (1 per second): 1.60x above the busiest normal client";
        assert_eq!(prose(sentence), sentence);
        assert_eq!(prose("see @admin, now"), "see `@admin`, now");
        assert_eq!(prose("(2001:db8::1) is"), "(`2001:db8::1`) is");
        assert_eq!(prose("<b> [x](y) GH-1 #2 12345ab"), "`<b>` `[x](y)` `GH-1` `#2` `12345ab`");
        assert_eq!(prose("a < 0.1 %, b > 99.9 %"), "a under 0.1 %, b over 99.9 %");
        let spans = "by `[user]` and (`[user, ip]`), as `emit --layer app`";
        assert_eq!(prose(spans), spans);
        assert_eq!(prose("`a``b`"), "`a` `b`");
        assert_eq!(prose("`a`<b>"), "`a` `<b>`");
        assert_eq!(prose("a ` b `c` d"), "a ` b ` `c\\u{60}` d");
        assert_eq!(prose("a `` b"), "a `\\u{60}\\u{60}` b");
        assert_eq!(prose("- a"), "`-` a");
        assert_eq!(prose("1. a"), "`1`. a");
        assert_eq!(prose("one-off /64 5-minute a/GH-1"), "one-off `/64` 5-minute `a/GH-1`");
    }

    proptest::proptest! {
        /// Whatever stands in a sentence: code spans are closed, side by side they stay two, and outside of them
        /// is nothing that means something.
        #[test]
        fn nothing_leaves_a_code_span(
            text in "[a`<> |\\\\\\[\\](@#!*_~1.,:)\n-]{0,40}",
        ) {
            let out = prose(&text);
            proptest::prop_assert!(!out.contains("``"), "{out}");
            let parts: Vec<&str> = out.split('`').collect();
            proptest::prop_assert!(parts.len() % 2 == 1, "{out}");
            for (place, part) in parts.iter().enumerate() {
                let wrong = if place % 2 == 1 { "|\n\\" } else { "|\n\\<>[]@#!*_~" };
                let escaped = part.replace("\\u{", "");
                proptest::prop_assert!(!escaped.contains(|one| wrong.contains(one)), "{out}");
            }
        }
    }
}
