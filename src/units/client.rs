//! The aggregation key of a request: who is counted.

use std::cmp::Ordering;
use std::fmt::{self, Write as _};
use std::net::{IpAddr, Ipv6Addr};

/// A client, in one canonical spelling whatever the log wrote.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Client {
    /// One address. An IPv4-mapped IPv6 address is never stored here: it is its IPv4 address.
    Address(IpAddr),
    /// An IPv6 network of 64 bits, by its first address.
    Slash64(Ipv6Addr),
    /// Text that is no address, such as a masked `x.x.x.x`; kept as the log has it.
    Text(Box<str>),
}

impl Client {
    /// The canonical client of an address: IPv4-mapped IPv6 becomes IPv4.
    #[must_use]
    pub const fn from_address(address: IpAddr) -> Self {
        Self::Address(address.to_canonical())
    }

    /// The client that a person or a log wrote: an address in any spelling, else text.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        text.parse().map_or_else(|_| Self::Text(text.into()), Self::from_address)
    }

    /// The address, if the client is one address.
    #[must_use]
    pub const fn address(&self) -> Option<IpAddr> {
        match self {
            Self::Address(address) => Some(*address),
            Self::Slash64(_) | Self::Text(_) => None,
        }
    }

    /// Hands over the canonical text without keeping it: millions of clients are put in order by theirs.
    pub fn with_text<T>(&self, look: impl FnOnce(&[u8]) -> T) -> T {
        let mut text = ShortText { bytes: [0; 48], length: 0 };
        match self {
            Self::Text(own) => return look(own.as_bytes()),
            Self::Address(IpAddr::V4(address)) => {
                let [first, rest @ ..] = address.octets();
                text.push_octet(first);
                for octet in rest {
                    text.push(b'.');
                    text.push_octet(octet);
                }
            }
            Self::Address(IpAddr::V6(_)) | Self::Slash64(_) => {
                // The longest has 43 characters.
                let _ = write!(text, "{self}");
            }
        }
        look(&text.bytes[..text.length])
    }

    /// The /64 of an IPv6 address; every other client stays what it is.
    #[must_use]
    pub fn slash64(&self) -> Self {
        match self {
            Self::Address(IpAddr::V6(address)) => {
                Self::Slash64(Ipv6Addr::from(u128::from(*address) >> 64 << 64))
            }
            other => other.clone(),
        }
    }
}

/// Canonical text. Text that is no address may hold anything: escape it where it is printed.
impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(address) => address.fmt(f),
            Self::Slash64(network) => write!(f, "{network}/64"),
            Self::Text(text) => text.fmt(f),
        }
    }
}

/// Clients are ordered by their canonical text, in outputs and between equal peaks.
impl Ord for Client {
    fn cmp(&self, other: &Self) -> Ordering {
        self.with_text(|own| other.with_text(|others| own.cmp(others)))
    }
}

/// Room for the text of an address or a network.
struct ShortText {
    bytes: [u8; 48],
    length: usize,
}

impl ShortText {
    fn push(&mut self, byte: u8) {
        if let Some(place) = self.bytes.get_mut(self.length) {
            *place = byte;
            self.length += 1;
        }
    }

    fn push_octet(&mut self, octet: u8) {
        if octet >= 100 {
            self.push(b'0' + octet / 100);
        }
        if octet >= 10 {
            self.push(b'0' + octet / 10 % 10);
        }
        self.push(b'0' + octet % 10);
    }
}

impl fmt::Write for ShortText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.bytes().for_each(|byte| self.push(byte));
        Ok(())
    }
}

impl PartialOrd for Client {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_is_one_client() {
        let canonical = Client::from_text("2001:db8::1");
        assert_eq!(Client::from_text("2001:0DB8:0000:0000:0000:0000:0000:0001"), canonical);
        assert_eq!(Client::from_text("::ffff:192.0.2.7"), Client::from_text("192.0.2.7"));
        assert_eq!(canonical.slash64().to_string(), "2001:db8::/64");
        assert_eq!(Client::from_text("x.x.x.x").to_string(), "x.x.x.x");
    }

    #[test]
    fn the_short_text_is_the_text() {
        let mut all: Vec<Client> = [
            "0.0.0.0",
            "1.20.255.100",
            "192.0.2.9",
            "::1",
            "2001:db8:1111:2222:3333:4444:5555:6666",
            "a mask",
            "",
        ]
        .map(Client::from_text)
        .into();
        all.extend(all.clone().iter().map(Client::slash64));
        for one in &all {
            one.with_text(|text| assert_eq!(text, one.to_string().as_bytes()));
            for other in &all {
                assert_eq!(one.cmp(other), one.to_string().cmp(&other.to_string()));
            }
        }
    }
}
