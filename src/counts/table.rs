//! Keys of 128 bits, numbered in order of appearance, each with a counter of lines.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

/// Keys with their lines, about 30 bytes each.
#[derive(Default)]
pub(super) struct KeyTable {
    keys: Vec<u128>,
    lines: Vec<u32>,
    index: HashTable<u32>,
}

impl KeyTable {
    /// For about so many keys.
    pub(super) fn with_capacity(keys: usize) -> Self {
        Self {
            keys: Vec::with_capacity(keys),
            lines: Vec::with_capacity(keys),
            index: HashTable::with_capacity(keys),
        }
    }

    /// The number of a key, after counting lines for it.
    #[inline]
    pub(super) fn add(&mut self, key: u128, lines: u32, state: &RandomState) -> u32 {
        let Self { keys, index, .. } = self;
        let entry = index.entry(
            state.hash_one(key),
            |&number| keys[number as usize] == key,
            |&number| state.hash_one(keys[number as usize]),
        );
        let number = match entry {
            Entry::Occupied(found) => *found.get(),
            Entry::Vacant(free) => {
                let number = keys.len() as u32;
                free.insert(number);
                self.keys.push(key);
                self.lines.push(0);
                number
            }
        };
        self.count(number, lines);
        number
    }

    /// Counts lines for a key.
    #[inline]
    pub(super) fn count(&mut self, number: u32, lines: u32) {
        let counter = &mut self.lines[number as usize];
        *counter = counter.saturating_add(lines);
    }

    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        self.keys.capacity() * size_of::<u128>()
            + self.lines.capacity() * size_of::<u32>()
            + self.index.allocation_size()
    }

    /// The keys with their lines, by number.
    pub(super) fn into_columns(self) -> (Vec<u128>, Vec<u32>) {
        (self.keys, self.lines)
    }

    /// The keys with their lines, by number.
    pub(super) fn columns(&self) -> (&[u128], &[u32]) {
        (&self.keys, &self.lines)
    }
}
