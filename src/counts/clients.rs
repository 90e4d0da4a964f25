//! Every client that sent a line, with a number for each and a counter of its lines.

use std::hash::BuildHasher;
use std::net::{IpAddr, Ipv6Addr};

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use super::texts::ClientTexts;
use crate::units::Client;

/// Numbers of clients that are text (masked addresses) have this bit.
const TEXT: u32 = 1 << 31;
/// Characters of the longest address: eight groups of four digits with colons between them, or six and
/// an IPv4 address.
const LONGEST_ADDRESS: usize = 45;
/// Clients that are remembered by text: 200 KB, which stay in the processor's cache.
const RECENT: usize = 4_096;

/// An address as a log wrote it.
#[derive(Clone, Copy)]
struct Recent {
    bytes: [u8; LONGEST_ADDRESS],
    length: u8,
    number: u32,
}

impl Default for Recent {
    fn default() -> Self {
        Self { bytes: [0; LONGEST_ADDRESS], length: 0, number: 0 }
    }
}

impl Recent {
    fn new(text: &[u8], number: u32) -> Self {
        let mut bytes = [0; LONGEST_ADDRESS];
        bytes[..text.len()].copy_from_slice(text);
        Self { bytes, length: text.len() as u8, number }
    }

    #[inline]
    fn text(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }
}

/// The clients of everything that was read. Numbers are given in order of appearance and mean
/// nothing outside.
///
/// Hashes are seeded at random: an attacker chooses the addresses.
#[derive(Default)]
pub struct Clients {
    /// Who was seen last, by the text of the log: a client's lines stand close together, and this
    /// spares reading its address again. Empty until the first line.
    recent: Vec<Recent>,
    /// IPv6 addresses as numbers, IPv4 as IPv4-mapped IPv6.
    addresses: Vec<u128>,
    address_lines: Vec<u32>,
    index: HashTable<u32>,
    state: RandomState,
    /// Clients that are text.
    texts: ClientTexts,
}

impl Clients {
    /// The number of the client with this text, after counting one line for it.
    #[inline]
    pub(crate) fn count_line(&mut self, text: &[u8]) -> u32 {
        if text.len() > LONGEST_ADDRESS {
            return self.texts.count_line(text) | TEXT;
        }
        if self.recent.is_empty() {
            self.recent.resize_with(RECENT, Recent::default);
        }
        let place = self.state.hash_one(text) as usize % RECENT;
        let recent = &self.recent[place];
        if recent.text() == text {
            let number = recent.number;
            self.address_lines[number as usize] =
                self.address_lines[number as usize].saturating_add(1);
            return number;
        }
        let Some(address) = parse(text) else { return self.texts.count_line(text) | TEXT };
        let number = self.add(address, 1);
        self.recent[place] = Recent::new(text, number);
        number
    }

    #[inline]
    fn add(&mut self, address: u128, lines: u32) -> u32 {
        let Self { addresses, index, state, .. } = self;
        let hash = state.hash_one(address);
        let entry = index.entry(
            hash,
            |&number| addresses[number as usize] == address,
            |&number| state.hash_one(addresses[number as usize]),
        );
        let number = match entry {
            hashbrown::hash_table::Entry::Occupied(found) => *found.get(),
            hashbrown::hash_table::Entry::Vacant(free) => {
                let number = addresses.len() as u32;
                free.insert(number);
                self.addresses.push(address);
                self.address_lines.push(0);
                number
            }
        };
        let counter = &mut self.address_lines[number as usize];
        *counter = counter.saturating_add(lines);
        number
    }

    /// Takes over the clients of another table; gives the translation of its numbers.
    pub(super) fn absorb(&mut self, other: &Self) -> Translation {
        let addresses = other
            .addresses
            .iter()
            .zip(&other.address_lines)
            .map(|(&address, &lines)| self.add(address, lines))
            .collect();
        let texts =
            self.texts.absorb(&other.texts).into_iter().map(|number| number | TEXT).collect();
        Translation { addresses, texts }
    }

    /// Who has this number.
    #[must_use]
    pub fn client(&self, number: u32) -> Client {
        if number & TEXT == 0 {
            Client::from_address(IpAddr::V6(Ipv6Addr::from(self.addresses[number as usize])))
        } else {
            Client::Text(self.texts.text(number & !TEXT))
        }
    }

    /// Lines of this client in everything that was read.
    #[must_use]
    pub fn lines(&self, number: u32) -> u32 {
        if number & TEXT == 0 {
            self.address_lines[number as usize]
        } else {
            self.texts.lines(number & !TEXT)
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
        let address = |&number: &u128| IpAddr::V6(Ipv6Addr::from(number)).to_canonical();
        self.addresses.iter().map(address).any(is)
    }

    /// Lines of all clients whose address is like this.
    pub(super) fn lines_of(&self, is: impl Fn(IpAddr) -> bool) -> u64 {
        let all = self.addresses.iter().zip(&self.address_lines);
        all.filter(|(address, _)| is(IpAddr::V6(Ipv6Addr::from(**address)).to_canonical()))
            .map(|(_, &lines)| u64::from(lines))
            .sum()
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
}

/// Numbers of one table in terms of another.
pub(super) struct Translation {
    addresses: Vec<u32>,
    texts: Vec<u32>,
}

impl Translation {
    #[inline]
    pub(super) fn of(&self, number: u32) -> u32 {
        if number & TEXT == 0 {
            self.addresses[number as usize]
        } else {
            self.texts[(number & !TEXT) as usize]
        }
    }
}

const MAPPED: u128 = 0xffff << 32;

fn network64(address: u128) -> Option<u64> {
    (address >> 32 != 0xffff).then_some((address >> 64) as u64)
}

/// An address in any spelling as a number, IPv4 as IPv4-mapped IPv6.
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

    #[test]
    fn spellings_are_one_client_and_masks_stay_text() {
        let mut clients = Clients::default();
        let first = clients.count_line(b"2001:db8::1");
        assert_eq!(clients.count_line(b"2001:0DB8:0:0:0:0:0:1"), first);
        let v4 = clients.count_line(b"192.0.2.7");
        assert_eq!(clients.count_line(b"::ffff:192.0.2.7"), v4);
        let masked = clients.count_line(b"x.x.x.x");
        assert_eq!(clients.client(masked).to_string(), "x.x.x.x");
        assert_eq!(clients.client(v4).to_string(), "192.0.2.7");
        assert_eq!((clients.lines(first), clients.lines(v4), clients.lines(masked)), (2, 2, 1));
        assert_eq!((clients.len(), clients.masked()), (3, 1));
        assert_eq!((clients.slash64(v4), clients.slash64(first)), (None, Some(0x2001_0db8 << 32)));
    }

    #[test]
    fn tables_add_up() {
        let (mut one, mut two) = (Clients::default(), Clients::default());
        one.count_line(b"192.0.2.1");
        let number = two.count_line(b"192.0.2.2");
        let text = two.count_line(b"masked");
        two.count_line(b"192.0.2.1");
        let translation = one.absorb(&two);
        assert_eq!(one.client(translation.of(number)).to_string(), "192.0.2.2");
        assert_eq!(one.client(translation.of(text)).to_string(), "masked");
        assert_eq!(one.lines(0), 2);
    }

    proptest! {
        #[test]
        fn addresses_are_read_like_the_standard_library_reads_them(text in "[0-9.]{0,16}|([0-9]{1,3}\\.){3}[0-9]{1,3}") {
            let expected = text.parse::<Ipv4Addr>().ok().map(u32::from);
            prop_assert_eq!(parse_v4(text.as_bytes()), expected);
        }
    }
}
