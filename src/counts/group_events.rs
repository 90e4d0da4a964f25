//! The requests of one group of a survey, before and after they are sorted.

use rayon::prelude::*;

use super::clients::PARTS;
use super::event::{Event, sort_and_settle};

/// Groups with fewer requests are one piece: a survey has a million groups of a few requests.
const WORTH_DIVIDING: usize = if cfg!(test) { 1 << 6 } else { 1 << 14 };

/// Requests as they were read, in pieces that have no client and no /64 in common.
pub struct GroupEvents {
    pieces: Vec<Vec<Event>>,
}

impl GroupEvents {
    pub(super) fn with_room_for(events: usize) -> Self {
        let pieces = if events < WORTH_DIVIDING { 1 } else { PARTS };
        // One group may hold most of the log: growing by doubling would need twice its room.
        let room = if pieces == 1 { events } else { events / PARTS + events / (8 * PARTS) };
        let piece = || Vec::with_capacity(room);
        Self { pieces: std::iter::repeat_with(piece).take(pieces).collect() }
    }

    /// Adds a request of a client of this part.
    #[inline]
    pub(super) fn push(&mut self, part: usize, event: Event) {
        let place = part.min(self.pieces.len() - 1);
        self.pieces[place].push(event);
    }

    /// How many there are, copies included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pieces.iter().map(Vec::len).sum()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Makes something of each piece, whose requests then stand by client number, then by time, copies
    /// dropped. Gives what was made, with the number of copies.
    pub fn map<T: Send>(self, each: impl Fn(&[Event]) -> T + Sync) -> Vec<(T, u64)> {
        let of_piece = |mut events: Vec<Event>| {
            let copies = sort_and_settle(&mut events);
            (each(&events), copies)
        };
        let mut pieces = self.pieces;
        match pieces.pop() {
            Some(only) if pieces.is_empty() => vec![of_piece(only)],
            last => pieces.into_par_iter().chain(last.into_par_iter()).map(of_piece).collect(),
        }
    }

    /// All requests by client, then by time, without copies; and the number of these.
    #[must_use]
    pub fn settle(self) -> (Vec<Event>, u64) {
        let mut pieces = self.pieces;
        let copies = pieces.par_iter_mut().map(sort_and_settle).sum();
        if pieces.len() == 1 {
            return (pieces.pop().unwrap_or_default(), copies);
        }
        let mut all = Vec::with_capacity(pieces.iter().map(Vec::len).sum());
        // Each is gone when the next one is looked at.
        pieces.into_iter().for_each(|piece| all.extend_from_slice(&piece));
        (all, copies)
    }
}
