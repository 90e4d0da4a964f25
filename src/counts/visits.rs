//! Keys in the order in which they come, found out later which of them are one.
//!
//! To look for a client in a table of all clients is three waits for memory, one after the other, since
//! the text of the logs pushes the table out of the processor's caches. So whoever comes is written down,
//! again and again if need be, and looked for together with many others: then the table is small enough for the
//! caches, and what is still to be waited for is waited for at once.

use foldhash::fast::RandomState;

use super::table::KeyTable;

/// Visits that are looked for together: 40 KB.
const AT_ONCE: usize = if cfg!(test) { 5 } else { 1 << 11 };

/// Keys with a number for every visit, and lines for every key.
#[derive(Default)]
pub(super) struct Visits {
    known: KeyTable,
    /// For each visit that was looked for, the number of its key.
    numbers: Vec<u32>,
    /// The keys and lines of the visits after these.
    keys: Vec<u128>,
    lines: Vec<u32>,
}

impl Visits {
    /// Takes note of a visit with one line; gives its number.
    #[inline]
    pub(super) fn add(&mut self, key: u128, state: &RandomState) -> u32 {
        let number = self.len();
        self.keys.push(key);
        self.lines.push(1);
        if self.keys.len() == AT_ONCE {
            self.settle(state);
        }
        number as u32
    }

    /// Counts lines for a visit.
    #[inline]
    pub(super) fn count(&mut self, visit: u32, lines: u32) {
        let visit = visit as usize;
        match self.numbers.get(visit) {
            Some(&number) => self.known.count(number, lines),
            None => {
                let counter = &mut self.lines[visit - self.numbers.len()];
                *counter = counter.saturating_add(lines);
            }
        }
    }

    /// Looks for the keys of all visits.
    pub(super) fn settle(&mut self, state: &RandomState) {
        let Self { known, numbers, keys, lines } = self;
        numbers.reserve(keys.len());
        let visits = keys.drain(..).zip(lines.drain(..));
        numbers.extend(visits.map(|(key, lines)| known.add(key, lines, state)));
    }

    /// How many visits there were.
    pub(super) fn len(&self) -> usize {
        self.numbers.len() + self.keys.len()
    }

    /// How many keys there are at least.
    pub(super) fn keys(&self) -> usize {
        self.known.len()
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        let of_visits = self.numbers.capacity() + self.lines.capacity();
        self.known.bytes() + of_visits * size_of::<u32>() + self.keys.capacity() * size_of::<u128>()
    }

    /// The keys with their lines, and the number of the key of each visit. All are looked for already.
    pub(super) fn columns(&self) -> ((&[u128], &[u32]), &[u32]) {
        (self.known.columns(), &self.numbers)
    }

    /// See [`Self::columns`].
    pub(super) fn into_columns(self) -> ((Vec<u128>, Vec<u32>), Vec<u32>) {
        (self.known.into_columns(), self.numbers)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn every_visit_is_of_its_key_and_has_its_lines() {
        let state = RandomState::default();
        let mut visits = Visits::default();
        let mut expected: HashMap<u128, u32> = HashMap::new();
        let mut keys = Vec::new();
        for step in 0..1_000_u32 {
            let key = u128::from(step * step % 37);
            let visit = visits.add(key, &state);
            assert_eq!(visit, step);
            keys.push(key);
            // Lines for this one, and for one long ago.
            for of in [visit, visit / 2] {
                visits.count(of, 3);
                *expected.entry(keys[of as usize]).or_default() += 3;
            }
            *expected.entry(key).or_default() += 1;
        }
        visits.settle(&state);
        let ((found, lines), numbers) = visits.into_columns();
        assert_eq!(found.len(), expected.len());
        for (key, lines) in found.iter().zip(lines) {
            assert_eq!(expected[key], lines);
        }
        assert!(numbers.iter().zip(keys).all(|(&number, key)| found[number as usize] == key));
    }
}
