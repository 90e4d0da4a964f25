//! Every client that sent a line, with a number for each and a counter of its lines.

use std::hash::BuildHasher;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;

use foldhash::fast::RandomState;

use super::recent::RecentClients;
use super::table::KeyTable;
use super::texts::{ShownTexts, hash_of};
use super::visits::Visits;
use crate::units::Client;

/// Clients are divided into so many parts, by a hash of their /64 (IPv4: of their address): parts have no
/// client and no /64 in common, so that each can be looked at without the others.
pub(super) const PARTS: usize = 1 << PART_BITS;
const PART_BITS: u32 = 6;
/// Clients of one kind and part that have numbers. More are never held: see [`ClientTable::is_full`].
const MOST_IN_PART: usize = 1 << (31 - PART_BITS);

/// The part of the client with this number of a [`ClientTable`].
#[inline]
pub(super) const fn part_of(number: u32) -> usize {
    number as usize % PARTS
}

/// Its place among the clients of its kind in this part.
#[inline]
const fn place_of(number: u32) -> usize {
    ((number & !TEXT) >> PART_BITS) as usize
}

/// Numbers of clients that are text (masked addresses) have this bit.
const TEXT: u32 = 1 << 31;

/// Who sent a request, without a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ClientKey {
    /// An address as a number, IPv4 as IPv4-mapped IPv6.
    Address(u128),
    /// The hash of a text that is none.
    Text(u128),
}

impl ClientKey {
    pub(super) fn of(text: &[u8]) -> Self {
        parse(text).map_or_else(|| Self::Text(hash_of(text)), Self::Address)
    }

    pub(super) fn shown(self, shown: &ShownTexts) -> Client {
        match self {
            Self::Address(address) => Client::from_address(address_of(address)),
            Self::Text(hash) => Client::Text(shown.text(hash)),
        }
    }
}

/// The clients that one thread saw, by part. Numbers mean nothing outside.
///
/// Hashes are seeded at random: an attacker chooses the addresses.
pub(super) struct ClientTable {
    /// Who was seen last, with lines that are not in `parts` yet.
    recent: RecentClients,
    parts: Vec<PartTable>,
    /// The same for all threads.
    state: RandomState,
    /// How clients that are text read.
    shown: ShownTexts,
}

/// The clients of one part.
#[derive(Default)]
pub(super) struct PartTable {
    /// IPv6 addresses as numbers, IPv4 as IPv4-mapped IPv6. A number is that of a visit: a client that
    /// comes again may have several.
    addresses: Visits,
    /// Clients that are text, by a hash of 128 bits.
    texts: KeyTable,
}

impl ClientTable {
    pub(super) fn new(state: RandomState) -> Self {
        Self {
            recent: RecentClients::default(),
            parts: Self::no_parts(),
            state,
            shown: ShownTexts::default(),
        }
    }

    fn no_parts() -> Vec<PartTable> {
        std::iter::repeat_with(PartTable::default).take(PARTS).collect()
    }

    /// The number of the client with this text, after counting one line for it.
    #[inline]
    pub(super) fn count_line(&mut self, text: &[u8]) -> u32 {
        match self.recent.count_line(text) {
            Some(number) => number,
            None => self.count_other(text),
        }
    }

    fn count_other(&mut self, text: &[u8]) -> u32 {
        let Some(address) = parse(text) else { return self.count_text(text) };
        let part = self.part(network64(address).unwrap_or(address as u64));
        let number = numbered(self.parts[part].addresses.add(address, &self.state), part);
        if let Some((other, lines)) = self.recent.remember(text, number) {
            self.count(other, lines);
        }
        number
    }

    #[inline]
    fn count(&mut self, number: u32, lines: u32) {
        self.parts[part_of(number)].addresses.count(place_of(number) as u32, lines);
    }

    fn count_text(&mut self, text: &[u8]) -> u32 {
        let hash = hash_of(text);
        let part = self.part(hash as u64);
        let texts = &mut self.parts[part].texts;
        let known = texts.len();
        let place = texts.add(hash, 1, &self.state);
        if texts.len() > known {
            self.shown.note(hash, text);
        }
        numbered(place, part) | TEXT
    }

    /// The part of what hashes like this. The bits are others than those that a table uses.
    #[inline]
    fn part(&self, key: u64) -> usize {
        (self.state.hash_one(key) >> 40) as usize % PARTS
    }

    /// Bytes of memory of what grows with the number of clients.
    pub(super) fn bytes(&self) -> usize {
        let parts = self.parts.iter();
        parts.map(|part| part.addresses.bytes() + part.texts.bytes()).sum()
    }

    /// How many clients there are, at least.
    pub(super) fn len(&self) -> usize {
        self.parts.iter().map(|part| part.addresses.keys() + part.texts.len()).sum()
    }

    /// Whether numbers could run out soon.
    pub(super) fn is_full(&self) -> bool {
        let most = MOST_IN_PART - MOST_IN_PART / 4;
        self.parts.iter().any(|part| part.addresses.len().max(part.texts.len()) > most)
    }

    /// Hands out all clients, by part, and starts anew. Numbers given before mean these.
    pub(super) fn take_parts(&mut self) -> Vec<PartTable> {
        for (number, lines) in self.recent.take() {
            self.count(number, lines);
        }
        self.parts.iter_mut().for_each(|part| part.addresses.settle(&self.state));
        std::mem::replace(&mut self.parts, Self::no_parts())
    }

    /// How clients that are text read.
    pub(super) fn take_shown(&mut self) -> ShownTexts {
        std::mem::take(&mut self.shown)
    }
}

#[inline]
const fn numbered(place: u32, part: usize) -> u32 {
    place << PART_BITS | part as u32
}

impl PartTable {
    /// Columns to a table, with no key twice.
    pub(super) fn columns(&self) -> [(&[u128], &[u32]); 2] {
        [self.addresses.columns().0, self.texts.columns()]
    }

    /// The place in the columns of a client of this part, as a number.
    #[inline]
    pub(super) fn settled(&self, number: u32) -> u32 {
        if number & TEXT != 0 {
            return number;
        }
        let (_, numbers) = self.addresses.columns();
        numbered(numbers[place_of(number)], part_of(number))
    }

    /// The columns, and the place in the first one for each visit.
    pub(super) fn into_columns(self) -> (KeyedLines, Vec<u32>) {
        let (addresses, visits) = self.addresses.into_columns();
        ([addresses, self.texts.into_columns()], visits)
    }
}

/// Keys and the lines of each: first addresses, then texts.
pub(super) type KeyedLines = [(Vec<u128>, Vec<u32>); 2];

/// Clients with the lines of each in everything that was read: those of one part, or all of them. Numbers
/// mean nothing outside.
#[derive(Clone, Default)]
pub struct Clients {
    /// IPv6 addresses as numbers, IPv4 as IPv4-mapped IPv6.
    addresses: Vec<u128>,
    address_lines: Vec<u32>,
    /// Hashes of clients that are text.
    texts: Vec<u128>,
    text_lines: Vec<u32>,
    shown: Arc<ShownTexts>,
}

impl Clients {
    /// From columns as [`PartTable::into_columns`] gives them, no key twice.
    pub(super) fn new(columns: KeyedLines, shown: Arc<ShownTexts>) -> Self {
        let [(addresses, address_lines), (texts, text_lines)] = columns;
        Self { addresses, address_lines, texts, text_lines, shown }
    }

    /// Who has this number.
    #[must_use]
    pub fn client(&self, number: u32) -> Client {
        if number & TEXT == 0 {
            Client::from_address(address_of(self.addresses[number as usize]))
        } else {
            Client::Text(self.shown.text(self.texts[(number & !TEXT) as usize]))
        }
    }

    /// Lines of this client in everything that was read.
    #[must_use]
    pub fn lines(&self, number: u32) -> u32 {
        if number & TEXT == 0 {
            self.address_lines[number as usize]
        } else {
            self.text_lines[(number & !TEXT) as usize]
        }
    }

    /// The first 64 bits of an IPv6 client; `None` for IPv4 and text.
    #[must_use]
    pub fn slash64(&self, number: u32) -> Option<u64> {
        (number & TEXT == 0).then(|| self.addresses[number as usize]).and_then(network64)
    }

    /// Every IPv6 client's first 64 bits with its lines.
    pub fn slash64_lines(&self) -> impl Iterator<Item = (u64, u32)> {
        self.addresses
            .iter()
            .zip(&self.address_lines)
            .filter_map(|(&address, &lines)| Some((network64(address)?, lines)))
    }

    /// Whether the address of any client is like this.
    pub fn any(&self, is: impl Fn(IpAddr) -> bool) -> bool {
        self.addresses.iter().map(|&address| address_of(address)).any(is)
    }

    /// The numbers of all, in no order that means anything.
    pub fn numbers(&self) -> impl Iterator<Item = u32> {
        let texts = (0..self.texts.len() as u32).map(|number| number | TEXT);
        (0..self.addresses.len() as u32).chain(texts)
    }

    /// Lines of all clients whose address is like this.
    pub(super) fn lines_of(&self, is: impl Fn(IpAddr) -> bool) -> u64 {
        lines_of(&self.addresses, &self.address_lines, is)
    }

    /// Distinct clients.
    #[must_use]
    pub fn len(&self) -> usize {
        self.addresses.len() + self.texts.len()
    }

    /// Whether nobody sent anything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Distinct clients that are no address.
    #[must_use]
    pub fn masked(&self) -> u64 {
        self.texts.len() as u64
    }

    /// How many addresses come before the texts where both are counted in one row.
    pub(super) fn place(&self, number: u32) -> usize {
        if number & TEXT == 0 {
            number as usize
        } else {
            self.addresses.len() + (number & !TEXT) as usize
        }
    }
}

/// Lines of the addresses that are like this.
pub(super) fn lines_of(addresses: &[u128], lines: &[u32], is: impl Fn(IpAddr) -> bool) -> u64 {
    let own = addresses.iter().zip(lines).filter(|(address, _)| is(address_of(**address)));
    own.map(|(_, &lines)| u64::from(lines)).sum()
}

/// Who belongs to an address as [`ClientTable`] keeps it.
pub(super) fn address_of(key: u128) -> IpAddr {
    IpAddr::V6(Ipv6Addr::from(key)).to_canonical()
}

/// Numbers of one part of a [`ClientTable`] in terms of [`Clients`].
pub(super) struct Translation {
    addresses: Vec<u32>,
    texts: Vec<u32>,
}

impl Translation {
    /// From the places in the merged columns.
    pub(super) fn new(addresses: Vec<u32>, texts: Vec<u32>) -> Self {
        Self { addresses, texts: texts.into_iter().map(|number| number | TEXT).collect() }
    }

    #[inline]
    pub(super) fn of(&self, number: u32) -> u32 {
        if number & TEXT == 0 {
            self.addresses[place_of(number)]
        } else {
            self.texts[place_of(number)]
        }
    }

    /// The same for visits, of which each has its place in the columns.
    pub(super) fn of_visits(mut self, visits: &[u32]) -> Self {
        self.addresses = visits.iter().map(|&place| self.addresses[place as usize]).collect();
        self
    }

    /// Addresses have other places now.
    pub(super) fn renumber_addresses(&mut self, places: &[u32]) {
        self.addresses.iter_mut().for_each(|place| *place = places[*place as usize]);
    }
}

const MAPPED: u128 = 0xffff << 32;

fn network64(address: u128) -> Option<u64> {
    (address >> 32 != 0xffff).then_some((address >> 64) as u64)
}

/// An address in any spelling as a number, IPv4 as IPv4-mapped IPv6.
#[inline]
#[must_use]
pub fn address_number(text: &[u8]) -> Option<u128> {
    parse(text)
}

#[inline]
fn parse(text: &[u8]) -> Option<u128> {
    if let Some(address) = parse_v4(text) {
        return Some(MAPPED | u128::from(address));
    }
    std::str::from_utf8(text).ok()?.parse::<Ipv6Addr>().ok().map(u128::from)
}

/// Dotted IPv4. By hand, because it is done for every line.
#[inline]
fn parse_v4(text: &[u8]) -> Option<u32> {
    if !(7..=15).contains(&text.len()) {
        return None;
    }
    let (mut address, mut part, mut digits, mut dots) = (0_u32, 0_u32, 0, 0);
    for &byte in text {
        if byte.is_ascii_digit() {
            // `01` is no decimal number to some and octal to others: not an address.
            if digits == 3 || (digits > 0 && part == 0) {
                return None;
            }
            part = part * 10 + u32::from(byte - b'0');
            digits += 1;
        } else if byte == b'.' && digits > 0 && dots < 3 && part < 256 {
            address = address << 8 | part;
            (part, digits, dots) = (0, 0, dots + 1);
        } else {
            return None;
        }
    }
    (dots == 3 && digits > 0 && part < 256).then_some(address << 8 | part)
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use proptest::prelude::*;

    use super::*;

    use super::super::parts::{PartSource, Parts};

    /// All clients of some tables by part, and the translations of each table's numbers.
    fn merged(tables: Vec<ClientTable>) -> (Vec<Clients>, Vec<Vec<Translation>>) {
        let mut parts = Parts::new(0, tables[0].state.clone(), 0);
        let mut shown = ShownTexts::default();
        for mut table in tables {
            parts.absorb(PartSource::all(table.take_parts(), Vec::new()), None);
            shown.absorb(table.take_shown());
        }
        parts.show(shown);
        parts.into_clients()
    }

    #[test]
    fn spellings_are_one_client_and_masks_stay_text() {
        let mut table = ClientTable::new(RandomState::default());
        let first = table.count_line(b"2001:db8::1");
        let spelled = table.count_line(b"2001:0DB8:0:0:0:0:0:1");
        let v4 = table.count_line(b"192.0.2.7");
        let mapped = table.count_line(b"::ffff:192.0.2.7");
        let masked = table.count_line(b"x.x.x.x");
        let near = table.count_line(b"2001:db8::2");
        assert_eq!(part_of(near), part_of(first), "parts have no /64 in common");
        let (clients, numbers) = merged(vec![table]);
        let of = |number: u32| numbers[0][part_of(number)].of(number);
        let part = |number: u32| &clients[part_of(number)];
        let name = |number: u32| part(number).client(of(number)).to_string();
        assert_eq!((of(spelled), of(mapped)), (of(first), of(v4)));
        assert_eq!((name(masked), name(v4)), ("x.x.x.x".to_owned(), "192.0.2.7".to_owned()));
        assert_eq!([first, v4, masked].map(|number| part(number).lines(of(number))), [2, 2, 1]);
        assert!(of(near) > of(first), "numbers go by address");
        assert_eq!(clients.iter().map(Clients::len).sum::<usize>(), 4);
        assert_eq!(clients.iter().map(Clients::masked).sum::<u64>(), 1);
        assert_eq!(part(v4).slash64(of(v4)), None);
        assert_eq!(part(first).slash64(of(first)), Some(0x2001_0db8 << 32));
    }

    #[test]
    fn tables_add_up() {
        let state = RandomState::default();
        let (mut one, mut two) = (ClientTable::new(state.clone()), ClientTable::new(state));
        let shared = one.count_line(b"192.0.2.1");
        let number = two.count_line(b"192.0.2.2");
        let text = two.count_line(b"masked");
        let again = two.count_line(b"192.0.2.1");
        let (clients, numbers) = merged(vec![one, two]);
        let of = |table: usize, number: u32| numbers[table][part_of(number)].of(number);
        let name = |number: u32| clients[part_of(number)].client(of(1, number)).to_string();
        assert_eq!((name(number), name(text)), ("192.0.2.2".to_owned(), "masked".to_owned()));
        assert_eq!((part_of(shared), of(0, shared)), (part_of(again), of(1, again)));
        assert_eq!(clients[part_of(shared)].lines(of(0, shared)), 2);
        assert_eq!(clients.iter().map(Clients::len).sum::<usize>(), 3);
    }

    proptest! {
        #[test]
        fn addresses_are_read_like_the_standard_library_reads_them(text in "[0-9.]{0,16}|([0-9]{1,3}\\.){3}[0-9]{1,3}") {
            let expected = text.parse::<Ipv4Addr>().ok().map(u32::from);
            prop_assert_eq!(parse_v4(text.as_bytes()), expected);
        }
    }
}
