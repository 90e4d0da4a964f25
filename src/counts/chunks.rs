//! A list that only grows, without copying what it holds.

use super::clients::{PARTS, part_of};
use super::event::Event;

/// Events of the smallest and of the largest piece.
const SMALLEST: usize = 32;
const LARGEST: usize = 1 << 13;

/// Events in pieces: a vector that doubles would need three times their room while it grows.
#[derive(Default)]
pub(super) struct Chunks {
    full: Vec<Vec<Event>>,
    last: Vec<Event>,
    /// Events in `full`.
    settled: usize,
}

impl Chunks {
    #[inline]
    pub(super) fn push(&mut self, event: Event) {
        if self.last.len() == self.last.capacity() {
            self.open();
        }
        self.last.push(event);
    }

    #[cold]
    fn open(&mut self) {
        let next = Vec::with_capacity((self.len() / 4).clamp(SMALLEST, LARGEST));
        let full = std::mem::replace(&mut self.last, next);
        self.settled += full.len();
        if !full.is_empty() {
            self.full.push(full);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.settled + self.last.len()
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        (self.settled + self.last.capacity()) * size_of::<Event>()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Event> {
        self.full.iter().flatten().chain(&self.last)
    }

    /// The pieces one after the other, so that each is gone when the next is looked at.
    pub(super) fn into_pieces(self) -> impl Iterator<Item = Vec<Event>> {
        self.full.into_iter().chain(std::iter::once(self.last))
    }
}

impl FromIterator<Event> for Chunks {
    fn from_iter<I: IntoIterator<Item = Event>>(events: I) -> Self {
        let mut chunks = Self::default();
        events.into_iter().for_each(|event| chunks.push(event));
        chunks
    }
}

/// The events of one route, by the part of their clients.
pub(super) struct PartedEvents {
    parts: Vec<Chunks>,
}

impl Default for PartedEvents {
    fn default() -> Self {
        Self { parts: std::iter::repeat_with(Chunks::default).take(PARTS).collect() }
    }
}

impl PartedEvents {
    #[inline]
    pub(super) fn push(&mut self, event: Event) {
        self.parts[part_of(event.client)].push(event);
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        self.parts.iter().map(Chunks::bytes).sum()
    }

    /// By part.
    pub(super) fn into_parts(self) -> Vec<Chunks> {
        self.parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lost_or_reordered() {
        let event = |time| Event { client: 0, time, fingerprint: 0, agent: 0, packed: 0 };
        let many = 3 * LARGEST as u32;
        let chunks: Chunks = (0..many).map(event).collect();
        assert_eq!(chunks.len(), many as usize);
        assert!(chunks.iter().map(|event| event.time).eq(0..many));
        assert!(chunks.bytes() < 30 * many as usize);
        let pieces: Vec<_> = chunks.into_pieces().flatten().map(|event| event.time).collect();
        assert!(pieces.into_iter().eq(0..many));
    }
}
