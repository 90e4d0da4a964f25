//! What a text was found to be, for texts that come again and again.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128_with_seed};

/// Texts that are remembered: with small values 128 KB, which stay in the processor's cache.
const REMEMBERED: usize = 1 << 12;

/// The texts seen last, by a hash of 127 bits that stands for them: two texts of one hash are not met by
/// chance in all logs there are, nor on purpose, as the hash is seeded at random.
pub(super) struct Remembered<T> {
    /// Empty until there is something to remember; 0 for a place that is free.
    places: Vec<(u128, T)>,
    seed: u64,
}

impl<T> Default for Remembered<T> {
    fn default() -> Self {
        Self { places: Vec::new(), seed: RandomState::default().hash_one(0_u64) }
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
        let (known, value) = self.places.get(Self::place(hash))?;
        (*known == hash).then_some(*value)
    }

    /// Remembers a text, in the place of another.
    pub(super) fn put(&mut self, hash: u128, value: T) {
        if self.places.is_empty() {
            self.places.resize(REMEMBERED, (0, T::default()));
        }
        self.places[Self::place(hash)] = (hash, value);
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.places.clear();
    }

    #[inline]
    const fn place(hash: u128) -> usize {
        (hash >> 64) as usize % REMEMBERED
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_is_what_was_put() {
        let mut remembered = Remembered::default();
        let mut met = 0;
        for number in 0..3 * REMEMBERED as u32 {
            let text = format!("text {}", number % 5_000);
            let (get, post) = (
                remembered.hash(b"GET", text.as_bytes()),
                remembered.hash(b"POST", text.as_bytes()),
            );
            assert_ne!(get, post);
            assert_eq!(remembered.get(post), None);
            match remembered.get(get) {
                Some(value) => assert_eq!(value, number % 5_000),
                None => remembered.put(get, number % 5_000),
            }
            met += u32::from(remembered.get(get).is_some());
        }
        assert_eq!(met, 3 * REMEMBERED as u32);
        let hash = remembered.hash(b"GET", b"text 1");
        remembered.put(hash, 1);
        remembered.clear();
        assert_eq!(remembered.get(hash), None);
    }
}
