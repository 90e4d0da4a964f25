//! The groups of a survey with their requests, handed out by part of the clients.

use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::agents::AgentTexts;
use super::clients::{Clients, PARTS, Translation};
use super::event::{Event, settle};
use super::groups::Groups;
use super::spill::{Spill, Use};
use super::worker::GroupTally;

/// The groups of a survey with their requests.
#[derive(Default)]
pub struct GroupedEvents {
    /// By part; until everything was read there are none.
    clients: Vec<Clients>,
    /// The groups.
    pub groups: Groups,
    /// How the user agents of everything that was counted read.
    pub agents: Arc<AgentTexts>,
    sources: Vec<Source>,
    /// Bytes that parts may take at a time.
    room: usize,
}

/// What one worker has.
struct Source {
    spill: Spill,
    /// The numbers of its clients, by part.
    numbers: Vec<Translation>,
}

/// Requests of clients that share no /64 with those of other parts, by group.
pub struct GroupsOfPart {
    events: Vec<Event>,
    groups: Vec<OfGroup>,
}

/// Where the requests of a group lie.
struct OfGroup {
    group: u32,
    start: usize,
    length: usize,
    copies: u64,
}

/// The requests of a group that are of a part.
#[derive(Clone, Copy)]
pub struct GroupOfPart<'a> {
    /// The number of the group; its place among those that were asked for, if some were.
    pub group: u32,
    /// By client number, then by time; copies dropped.
    pub events: &'a [Event],
    /// Copies that were dropped.
    pub copies: u64,
}

impl GroupsOfPart {
    /// Every group with requests of this part.
    pub fn iter(&self) -> impl Iterator<Item = GroupOfPart<'_>> {
        self.groups.iter().map(|&OfGroup { group, start, length, copies }| GroupOfPart {
            group,
            events: &self.events[start..start + length],
            copies,
        })
    }
}

impl GroupedEvents {
    pub(super) fn new(room: usize) -> Self {
        Self { room, ..Self::default() }
    }

    /// Takes over what a worker has.
    pub(super) fn absorb(&mut self, own: GroupTally) {
        let GroupTally { groups, mut spill, .. } = own;
        spill.renumber(&self.groups.absorb(groups));
        spill.seal();
        self.sources.push(Source { spill, numbers: Vec::new() });
        if self.groups.are_too_many() {
            self.keep_most();
        }
    }

    fn keep_most(&mut self) {
        if let Some(numbers) = self.groups.keep_most() {
            self.sources.iter_mut().for_each(|source| source.spill.renumber(&numbers));
        }
    }

    /// All workers are done: everybody by part, and the numbers that each worker gave them.
    pub(super) fn seal(
        &mut self,
        agents: &Arc<AgentTexts>,
        clients: Vec<Clients>,
        numbers: Vec<Vec<Translation>>,
    ) {
        self.keep_most();
        for (source, numbers) in self.sources.iter_mut().zip(numbers) {
            source.numbers = numbers;
        }
        self.agents = Arc::clone(agents);
        self.clients = clients;
    }

    /// Whether the address of any client is like this.
    pub fn any(&self, is: impl Fn(IpAddr) -> bool) -> bool {
        self.clients.iter().any(|clients| clients.any(&is))
    }

    /// Lines of all clients whose address is like this.
    pub(super) fn lines_of(&self, is: impl Fn(IpAddr) -> bool) -> u64 {
        self.clients.iter().map(|clients| clients.lines_of(&is)).sum()
    }

    /// Distinct clients that are no address.
    pub(super) fn masked(&self) -> u64 {
        self.clients.iter().map(Clients::masked).sum()
    }

    /// Hands out the requests of all groups, part by part, several at a time. `look` is given what its thread made
    /// of earlier parts; what each thread made in the end is handed back, in no order.
    ///
    /// # Errors
    /// When the temporary file that a large survey keeps its requests in cannot be read.
    pub fn fold<T: Send>(
        &self,
        start: impl Fn() -> T + Sync,
        look: impl Fn(&mut T, &Clients, &GroupsOfPart) + Sync,
    ) -> io::Result<Vec<T>> {
        self.hand_out(&Places { places: None, number: self.groups.len() }, start, look)
    }

    /// The same for some groups, in their place in a list. Assets have no requests here.
    ///
    /// # Errors
    /// As of [`Self::fold`].
    pub fn fold_some<T: Send>(
        &self,
        groups: &[u32],
        start: impl Fn() -> T + Sync,
        look: impl Fn(&mut T, &Clients, &GroupsOfPart) + Sync,
    ) -> io::Result<Vec<T>> {
        let mut places = vec![None; self.groups.len()];
        for (place, &group) in groups.iter().enumerate() {
            places[group as usize] = Some(place as u32);
        }
        self.hand_out(&Places { places: Some(places), number: groups.len() }, start, look)
    }

    fn hand_out<T: Send>(
        &self,
        places: &Places,
        start: impl Fn() -> T + Sync,
        look: impl Fn(&mut T, &Clients, &GroupsOfPart) + Sync,
    ) -> io::Result<Vec<T>> {
        let parts = self.clients.len();
        let count = |part| self.count(part, places.uses());
        let largest = (0..parts).map(count).max().unwrap_or_default();
        let room = self.room / (2 * size_of::<Event>() * largest).max(1);
        let together = room.clamp(1, rayon::current_num_threads()).min(PARTS);
        let next = AtomicUsize::new(0);
        (0..together)
            .into_par_iter()
            .map(|_| {
                let mut made = start();
                loop {
                    let part = next.fetch_add(1, Ordering::Relaxed);
                    let Some(clients) = self.clients.get(part) else { return Ok(made) };
                    look(&mut made, clients, &self.part(part, places)?);
                }
            })
            .collect()
    }

    fn count(&self, part: usize, uses: &[Use]) -> usize {
        let of =
            |source: &Source| uses.iter().map(|&of| source.spill.count(part, of)).sum::<usize>();
        self.sources.iter().map(of).sum()
    }

    fn part(&self, part: usize, places: &Places) -> io::Result<GroupsOfPart> {
        let clients = &self.clients[part];
        let mut events = Vec::with_capacity(self.count(part, places.uses()));
        for source in &self.sources {
            let numbers = &source.numbers[part];
            for &of in places.uses() {
                source.spill.events(part, of, |event| {
                    if let Some(place) = places.of(event.group()) {
                        let client = numbers.of(event.client);
                        events.push(Event { client, ..event.with_group(place) });
                    }
                })?;
            }
        }
        let mut sorted = vec![Event::default(); events.len()];
        put_by(&events, &mut sorted, clients.len(), |event| clients.place(event.client));
        let ends = put_by(&sorted, &mut events, places.number, |event| event.group() as usize);
        drop(sorted);
        let mut groups = Vec::new();
        let mut start = 0;
        for (group, end) in (0..).zip(ends) {
            if end > start {
                let length = settle(&mut events[start..end]);
                let copies = (end - start - length) as u64;
                groups.push(OfGroup { group, start, length, copies });
                start = end;
            }
        }
        Ok(GroupsOfPart { events, groups })
    }
}

/// Which groups are looked at.
struct Places {
    /// `None` for all of them, in their own places.
    places: Option<Vec<Option<u32>>>,
    number: usize,
}

impl Places {
    #[inline]
    fn of(&self, group: u32) -> Option<u32> {
        match &self.places {
            Some(places) => places[group as usize],
            None => Some(group),
        }
    }

    const fn uses(&self) -> &[Use] {
        if self.places.is_some() { &[Use::Analysed] } else { &[Use::Analysed, Use::Counted] }
    }
}

/// Sorts by a number below `numbers`, which counting does, and leaves equals as they stand. Gives for each number where
/// it ends.
fn put_by(
    events: &[Event],
    sorted: &mut [Event],
    numbers: usize,
    number: impl Fn(&Event) -> usize,
) -> Vec<usize> {
    let mut next = vec![0; numbers + 1];
    for event in events {
        next[number(event) + 1] += 1;
    }
    for place in 1..next.len() {
        next[place] += next[place - 1];
    }
    for event in events {
        let place = &mut next[number(event)];
        sorted[*place] = *event;
        *place += 1;
    }
    next.truncate(numbers);
    next
}
