//! One counted request, in 24 bytes.

use std::cmp::Ordering;

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

    /// The same of another group.
    #[inline]
    pub(super) const fn with_group(self, group: u32) -> Self {
        Self { packed: group << 8 | self.packed & 0xff, ..self }
    }

    /// Client and time in one word, which sorts fastest.
    #[inline]
    fn word(&self) -> u64 {
        u64::from(self.client) << 32 | u64::from(self.time)
    }

    /// By client, then by time. Of equal times: any fixed order will do, but it must be fixed.
    #[inline]
    fn in_order(&self, other: &Self) -> Ordering {
        let rest = |event: &Self| (event.fingerprint, event.agent, event.packed);
        self.word().cmp(&other.word()).then_with(|| rest(self).cmp(&rest(other)))
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

/// Sorts events, which stand by client, by time, and moves copies to the end; gives how many are none.
pub(super) fn settle(events: &mut [Event]) -> usize {
    for client in events.chunk_by_mut(|one, two| one.client == two.client) {
        client.sort_unstable_by_key(Event::word);
    }
    settle_ties(events);
    drop_copies(events)
}

/// Sorts those that have one client and time.
fn settle_ties(events: &mut [Event]) {
    for same in events.chunk_by_mut(|one, two| one.word() == two.word()) {
        if same.len() > 1 {
            same.sort_unstable_by(Event::in_order);
        }
    }
}

/// Drops copies, the same request id of one client again, from events that are sorted; gives how many remain.
fn drop_copies(events: &mut [Event]) -> usize {
    let mut ids = Vec::new();
    let before = events.len();
    let (mut from, mut to) = (0, 0);
    while from < before {
        let client = events[from].client;
        let of_client = events[from..].iter().take_while(|event| event.client == client).count();
        let own = &mut events[from..from + of_client];
        let kept = if has_copies(own, &mut ids) { settle_client(own) } else { of_client };
        // Without copies, as nearly always, everything stands where it belongs.
        if to < from {
            events.copy_within(from..from + kept, to);
        }
        to += kept;
        from += of_client;
    }
    to
}

/// Up to so many request ids are compared one by one with those before; more are sorted.
const FEW: usize = 24;

/// Whether a request id occurs twice among the events of a client.
fn has_copies(events: &[Event], ids: &mut Vec<u64>) -> bool {
    if events.len() <= FEW {
        return events.iter().enumerate().any(|(place, event)| {
            event.fingerprint != 0
                && events[..place].iter().any(|other| other.fingerprint == event.fingerprint)
        });
    }
    ids.clear();
    ids.extend(events.iter().map(|event| event.fingerprint).filter(|&id| id != 0));
    ids.sort_unstable();
    ids.windows(2).any(|pair| pair[0] == pair[1])
}

/// Sorts the events of one client by time and drops copies. Of copies that differ, the earliest stays, with
/// what any of them tells: one log may have the status, and the other the user agent. Gives the number of events
/// that remain.
#[cold]
fn settle_client(events: &mut [Event]) -> usize {
    events.sort_unstable_by_key(|event| (event.fingerprint, event.time, event.agent, event.packed));
    let mut kept = 1;
    for place in 1..events.len() {
        let event = events[place];
        let last = &mut events[kept - 1];
        if event.fingerprint == 0 || event.fingerprint != last.fingerprint {
            events[kept] = event;
            kept += 1;
        } else {
            last.packed |= u32::from(event.flags());
            last.agent = if last.agent == 0 { event.agent } else { last.agent };
        }
    }
    events[..kept].sort_unstable_by(Event::in_order);
    kept
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
        let kept = settle_client(&mut events);
        let times: Vec<u32> = events[..kept].iter().map(|event| event.time).collect();
        assert_eq!(times, [1, 3, 4, 4]);
    }

    /// A WAF log beside a standard one took the statuses away from it, and with them the signs of a runaway.
    #[test]
    fn a_request_that_two_logs_tell_of_is_known_by_both() {
        let of = |time, agent, flags: u8| Event {
            agent,
            packed: 5 << 8 | u32::from(flags),
            ..event(time, 9)
        };
        let (standard, waf) =
            (of(4, 0, flags::ERROR | flags::KNOWN), of(3, 6, flags::BROWSER | flags::PLAIN));
        for mut events in [[standard, waf], [waf, standard]] {
            assert_eq!(settle_client(&mut events), 1);
            let all = flags::ERROR | flags::KNOWN | flags::BROWSER | flags::PLAIN;
            assert_eq!(events[0], of(3, 6, all));
            assert_eq!(events[0].group(), 5);
        }
    }

    #[test]
    fn copies_are_found_among_few_and_many() {
        for many in [1, 2, FEW as u32, FEW as u32 + 1, 500] {
            let of =
                |client| move |time| Event { client, ..event(time, u64::from(time % 400) + 1) };
            let mut events: Vec<Event> = (0..many).map(of(7)).chain((0..many).map(of(3))).collect();
            events.extend((0..many).rev().filter(|time| time % 3 == 0).map(of(5)));
            events.extend(events.clone().into_iter().filter(|event| event.time % 2 == 1));
            events.sort_by_key(|event| event.client);
            let remain = settle(&mut events);
            events.truncate(remain);
            assert!(events.is_sorted_by(|one, two| one.in_order(two).is_lt()));
            let kept = many.min(400) as usize;
            let thirds = (0..many).filter(|time| time % 3 == 0).map(|time| time % 400);
            let thirds = thirds.collect::<std::collections::BTreeSet<_>>().len();
            assert_eq!(events.len(), 2 * kept + thirds);
        }
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
