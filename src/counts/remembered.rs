//! What a text was found to be, for texts that come again and again.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128_with_seed};

/// Texts that are remembered at first: with small values 128 KB, which stay in the processor's cache.
const FEW: usize = 1 << 12;
/// Texts that are remembered where so few do not do: to wait for memory is better than to look closely.
const MANY: usize = if cfg!(test) { 1 << 14 } else { 1 << 16 };

/// The texts seen last, by a hash of 127 bits that stands for them: two texts of one hash are not met by
/// chance in all logs there are, nor on purpose, as the hash is seeded at random.
pub(super) struct Remembered<T> {
    /// Empty until there is something to remember; 0 for a place that is free.
    places: Vec<(u128, T)>,
    seed: u64,
    /// How often a text took the place of another, since there are so many places.
    replaced: usize,
}

impl<T> Default for Remembered<T> {
    fn default() -> Self {
        Self { places: Vec::new(), seed: RandomState::default().hash_one(0_u64), replaced: 0 }
    }
}

impl<T: Copy + Default> Remembered<T> {
    /// The hash of a text of some kind, for the others.
    #[inline]
    pub(super) fn hash(&self, kind: &[u8], text: &[u8]) -> u128 {
        xxh3_128_with_seed(text, self.seed ^ xxh3_64(kind)) | 1
    }

    /// What is remembered of a text.
    #[inline]
    pub(super) fn get(&self, hash: u128) -> Option<T> {
        let (known, value) = self.places.get(self.place(hash))?;
        (*known == hash).then_some(*value)
    }

    /// Remembers a text, in the place of another.
    pub(super) fn put(&mut self, hash: u128, value: T) {
        if self.places.is_empty() {
            self.places.resize(FEW, (0, T::default()));
        }
        let place = self.place(hash);
        let (other, _) = std::mem::replace(&mut self.places[place], (hash, value));
        self.replaced += usize::from(other != 0);
        if self.replaced > self.places.len() && self.places.len() < MANY {
            self.make_room();
        }
    }

    #[cold]
    fn make_room(&mut self) {
        let places = 4 * self.places.len();
        for (hash, value) in std::mem::replace(&mut self.places, vec![(0, T::default()); places]) {
            let place = self.place(hash);
            if hash != 0 {
                self.places[place] = (hash, value);
            }
        }
        self.replaced = 0;
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.places.clear();
        self.replaced = 0;
    }

    #[inline]
    fn place(&self, hash: u128) -> usize {
        (hash >> 64) as usize & self.places.len().wrapping_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_is_what_was_put() {
        let mut remembered = Remembered::default();
        let mut met = 0;
        let (lines, texts) = (9 * MANY as u32, MANY as u32 / 2);
        for number in 0..lines {
            let text = format!("text {}", number % texts);
            let (get, post) = (
                remembered.hash(b"GET", text.as_bytes()),
                remembered.hash(b"POST", text.as_bytes()),
            );
            assert_ne!(get, post);
            assert_eq!(remembered.get(post), None);
            match remembered.get(get) {
                Some(value) => assert_eq!(value, number % texts),
                None => remembered.put(get, number % texts),
            }
            met += u32::from(remembered.get(get).is_some());
        }
        assert_eq!(met, lines);
        assert_eq!(remembered.places.len(), 4 * FEW);
        let hash = remembered.hash(b"GET", b"text 1");
        remembered.put(hash, 1);
        remembered.clear();
        assert_eq!(remembered.get(hash), None);
    }
}
