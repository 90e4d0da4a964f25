//! Clients that are no address: masked (`x.x.x.x`), hashed, or nonsense.

use std::collections::BTreeMap;

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use xxhash_rust::xxh3::xxh3_128;

/// Texts that are kept to be shown, those with the smallest hashes: about 65 MB of hashed addresses.
/// The others are shown as [`HASHED`] and their hash; all of them are counted.
const MOST_TEXTS: usize = if cfg!(test) { 1 << 6 } else { 1 << 19 };
/// Bytes of the longest text that is kept.
const LONGEST_TEXT: usize = 128;

/// How a client reads whose text is not kept; a text that starts like this is none that is kept.
const HASHED: &str = "text:";

/// Clients by a hash of their text: as many as there are, 16 bytes each, like addresses. Which texts are
/// kept, and how a client reads, depends on nothing but the texts.
#[derive(Default)]
pub(super) struct ClientTexts {
    hashes: Vec<u128>,
    lines: Vec<u32>,
    index: HashTable<u32>,
    state: RandomState,
    kept: BTreeMap<u128, Box<str>>,
}

impl ClientTexts {
    /// The number of the client with this text, after counting one line for it.
    pub(super) fn count_line(&mut self, text: &[u8]) -> u32 {
        let hash = xxh3_128(text);
        let known = self.hashes.len();
        let number = self.add(hash, 1);
        let shown = text.len() <= LONGEST_TEXT && !text.starts_with(HASHED.as_bytes());
        if self.hashes.len() > known && shown && self.has_room_for(hash) {
            self.keep(hash, readable(text).into());
        }
        number
    }

    fn add(&mut self, hash: u128, lines: u32) -> u32 {
        use std::hash::BuildHasher;
        let Self { hashes, index, state, .. } = self;
        let entry = index.entry(
            state.hash_one(hash),
            |&number| hashes[number as usize] == hash,
            |&number| state.hash_one(hashes[number as usize]),
        );
        let number = match entry {
            Entry::Occupied(found) => *found.get(),
            Entry::Vacant(free) => {
                let number = hashes.len() as u32;
                free.insert(number);
                self.hashes.push(hash);
                self.lines.push(0);
                number
            }
        };
        let counter = &mut self.lines[number as usize];
        *counter = counter.saturating_add(lines);
        number
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

    /// Takes over the clients of another table; gives the translation of its numbers.
    pub(super) fn absorb(&mut self, other: &Self) -> Vec<u32> {
        for (&hash, text) in &other.kept {
            if !self.has_room_for(hash) {
                break;
            }
            self.keep(hash, text.clone());
        }
        let clients = other.hashes.iter().zip(&other.lines);
        clients.map(|(&hash, &lines)| self.add(hash, lines)).collect()
    }

    /// How a client reads. No two read alike.
    pub(super) fn text(&self, number: u32) -> Box<str> {
        let hash = self.hashes[number as usize];
        self.kept.get(&hash).map_or_else(|| format!("{HASHED}{hash:032x}").into(), Clone::clone)
    }

    /// Lines of a client.
    pub(super) fn lines(&self, number: u32) -> u32 {
        self.lines[number as usize]
    }

    /// Distinct clients.
    pub(super) fn len(&self) -> usize {
        self.hashes.len()
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

    /// Every client as it reads, with its lines, sorted.
    fn clients(texts: &ClientTexts) -> Vec<(Box<str>, u32)> {
        let all = 0..texts.len() as u32;
        let mut all: Vec<_> = all.map(|number| (texts.text(number), texts.lines(number))).collect();
        all.sort();
        all
    }

    #[test]
    fn many_hashed_clients_are_all_counted_whoever_came_first() {
        let many = 5 * MOST_TEXTS;
        let name = |number: usize| format!("client-{number}");
        let mut forwards = ClientTexts::default();
        let (mut even, mut odd) = (ClientTexts::default(), ClientTexts::default());
        for number in 0..many {
            forwards.count_line(name(number).as_bytes());
            forwards.count_line(name(number / 2).as_bytes());
        }
        for number in (0..many).rev() {
            let half = if number % 2 == 0 { &mut even } else { &mut odd };
            half.count_line(name(number / 2).as_bytes());
            half.count_line(name(number).as_bytes());
        }
        odd.absorb(&even);
        assert_eq!(clients(&forwards), clients(&odd));
        assert_eq!(forwards.len(), many);
        let found = clients(&forwards);
        assert_eq!(found.iter().map(|(_, lines)| *lines as usize).sum::<usize>(), 2 * many);
        let hashed = found.iter().filter(|(text, _)| text.starts_with("text:")).count();
        assert_eq!(hashed, many - MOST_TEXTS);
        assert!(found.iter().all(|(_, lines)| *lines <= 3), "no client that is none");
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
        let mut texts = ClientTexts::default();
        let read: BTreeSet<_> = all
            .iter()
            .map(|text| {
                let number = texts.count_line(text);
                texts.text(number)
            })
            .collect();
        assert_eq!(read.len(), all.len());
        for text in ["\\x80\\x80", "a\\b", "a\\xffb"] {
            assert!(read.contains(text), "{text}");
        }
    }
}
