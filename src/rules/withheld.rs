//! Texts that name no address.

use super::canonical_cidr;

/// Stands for an address until it is known what surrounds it; no text of ours holds it.
const ADDRESS: char = '\u{1}';
/// The same for several in a row.
const ADDRESSES: char = '\u{2}';

/// A text with every address and network that stands free in it left out, for what others read: addresses
/// are personal data. What follows a slash, as versions in user agents do, stays.
#[must_use]
pub fn without_addresses(text: &str) -> String {
    let is_part =
        |character: char| character.is_ascii_hexdigit() || matches!(character, '.' | ':' | '/');
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(is_part) {
        out.push_str(&rest[..start]);
        rest = &rest[start..];
        let end = rest.find(|character| !is_part(character)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let bare = word.trim_end_matches(['.', ':', '/']);
        if canonical_cidr(bare).is_some() {
            out.push(ADDRESS);
            out.push_str(&word[bare.len()..]);
        } else {
            out.push_str(word);
        }
        rest = after;
    }
    out.push_str(rest);
    withheld(&out)
}

/// Says in words that addresses were left out, in parentheses unless they stand in some already.
fn withheld(text: &str) -> String {
    let mut text = text.to_owned();
    let mut changed = true;
    while changed {
        changed = false;
        for between in [", ", " and "] {
            for first in [ADDRESS, ADDRESSES] {
                for second in [ADDRESS, ADDRESSES] {
                    let several = format!("{first}{between}{second}");
                    changed |= text.contains(&several);
                    text = text.replace(&several, &ADDRESSES.to_string());
                }
            }
        }
    }
    let text = without_more(&text);
    let mut out = String::with_capacity(text.len());
    let mut depth = 0_usize;
    for character in text.chars() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let words = match character {
            ADDRESS => "address withheld",
            ADDRESSES => "addresses withheld",
            other => {
                out.push(other);
                continue;
            }
        };
        if depth > 0 {
            out.push_str(words);
        } else {
            out.push_str(&format!("({words})"));
        }
    }
    // Parentheses set apart what commas did.
    for one in ["(address withheld)", "(addresses withheld)"] {
        out = out.replace(&format!(", {one}, "), &format!(" {one} "));
    }
    out
}

/// Without `and 2 more` behind addresses that stand in parentheses: nobody is named that there could be
/// more of.
fn without_more(text: &str) -> String {
    let mut parts = text.split(" more)");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let number = |character: char| character.is_ascii_digit() || character == ',';
        let front = out.trim_end_matches(number).strip_suffix(" and ");
        match front.and_then(|front| front.strip_suffix([ADDRESS, ADDRESSES])) {
            Some(front) => out = format!("{front}{ADDRESSES})"),
            None => out.push_str(" more)"),
        }
        out.push_str(part);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_stay_out_of_texts() {
        for (text, expected) in [
            ("1 client (203.0.113.46) called", "1 client (address withheld) called"),
            ("see 2001:db8::/64.", "see (address withheld)."),
            ("see 2001:db8::/64, 2001:db8::1.", "see (addresses withheld)."),
            (
                "5 clients (192.0.2.1, 192.0.2.2, ::1 and 2 more) called",
                "5 clients (addresses withheld) called",
            ),
            ("2 clients (::1 and 1 more) called", "2 clients (addresses withheld) called"),
            ("(some and 1,200 more) see (::1)", "(some and 1,200 more) see (address withheld)"),
            ("The busiest, 192.0.2.1, made 4", "The busiest (address withheld) made 4"),
            ("(192.0.2.1 and 192.0.2.2)", "(addresses withheld)"),
            ("(192.0.2.1, ::1, ::2, ::3 and ::4)", "(addresses withheld)"),
            (
                "peak 7,383 at 12:30 in 300 s: 1.5 or 24.6x",
                "peak 7,383 at 12:30 in 300 s: 1.5 or 24.6x",
            ),
            ("a/b.c and ::", "a/b.c and ::"),
        ] {
            assert_eq!(without_addresses(text), expected);
        }
    }
}
