//! Clients that are no address: masked (`x.x.x.x`), hashed, or nonsense.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::xxh3_128;

/// Texts that are kept to be shown, those with the smallest hashes: about 65 MB of hashed addresses.
/// The others are shown as [`HASHED`] and their hash; all of them are counted.
const MOST_TEXTS: usize = if cfg!(test) { 1 << 6 } else { 1 << 19 };
/// Bytes of the longest text that is kept.
const LONGEST_TEXT: usize = 128;

/// How a client reads whose text is not kept; a text that starts like this is none that is kept.
const HASHED: &str = "text:";

/// What stands for such a client: 16 bytes, like an address.
pub(super) fn hash_of(text: &[u8]) -> u128 {
    xxh3_128(text)
}

/// How such clients read, by their hashes. Which texts are kept, and how a client reads, depends on nothing
/// but the texts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ShownTexts {
    kept: BTreeMap<u128, Box<str>>,
}

impl ShownTexts {
    /// Keeps the text of a client, if it is one to be shown.
    pub(super) fn note(&mut self, hash: u128, text: &[u8]) {
        let shown = text.len() <= LONGEST_TEXT && !text.starts_with(HASHED.as_bytes());
        if shown && self.has_room_for(hash) {
            self.keep(hash, readable(text).into());
        }
    }

    fn has_room_for(&self, hash: u128) -> bool {
        self.kept.len() < MOST_TEXTS
            || self.kept.last_key_value().is_some_and(|(&largest, _)| hash < largest)
    }

    fn keep(&mut self, hash: u128, text: Box<str>) {
        self.kept.insert(hash, text);
        if self.kept.len() > MOST_TEXTS {
            self.kept.pop_last();
        }
    }

    /// Takes over what another thread saw.
    pub(super) fn absorb(&mut self, other: Self) {
        for (hash, text) in other.kept {
            if !self.has_room_for(hash) {
                break;
            }
            self.keep(hash, text);
        }
    }

    /// How a client reads. No two read alike.
    pub(super) fn text(&self, hash: u128) -> Box<str> {
        self.kept.get(&hash).map_or_else(|| format!("{HASHED}{hash:032x}").into(), Clone::clone)
    }
}

/// The text, with bytes that are no UTF-8 as `\xNN`. Where that is done, or could seem to be done,
/// backslashes are written `\x5c`: different bytes never read alike.
fn readable(text: &[u8]) -> String {
    match std::str::from_utf8(text) {
        Ok(valid) if !valid.contains("\\x") => return valid.to_owned(),
        _ => {}
    }
    let mut out = String::new();
    for chunk in text.utf8_chunks() {
        out.push_str(&chunk.valid().replace('\\', "\\x5c"));
        for byte in chunk.invalid() {
            out.push_str(&format!("\\x{byte:02x}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn noted(numbers: impl Iterator<Item = usize>) -> ShownTexts {
        let mut shown = ShownTexts::default();
        for number in numbers {
            let text = name(number);
            shown.note(hash_of(text.as_bytes()), text.as_bytes());
        }
        shown
    }

    fn name(number: usize) -> String {
        format!("client-{number}")
    }

    #[test]
    fn which_of_many_texts_are_shown_does_not_depend_on_who_came_first() {
        let many = 5 * MOST_TEXTS;
        let forwards = noted(0..many);
        let mut odd = noted((0..many).rev().filter(|number| number % 2 == 1));
        odd.absorb(noted((0..many).rev().filter(|number| number % 2 == 0)));
        assert_eq!(forwards, odd);
        let read: BTreeSet<_> =
            (0..many).map(|number| forwards.text(hash_of(name(number).as_bytes()))).collect();
        assert_eq!(read.len(), many);
        let hashed = read.iter().filter(|text| text.starts_with("text:")).count();
        assert_eq!(hashed, many - MOST_TEXTS);
    }

    #[test]
    fn clients_of_invalid_bytes_have_a_text_of_their_own() {
        let long = [b'x'; LONGEST_TEXT + 1];
        let all = [
            b"\x80\x80".as_slice(),
            b"\x81\x81",
            b"\\x80\\x80",
            b"\\x5cx80\\x5cx80",
            b"a\\b",
            b"a\xffb",
            b"\xef\xbf\xbd\xef\xbf\xbd",
            &long,
            &long[1..],
        ];
        let mut shown = ShownTexts::default();
        all.iter().for_each(|text| shown.note(hash_of(text), text));
        let read: BTreeSet<_> = all.iter().map(|text| shown.text(hash_of(text))).collect();
        assert_eq!(read.len(), all.len());
        for text in ["\\x80\\x80", "a\\b", "a\\xffb"] {
            assert!(read.contains(text), "{text}");
        }
    }
}
