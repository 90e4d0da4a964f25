//! One counted request, in 24 bytes.

use rayon::prelude::*;

/// What else is known of a request; bits of [`Event::flags`].
pub mod flags {
    /// Answered 400 to 499.
    pub const ERROR: u8 = 1;
    /// Answered 429.
    pub const LIMITED: u8 = 1 << 1;
    /// Sent a referer.
    pub const REFERER: u8 = 1 << 2;
    /// Sent a browser's user agent.
    pub const BROWSER: u8 = 1 << 3;
    /// `x-forwarded-for` names another address.
    pub const FORWARDED: u8 = 1 << 4;
    /// The path was spelled exactly like the route.
    pub const PLAIN: u8 = 1 << 5;
    /// The log has referer and user agent.
    pub const KNOWN: u8 = 1 << 6;
}

/// One request of a route.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Event {
    /// Number of its client.
    pub client: u32,
    /// Arrival in seconds since 1970.
    pub time: u32,
    /// Hash of its request id; 0 if it has none (then it is never taken for a copy). Copies are looked
    /// for among the requests of one client, so that two of a million requests of one client are
    /// confused by chance once in 37 million such clients.
    pub fingerprint: u64,
    /// Hash of its user agent; 0 if it has none.
    pub agent: u32,
    /// Group of the survey, in the upper 24 bits, and flags in the lower 8.
    pub(super) packed: u32,
}

impl Event {
    /// See [`flags`].
    #[inline]
    #[must_use]
    pub const fn flags(self) -> u8 {
        self.packed as u8
    }

    #[inline]
    pub(super) const fn group(self) -> u32 {
        self.packed >> 8
    }

    pub(super) const BYTES: usize = 24;

    pub(super) fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..4].copy_from_slice(&self.client.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.time.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.fingerprint.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.agent.to_le_bytes());
        bytes[20..].copy_from_slice(&self.packed.to_le_bytes());
        bytes
    }

    pub(super) fn from_bytes(bytes: &[u8; Self::BYTES]) -> Self {
        let word = |at: usize| {
            u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        };
        Self {
            client: word(0),
            time: word(4),
            fingerprint: u64::from(word(8)) | u64::from(word(12)) << 32,
            agent: word(16),
            packed: word(20),
        }
    }
}

/// Sorts the events of one client by time and drops copies: the same request id again. Of copies
/// that differ, the earliest stays. Gives the number of events that remain.
fn settle_client(events: &mut [Event]) -> u32 {
    if events.len() < 2 {
        return events.len() as u32;
    }
    let mut kept = events.len();
    if events.iter().any(|event| event.fingerprint != 0) {
        events.sort_unstable_by_key(|event| {
            (event.fingerprint, event.time, event.agent, event.packed)
        });
        kept = 1;
        for place in 1..events.len() {
            let event = events[place];
            if event.fingerprint == 0 || event.fingerprint != events[kept - 1].fingerprint {
                events[kept] = event;
                kept += 1;
            }
        }
    }
    // Equal times: any fixed order will do, but it must be fixed.
    events[..kept]
        .sort_unstable_by_key(|event| (event.time, event.fingerprint, event.agent, event.packed));
    kept as u32
}

/// Fewer events are sorted by the calling thread: a survey has a million groups of a few requests, and
/// waking others takes longer than the work.
const WORTH_SHARING: usize = 1 << 12;

/// Sorts events by client and time and drops copies; gives how many.
pub(super) fn sort_and_settle(events: &mut Vec<Event>) -> u64 {
    if events.len() < WORTH_SHARING {
        events.sort_unstable_by_key(|event| event.client);
    } else {
        events.par_sort_unstable_by_key(|event| event.client);
    }
    settle(events)
}

/// Sorts events, which stand by client, by time and drops copies; gives how many.
pub(super) fn settle(events: &mut Vec<Event>) -> u64 {
    let same = |one: &Event, two: &Event| one.client == two.client;
    let kept: Vec<u32> = if events.len() < WORTH_SHARING {
        events.chunk_by_mut(same).map(settle_client).collect()
    } else {
        let clients: Vec<&mut [Event]> = events.chunk_by_mut(same).collect();
        clients.into_par_iter().map(settle_client).collect()
    };
    let before = events.len();
    if kept.iter().map(|&kept| kept as usize).sum::<usize>() == before {
        // No copies, as nearly always: everything stands where it belongs.
        return 0;
    }
    let mut chunks = kept.into_iter();
    let (mut from, mut to) = (0, 0);
    while from < before {
        let client = events[from].client;
        let end = from + events[from..].iter().take_while(|event| event.client == client).count();
        let keep = chunks.next().map_or(end - from, |kept| kept as usize);
        events.copy_within(from..from + keep, to);
        to += keep;
        from = end;
    }
    events.truncate(to);
    (before - to) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(time: u32, fingerprint: u64) -> Event {
        Event { client: 1, time, fingerprint, agent: 7, packed: 3 }
    }

    #[test]
    fn copies_go_and_the_earliest_stays() {
        let mut events = [event(9, 5), event(3, 5), event(4, 0), event(4, 0), event(1, 8)];
        let kept = settle_client(&mut events) as usize;
        let times: Vec<u32> = events[..kept].iter().map(|event| event.time).collect();
        assert_eq!(times, [1, 3, 4, 4]);
    }

    #[test]
    fn bytes_come_back() {
        let event = Event {
            client: 1 << 31,
            time: 7,
            fingerprint: u64::MAX - 3,
            agent: 9,
            packed: 0xabcd_ef12,
        };
        assert_eq!(Event::from_bytes(&event.to_bytes()), event);
        assert_eq!((event.group(), event.flags()), (0x00ab_cdef, 0x12));
    }
}
