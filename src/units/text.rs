//! How numbers and foreign text are written for people.

use std::borrow::Cow;
use std::fmt::Write as _;

/// `1234567` as `1,234,567`.
#[must_use]
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The singular for one, else the plural: `plural(2, "client", "clients")` is `clients`.
#[must_use]
pub const fn plural<'a>(number: u64, one: &'a str, many: &'a str) -> &'a str {
    if number == 1 { one } else { many }
}

/// A number with its noun: `1 client`, `8,921 clients`.
#[must_use]
pub fn count(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", thousands(number), plural(number, one, many))
}

/// A part of a whole, 0 to 1; 0 if there is no whole.
#[must_use]
pub fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// A share of 0 to 1 as whole per cent, but never `0 %` for something or `100 %` for less than all.
#[must_use]
pub fn percent(share: f64) -> String {
    if share > 0.0 && share < 0.01 {
        return if share < 0.001 {
            "< 0.1 %".to_owned()
        } else {
            format!("{:.1} %", share * 100.0)
        };
    }
    if share < 1.0 && share > 0.99 {
        return if share > 0.999 {
            "> 99.9 %".to_owned()
        } else {
            format!("{:.1} %", share * 100.0)
        };
    }
    format!("{:.0} %", share * 100.0)
}

/// A ratio with two decimals below ten, one below a hundred, none above: `1.60x`, `24.6x`, `120x`.
#[must_use]
pub fn ratio(value: f64) -> String {
    if !value.is_finite() {
        "-".to_owned()
    } else if value < 10.0 {
        format!("{value:.2}x")
    } else if value < 100.0 {
        format!("{value:.1}x")
    } else {
        format!("{}x", thousands(value.round().max(0.0) as u64))
    }
}

/// Whether a character may stand in a terminal, a comment or a diff as it is: no control characters
/// (they run in a terminal) and none of the invisible or direction-changing ones (they make a line
/// read as another).
#[must_use]
pub fn is_plain(character: char) -> bool {
    !(character.is_control()
        || matches!(
            character,
            '\u{00ad}'
                | '\u{061c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        ))
}

/// Foreign text made harmless for one line of output: each character that is not plain (see
/// [`is_plain`]) becomes a visible `\u{..}` escape.
#[must_use]
pub fn plain(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_plain(character) {
            out.push(character);
        } else {
            out.extend(character.escape_unicode());
        }
    }
    Cow::Owned(out)
}

/// JSON whose texts hold nothing that a terminal would obey: JSON itself escapes only what is below
/// U+0020. Outside of texts pretty JSON holds no such character but line breaks, so all others may be escaped
/// where they stand.
#[must_use]
pub fn plain_json(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for character in json.chars() {
        if character == '\n' || is_plain(character) {
            out.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\u{unit:04x}");
        }
    }
    out
}

/// `a`, `a and b`, `a, b and c`; nothing if there is none.
#[must_use]
pub fn listed<T: AsRef<str>>(parts: &[T]) -> String {
    let Some((last, front)) = parts.split_last() else { return String::new() };
    if front.is_empty() {
        return last.as_ref().to_owned();
    }
    let front: Vec<&str> = front.iter().map(AsRef::as_ref).collect();
    format!("{} and {}", front.join(", "), last.as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_000), "1,000");
        assert_eq!(thousands(12_345_678), "12,345,678");
        assert_eq!(count(1, "client", "clients"), "1 client");
        assert_eq!(percent(0.36), "36 %");
        assert_eq!(percent(0.004), "0.4 %");
        assert_eq!(percent(0.9996), "> 99.9 %");
        assert_eq!(percent(0.0), "0 %");
        assert_eq!(percent(1.0), "100 %");
        assert_eq!(ratio(1.604), "1.60x");
        assert_eq!(ratio(24.61), "24.6x");
    }

    #[test]
    fn control_characters_become_visible() {
        assert_eq!(plain("curl/8\u{1b}[2J"), "curl/8\\u{1b}[2J");
        assert_eq!(plain("a\u{202e}b"), "a\\u{202e}b");
        assert_eq!(plain("Müller/1.0"), "Müller/1.0");
    }

    #[test]
    fn lists_end_with_and() {
        assert_eq!(listed::<&str>(&[]), "");
        assert_eq!(listed(&["a"]), "a");
        assert_eq!(listed(&["a", "b"]), "a and b");
        assert_eq!(listed(&["a", "b", "c"]), "a, b and c");
    }
}
