//! One hour of the log being filled: records go in until there is no more room.

use super::random::Random;
use super::record::{Caller, Record, Resource};

/// An hour, what is already in it, and chance.
pub(super) struct Stage<'a> {
    pub(super) random: Random,
    /// First second of the hour.
    pub(super) begin: u32,
    /// First second of the period; nothing arrives before.
    pub(super) start: u32,
    /// Records that still have room.
    pub(super) room: u64,
    pub(super) records: &'a mut Vec<Record>,
}

/// A request that is about to be logged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    pub(super) resource: Resource,
    pub(super) item: u32,
    pub(super) page: u32,
    pub(super) status: u16,
    pub(super) spelling: u8,
}

impl Wanted {
    /// An ordinary request for something, answered with 200.
    pub(super) const fn new(resource: Resource, item: u32, page: u32) -> Self {
        Self { resource, item, page, status: 200, spelling: 0 }
    }

    pub(super) const fn answered(self, status: u16) -> Self {
        Self { status, ..self }
    }
}

impl Stage<'_> {
    /// Logs a request whose answer is complete `offset` seconds into the hour. Beyond the end of the
    /// hour it begins anew: the hour before had such a visit too.
    pub(super) fn log(&mut self, offset: u32, caller: Caller, wanted: Wanted) {
        if self.room == 0 {
            return;
        }
        self.room -= 1;
        let end = self.begin + offset % 3_600;
        let mut taken = self.duration(wanted.resource, wanted.status);
        let most = end - self.start;
        if taken / 1_000 > most {
            taken = most * 1_000 + taken % 1_000;
        }
        self.records.push(Record {
            end,
            taken,
            caller,
            item: wanted.item,
            page: wanted.page,
            noise: self.random.bits(),
            status: wanted.status,
            resource: wanted.resource,
            spelling: wanted.spelling,
            copy: false,
        });
    }

    /// Milliseconds from request to answer.
    fn duration(&mut self, resource: Resource, status: u16) -> u32 {
        let random = &mut self.random;
        match resource {
            // A quarter of an hour to eight hours, seldom the latter.
            Resource::Live => 60_000 * random.heavy(15, 480) + random.below(60_000),
            Resource::Download => random.between(300, 40_000),
            _ if status == 504 => 30_000 + random.below(9),
            _ if resource.is_static() || status == 301 => match random.below(100) {
                // A slow connection.
                0 => random.between(1_000, 12_000),
                1..12 => random.between(40, 900),
                _ => random.between(1, 40),
            },
            _ => match random.below(100) {
                0..3 => random.between(1_000, 9_500),
                3..15 => random.between(200, 1_000),
                _ => random.between(12, 200),
            },
        }
    }
}
