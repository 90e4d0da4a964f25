//! Who was seen last, by the text of the log.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;

/// Clients that are remembered: 64 KB. More would have to wait for memory, which the text of the logs
/// pushes out of the processor's caches again and again.
const RECENT: usize = 1 << 10;
/// Characters of the longest address: eight groups of four digits with colons between them, or six and
/// an IPv4 address.
const LONGEST: usize = 45;

/// A client with the lines that its table does not know of yet.
#[derive(Clone)]
#[repr(align(64))]
struct Entry {
    bytes: [u8; LONGEST],
    /// 0 if there is nobody.
    length: u8,
    number: u32,
    lines: u32,
}

/// A client's lines stand close together: remembering it spares reading its address again, and counting
/// its lines here a wait for its place in a table of all clients.
#[derive(Default)]
pub(super) struct RecentClients {
    /// Empty until somebody is remembered.
    entries: Vec<Entry>,
    /// Seeded at random: clients choose their addresses.
    state: RandomState,
}

impl RecentClients {
    /// Counts a line of a client that is remembered; gives its number.
    #[inline]
    pub(super) fn count_line(&mut self, text: &[u8]) -> Option<u32> {
        let place = self.place(text);
        let entry = self.entries.get_mut(place)?;
        if text.is_empty() || entry.bytes.get(..usize::from(entry.length)) != Some(text) {
            return None;
        }
        entry.lines = entry.lines.saturating_add(1);
        Some(entry.number)
    }

    /// Remembers a client of which there are no uncounted lines, in the place of another; gives that one's
    /// number and lines.
    pub(super) fn remember(&mut self, text: &[u8], number: u32) -> Option<(u32, u32)> {
        if text.len() > LONGEST {
            return None;
        }
        if self.entries.is_empty() {
            let nobody = Entry { bytes: [0; LONGEST], length: 0, number: 0, lines: 0 };
            self.entries.resize(RECENT, nobody);
        }
        let place = self.place(text);
        let mut bytes = [0; LONGEST];
        bytes[..text.len()].copy_from_slice(text);
        let entry = Entry { bytes, length: text.len() as u8, number, lines: 0 };
        let old = std::mem::replace(&mut self.entries[place], entry);
        (old.lines > 0).then_some((old.number, old.lines))
    }

    /// Forgets everybody; gives numbers with lines.
    pub(super) fn take(&mut self) -> impl Iterator<Item = (u32, u32)> + use<> {
        let entries = std::mem::take(&mut self.entries);
        entries.into_iter().map(|entry| (entry.number, entry.lines)).filter(|(_, lines)| *lines > 0)
    }

    #[inline]
    fn place(&self, text: &[u8]) -> usize {
        self.state.hash_one(text) as usize % RECENT
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn no_line_is_lost_or_counted_for_another() {
        let mut recent = RecentClients::default();
        let mut counted: HashMap<u32, u32> = HashMap::new();
        let mut expected: HashMap<u32, u32> = HashMap::new();
        for line in 0..40_000_u32 {
            let number = (line * line) % 5_003;
            let text = format!("client-{number}");
            let found = recent.count_line(text.as_bytes()).unwrap_or_else(|| {
                *counted.entry(number).or_default() += 1;
                let old = recent.remember(text.as_bytes(), number);
                old.into_iter().for_each(|(old, lines)| *counted.entry(old).or_default() += lines);
                number
            });
            assert_eq!(found, number);
            *expected.entry(number).or_default() += 1;
        }
        recent.take().for_each(|(number, lines)| *counted.entry(number).or_default() += lines);
        assert_eq!(counted, expected);
        assert_eq!(recent.count_line(b"client-0"), None);
    }

    #[test]
    fn nobody_and_long_texts_are_not_remembered() {
        let mut recent = RecentClients::default();
        recent.remember(b"192.0.2.1", 7);
        assert_eq!(recent.count_line(b"192.0.2.1"), Some(7));
        assert_eq!(recent.count_line(b""), None);
        let long = [b'1'; LONGEST + 1];
        assert_eq!(recent.remember(&long, 8), None);
        assert_eq!(recent.count_line(&long), None);
    }
}
