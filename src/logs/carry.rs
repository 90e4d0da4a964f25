//! A record that is cut by the end of a block.

use super::lines::{ENDLESS, Line};

/// The start of a record whose end is still to come. Of one over `LONGEST` bytes only its length is kept.
#[derive(Debug, Default)]
pub(super) struct Carry<const LONGEST: usize> {
    text: Vec<u8>,
    too_long: bool,
    /// All of its bytes.
    bytes: u64,
}

impl<const LONGEST: usize> Carry<LONGEST> {
    /// Whether there is nothing of a record.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty() && !self.too_long
    }

    /// Whether it is longer than any file should be asked for.
    #[inline]
    pub(super) const fn is_endless(&self) -> bool {
        self.bytes > ENDLESS
    }

    /// What is there so far.
    pub(super) fn text(&self) -> &[u8] {
        &self.text
    }

    /// Adds what comes next.
    #[inline]
    pub(super) fn keep(&mut self, part: &[u8]) {
        self.bytes += part.len() as u64;
        if self.too_long || self.text.len() + part.len() > LONGEST {
            self.too_long = true;
            self.text.clear();
        } else {
            self.text.extend_from_slice(part);
        }
    }

    /// Hands it over, now that it is whole, and makes room for the next one.
    pub(super) fn finish<T>(&mut self, each: impl FnOnce(Line<'_>) -> T) -> T {
        let done = each(if self.too_long { Line::TooLong } else { Line::Text(&self.text) });
        self.clear();
        done
    }

    /// Forgets it; the room stays.
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.too_long = false;
        self.bytes = 0;
    }
}
