//! Lines whose columns are separated by spaces, where some stand in double quotes: load balancers and web
//! servers.

use std::borrow::Cow;

/// The columns of a line, without their quotes and as escaped as they were. A quote that is never closed
/// takes the rest of the line; a quote inside of a word is a letter like any other.
#[derive(Clone, Debug)]
pub(super) struct Words<'a> {
    rest: Option<&'a [u8]>,
}

impl<'a> Words<'a> {
    pub(super) const fn new(line: &'a [u8]) -> Self {
        Self { rest: Some(line) }
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        let rest = self.rest?.trim_ascii_start();
        if rest.is_empty() {
            self.rest = None;
            return None;
        }
        let (word, after) = match rest {
            [b'"', inner @ ..] => {
                let end = closing_quote(inner).unwrap_or(inner.len());
                (&inner[..end], inner.get(end + 1..))
            }
            _ => {
                let end = memchr::memchr(b' ', rest).unwrap_or(rest.len());
                (&rest[..end], rest.get(end..))
            }
        };
        self.rest = after;
        Some(word)
    }
}

/// Where the quote is closed: by one that is not escaped (`\"`) and stands before a space or at the end
/// of the line. Others were written by somebody who does not escape.
fn closing_quote(inner: &[u8]) -> Option<usize> {
    memchr::memchr_iter(b'"', inner).find(|&at| {
        let escapes = inner[..at].iter().rev().take_while(|&&byte| byte == b'\\').count();
        escapes % 2 == 0 && matches!(inner.get(at + 1), None | Some(b' '))
    })
}

/// Undoes `\x22`, `\"`, `\\` and the escapes of C for control characters, as nginx, Apache and load
/// balancers write them. Anything else behind a backslash stays as it is.
pub(super) fn unescape(text: &[u8]) -> Cow<'_, [u8]> {
    let Some(first) = memchr::memchr(b'\\', text) else { return Cow::Borrowed(text) };
    let mut out = Vec::with_capacity(text.len());
    out.extend_from_slice(&text[..first]);
    let mut rest = &text[first..];
    while let Some((&byte, after)) = rest.split_first() {
        let (written, used) = match (byte, after) {
            (b'\\', [b'x' | b'X', high, low, ..]) => match (digit(*high), digit(*low)) {
                (Some(high), Some(low)) => (high << 4 | low, 4),
                _ => (byte, 1),
            },
            (b'\\', [escaped, ..]) => match escaped {
                b'"' | b'\\' => (*escaped, 2),
                b'n' => (b'\n', 2),
                b'r' => (b'\r', 2),
                b't' => (b'\t', 2),
                b'b' => (8, 2),
                b'v' => (11, 2),
                b'f' => (12, 2),
                _ => (byte, 1),
            },
            _ => (byte, 1),
        };
        out.push(written);
        rest = &rest[used..];
    }
    Cow::Owned(out)
}

const fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<&str> {
        Words::new(line.as_bytes()).map(|word| std::str::from_utf8(word).unwrap()).collect()
    }

    #[test]
    fn quotes_hold_words_together() {
        assert_eq!(
            words(r#"a "b c" "" -  "d \" e" "f\\" "g "h" i" "open j"#),
            ["a", "b c", "", "-", r#"d \" e"#, r"f\\", r#"g "h"#, "i\"", "open j"]
        );
        assert_eq!(words(r#""a"b" c"#), [r#"a"b"#, "c"]);
        assert_eq!(words(""), [""; 0]);
        assert_eq!(words("  \""), [""]);
    }

    #[test]
    fn escapes_are_undone_once() {
        let undone = |text: &str| unescape(text.as_bytes()).into_owned();
        assert_eq!(undone(r#"a\x22b\"c\\x22\x5Cd"#), br#"a"b"c\x22\d"#);
        assert_eq!(undone(r"\x16\x03\n\t\xZZ\x4\q\"), b"\x16\x03\n\t\\xZZ\\x4\\q\\");
        assert!(matches!(unescape(b"plain"), Cow::Borrowed(_)));
    }
}
