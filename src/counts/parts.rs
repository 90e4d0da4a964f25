//! What the threads counted, put together part by part: no thread's table is ever copied as a whole.

use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use foldhash::fast::RandomState;
use rayon::prelude::*;

use super::chunks::Chunks;
use super::clients::{Clients, PARTS, PartTable, Translation, address_of, lines_of};
use super::event::{Event, settle};
use super::overflow::Overflow;
use super::table::KeyTable;
use super::texts::ShownTexts;

/// Keys and lines of addresses, then of texts.
pub(super) type Columns = [(Vec<u128>, Vec<u32>); 2];

/// What one thread knows of one part: in one stretch of its reading, or in all of it.
pub(super) struct PartSource {
    pub(super) columns: Columns,
    /// The place of each visit's address in the columns; `None` where requests tell it themselves.
    pub(super) visits: Option<Vec<u32>>,
    /// By route.
    pub(super) events: Vec<Chunks>,
}

impl PartSource {
    /// What a thread has in memory, by part.
    pub(super) fn all(tables: Vec<PartTable>, routes: Vec<Vec<Chunks>>) -> Vec<Self> {
        let mut routes: Vec<_> = routes.into_iter().map(Vec::into_iter).collect();
        let sources = tables.into_iter().map(|table| {
            let (columns, visits) = table.into_columns();
            let events = routes.iter_mut().filter_map(Iterator::next).collect();
            Self { columns, visits: Some(visits), events }
        });
        sources.collect()
    }

    /// Bytes of memory that it takes to put it together with others.
    pub(super) fn bytes(clients: usize, events: usize) -> usize {
        60 * clients + 2 * size_of::<Event>() * events
    }
}

/// Clients that share no /64 with those of other parts, with all their requests.
pub struct Part {
    /// Everybody of this part, also those who never called a route.
    pub clients: Clients,
    /// For each route, its requests by client number, then by time; copies dropped.
    pub events: Vec<Vec<Event>>,
    /// For each route, the copies that were dropped.
    pub duplicates: Vec<u64>,
}

/// The clients and the requests of the routes, in parts. What did not fit into memory is in a temporary
/// file.
pub struct Parts {
    /// For each part, what each thread has in memory.
    memory: Vec<Vec<PartSource>>,
    overflow: Vec<Overflow>,
    routes: usize,
    shown: Arc<ShownTexts>,
    state: RandomState,
    /// Bytes that parts out of a file may take at a time.
    room: usize,
}

impl Parts {
    pub(super) fn new(routes: usize, state: RandomState, room: usize) -> Self {
        Self {
            memory: std::iter::repeat_with(Vec::new).take(PARTS).collect(),
            overflow: Vec::new(),
            routes,
            shown: Arc::default(),
            state,
            room,
        }
    }

    /// The same of nobody.
    pub(super) fn empty(&self) -> Self {
        Self::new(self.routes, self.state.clone(), self.room)
    }

    /// Takes over what a thread has.
    pub(super) fn absorb(&mut self, sources: Vec<PartSource>, overflow: Option<Overflow>) {
        for (part, source) in self.memory.iter_mut().zip(sources) {
            part.push(source);
        }
        self.overflow.extend(overflow);
    }

    pub(super) fn show(&mut self, shown: ShownTexts) {
        self.shown = Arc::new(shown);
    }

    /// Bytes that went to a temporary file.
    #[must_use]
    pub fn overflowed(&self) -> u64 {
        self.overflow.iter().map(Overflow::bytes).sum()
    }

    /// Whether the address of any client is like this.
    ///
    /// # Errors
    /// When a temporary file cannot be read.
    pub fn any(&self, is: impl Fn(IpAddr) -> bool) -> io::Result<bool> {
        let has = |source: &PartSource| {
            source.columns[0].0.iter().any(|&address| is(address_of(address)))
        };
        if self.memory.iter().flatten().any(has) {
            return Ok(true);
        }
        for overflow in &self.overflow {
            for part in 0..PARTS {
                if overflow.read(part)?.iter().any(has) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Lines of all clients whose address is like this.
    ///
    /// # Errors
    /// When a temporary file cannot be read.
    pub(super) fn lines_of(&self, is: impl Fn(IpAddr) -> bool) -> io::Result<u64> {
        let lines = |source: &PartSource| {
            let [(addresses, lines), _] = &source.columns;
            lines_of(addresses, lines, &is)
        };
        let mut sum: u64 = self.memory.iter().flatten().map(lines).sum();
        for overflow in &self.overflow {
            for part in 0..PARTS {
                sum += overflow.read(part)?.iter().map(lines).sum::<u64>();
            }
        }
        Ok(sum)
    }

    /// Hands out every part, several at a time; gives what was made of them, in no order.
    ///
    /// # Errors
    /// When a temporary file cannot be read.
    pub fn map<T: Send>(self, each: impl Fn(Part) -> T + Sync) -> io::Result<Vec<T>> {
        let made = self.fold(Vec::new, |made, part| made.push(each(part)))?;
        Ok(made.into_iter().flatten().collect())
    }

    /// The same, where `look` is given what its thread made of earlier parts; what each thread made in the
    /// end is handed back, in no order.
    ///
    /// # Errors
    /// As of [`Self::map`].
    pub fn fold<T: Send>(
        self,
        start: impl Fn() -> T + Sync,
        look: impl Fn(&mut T, Part) + Sync,
    ) -> io::Result<Vec<T>> {
        let threads = rayon::current_num_threads();
        let together = if self.overflow.is_empty() {
            threads
        } else {
            let of_part = |part| self.overflow.iter().map(|file| file.room(part)).sum::<usize>();
            let largest = (0..PARTS).map(of_part).max().unwrap_or_default();
            (self.room / largest.max(1)).clamp(1, threads)
        };
        let Self { memory, overflow, routes, shown, state, .. } = self;
        let parts = Mutex::new(memory.into_iter().enumerate());
        let next = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
        (0..together)
            .into_par_iter()
            .map(|_| {
                let mut made = start();
                while let Some((part, mut sources)) = next() {
                    for file in &overflow {
                        sources.extend(file.read(part)?);
                    }
                    look(&mut made, Part::of(sources, routes, &shown, &state));
                }
                Ok(made)
            })
            .collect()
    }

    /// Everybody, by part, for whoever needs all clients at once; only where nothing overflowed. Numbers go by
    /// address. Gives the translations of each thread's numbers, too.
    pub(super) fn into_clients(self) -> (Vec<Clients>, Vec<Vec<Translation>>) {
        let Self { memory, shown, state, .. } = self;
        let threads = memory.first().map_or(0, Vec::len);
        let mut numbers: Vec<Vec<Translation>> =
            std::iter::repeat_with(Vec::new).take(threads).collect();
        let merged: Vec<(Columns, Vec<Translation>)> = memory
            .into_par_iter()
            .map(|sources| {
                let own = sources.into_iter().map(|source| (source.columns, source.visits));
                let ([addresses, texts], mut translations) = merge(own.collect(), &state);
                let (addresses, places) = by_key(addresses);
                translations.iter_mut().for_each(|own| own.renumber_addresses(&places));
                ([addresses, texts], translations)
            })
            .collect();
        let mut clients = Vec::with_capacity(PARTS);
        for (columns, translations) in merged {
            clients.push(Clients::new(columns, Arc::clone(&shown)));
            for (numbers, translation) in numbers.iter_mut().zip(translations) {
                numbers.push(translation);
            }
        }
        (clients, numbers)
    }
}

impl Part {
    fn of(
        sources: Vec<PartSource>,
        routes: usize,
        shown: &Arc<ShownTexts>,
        state: &RandomState,
    ) -> Self {
        let mut of_routes: Vec<Vec<Chunks>> =
            std::iter::repeat_with(Vec::new).take(routes).collect();
        let mut columns = Vec::with_capacity(sources.len());
        for source in sources {
            columns.push((source.columns, source.visits));
            for (route, events) in of_routes.iter_mut().zip(source.events) {
                route.push(events);
            }
        }
        let (columns, translations) = merge(columns, state);
        let clients = Clients::new(columns, Arc::clone(shown));
        let mut part = Self { clients, events: Vec::new(), duplicates: Vec::new() };
        for events in of_routes {
            let mut events = by_client(events, &translations, &part.clients);
            let remain = settle(&mut events);
            part.duplicates.push((events.len() - remain) as u64);
            events.truncate(remain);
            part.events.push(events);
        }
        part
    }
}

/// Puts tables of one part together, each with its visits; gives the translation of each one's numbers.
fn merge(
    sources: Vec<(Columns, Option<Vec<u32>>)>,
    state: &RandomState,
) -> (Columns, Vec<Translation>) {
    let mut addresses = Vec::with_capacity(sources.len());
    let mut texts = Vec::with_capacity(sources.len());
    let mut visits = Vec::with_capacity(sources.len());
    for ([of_addresses, of_texts], own_visits) in sources {
        addresses.push(of_addresses);
        texts.push(of_texts);
        visits.push(own_visits);
    }
    let (addresses, address_numbers) = merge_columns(addresses, state);
    let (texts, text_numbers) = merge_columns(texts, state);
    let of_source = |((addresses, texts), visits): (_, Option<Vec<u32>>)| {
        let translation = Translation::new(addresses, texts);
        match visits {
            Some(visits) => translation.of_visits(&visits),
            None => translation,
        }
    };
    let translations = address_numbers.into_iter().zip(text_numbers).zip(visits).map(of_source);
    ([addresses, texts], translations.collect())
}

/// Keys in their order with the lines of each, and the new place of each.
fn by_key((keys, lines): (Vec<u128>, Vec<u32>)) -> ((Vec<u128>, Vec<u32>), Vec<u32>) {
    let mut order: Vec<u32> = (0..keys.len() as u32).collect();
    order.sort_unstable_by_key(|&place| keys[place as usize]);
    let mut places = vec![0; keys.len()];
    for (new, &old) in (0..).zip(&order) {
        places[old as usize] = new;
    }
    let in_order = order.iter().map(|&old| old as usize);
    let columns =
        (in_order.clone().map(|old| keys[old]).collect(), in_order.map(|old| lines[old]).collect());
    (columns, places)
}

type Merged = ((Vec<u128>, Vec<u32>), Vec<Vec<u32>>);

fn merge_columns(mut sources: Vec<(Vec<u128>, Vec<u32>)>, state: &RandomState) -> Merged {
    let filled = sources.iter().filter(|(keys, _)| !keys.is_empty()).count();
    if filled <= 1 {
        let numbers = sources.iter().map(|(keys, _)| (0..keys.len() as u32).collect()).collect();
        let only = sources.iter().position(|(keys, _)| !keys.is_empty());
        return (
            only.map(|place| std::mem::take(&mut sources[place])).unwrap_or_default(),
            numbers,
        );
    }
    let most = sources.iter().map(|(keys, _)| keys.len()).max().unwrap_or_default();
    let mut table = KeyTable::with_capacity(most);
    let numbers = sources.into_iter().map(|(keys, lines)| {
        keys.into_iter().zip(lines).map(|(key, lines)| table.add(key, lines, state)).collect()
    });
    let numbers = numbers.collect();
    (table.into_columns(), numbers)
}

/// The requests of one route by client. Clients are numbered without gaps, so counting sorts them.
fn by_client(sources: Vec<Chunks>, translations: &[Translation], clients: &Clients) -> Vec<Event> {
    let all = sources.iter().map(Chunks::len).sum();
    if all == 0 {
        return Vec::new();
    }
    let mut next = vec![0_usize; clients.len() + 1];
    for (events, translation) in sources.iter().zip(translations) {
        for event in events.iter() {
            next[clients.place(translation.of(event.client)) + 1] += 1;
        }
    }
    for place in 1..next.len() {
        next[place] += next[place - 1];
    }
    let mut sorted = vec![Event::default(); all];
    for (events, translation) in sources.into_iter().zip(translations) {
        for event in events.into_pieces().flatten() {
            let client = translation.of(event.client);
            let place = &mut next[clients.place(client)];
            sorted[*place] = Event { client, ..event };
            *place += 1;
        }
    }
    sorted
}
