//! Who is in the logs: the visitors, the machines and offices with a part of their own, and, if more
//! clients are asked for than a shop has visitors, an attacker with that many addresses.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::random::{blend, mix};
use super::role::Role;
use super::script::{self, Act};

/// Somebody with a part of their own.
#[derive(Clone, Debug)]
pub(super) struct Actor {
    pub(super) address: IpAddr,
    pub(super) role: Role,
    pub(super) act: Act,
}

/// Everybody, by number: actors, then visitors, then the addresses that are used once.
#[derive(Clone, Debug)]
pub(super) struct Cast {
    pub(super) seed: u64,
    pub(super) actors: Vec<Actor>,
    pub(super) visitors: u32,
    pub(super) rotating: u32,
    /// Visitors are introduced in steps of this many, so that the regular ones do not all come first.
    stride: u64,
}

/// IPv4 visitors, at most; the rest of 198.18.0.0/15 is for actors.
const MOST_V4: u32 = 120_000;

impl Cast {
    pub(super) fn new(script: script::Script) -> Self {
        let visitors = script.visitors;
        let stride = (0..)
            .map(|more| 2_654_435_761 % u64::from(visitors) + more)
            .find(|&stride| greatest_common_divisor(stride, u64::from(visitors)) == 1)
            .unwrap_or(1);
        Self {
            seed: script.seed,
            actors: script.actors,
            visitors,
            rotating: script.rotating,
            stride,
        }
    }

    /// The actor that a client's number stands for.
    pub(super) fn actor(&self, client: u32) -> Option<&Actor> {
        self.actors.get(client as usize)
    }

    /// The client that is the `rank`-th most frequent visitor.
    pub(super) const fn visitor(&self, rank: u32) -> u32 {
        self.actors.len() as u32 + rank
    }

    /// The client that is introduced as the `number`-th.
    pub(super) const fn newcomer(&self, number: u64) -> u32 {
        self.visitor((number * self.stride % self.visitors as u64) as u32)
    }

    /// The client that is the `number`-th address of the attacker who rotates them.
    pub(super) const fn rotated(&self, number: u64) -> u32 {
        self.visitor(self.visitors) + number as u32
    }

    /// Whether a client is an address of that attacker.
    pub(super) const fn is_rotated(&self, client: u32) -> bool {
        client >= self.visitor(self.visitors)
    }

    /// The address of a client; no two have the same. Only from the blocks for documentation
    /// (RFC 5737, RFC 3849) and benchmarks (RFC 2544).
    pub(super) fn address(&self, client: u32) -> IpAddr {
        if let Some(actor) = self.actor(client) {
            return actor.address;
        }
        if self.is_rotated(client) {
            let number = client - self.visitor(self.visitors);
            return rotated_address(self.seed, number);
        }
        let visitor = client - self.actors.len() as u32;
        let (tens, ones) = (visitor / 10, visitor % 10);
        let ordinal = tens * 7 + ones;
        if ones < 7 && ordinal < MOST_V4 { benchmark_address(ordinal) } else { self.v6(visitor) }
    }

    fn v6(&self, visitor: u32) -> IpAddr {
        // Now and then a household: two addresses in one /64.
        let network = if visitor % 20 == 9 { visitor - 1 } else { visitor };
        let network = network.wrapping_mul(0x9E37_79B1) & 0x7FFF_FFFF;
        let host = blend(&[self.seed, u64::from(visitor), 0x6057]);
        from_parts(u64::from(network), host)
    }
}

/// The `ordinal`-th address of 198.18.0.0/15, far from its neighbours.
pub(super) const fn benchmark_address(ordinal: u32) -> IpAddr {
    let scattered = ordinal.wrapping_mul(40_503).wrapping_add(77_777) & 0x1_FFFF;
    IpAddr::V4(Ipv4Addr::from_bits(0xC612_0000 | scattered))
}

/// Addresses of 198.18.0.0/15 that no visitor has.
pub(super) const fn abuser_address(number: u32) -> IpAddr {
    benchmark_address(MOST_V4 + number)
}

fn rotated_address(seed: u64, number: u32) -> IpAddr {
    // One /48 of 2001:db8::/32 with the upper half of the networks that `v6` leaves.
    let network = 0x8F00_0000 | u64::from(number & 0xFFFF);
    from_parts(network, mix(seed ^ u64::from(number)))
}

/// 2001:db8:, 32 bits of network, 64 bits of host.
const fn from_parts(network: u64, host: u64) -> IpAddr {
    let bits = 0x2001_0DB8_u128 << 96 | (network as u128) << 64 | host as u128;
    IpAddr::V6(Ipv6Addr::from_bits(bits))
}

const fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::demo::Plan;

    #[test]
    fn no_two_clients_share_an_address() {
        let plan = Plan { lines: 2_000_000, clients: Some(300_000), ..Plan::default() };
        let script = script::Script::new(&plan).unwrap();
        let cast = Cast::new(script);
        assert!(cast.rotating > 0);
        let everybody = cast.actors.len() as u32 + cast.visitors + cast.rotating;
        let addresses: HashSet<IpAddr> =
            (0..everybody).map(|number| cast.address(number)).collect();
        assert_eq!(addresses.len(), 300_000);
        let reserved = |address: &IpAddr| match address {
            IpAddr::V4(v4) => matches!(
                v4.octets(),
                [198, 18 | 19, ..] | [203, 0, 113, _] | [198, 51, 100, _] | [192, 0, 2, _]
            ),
            IpAddr::V6(v6) => v6.segments()[..2] == [0x2001, 0xDB8],
        };
        assert!(addresses.iter().all(reserved));
    }

    #[test]
    fn every_visitor_is_introduced_once() {
        let plan = Plan { lines: 30_000, clients: Some(400), ..Plan::default() };
        let cast = Cast::new(script::Script::new(&plan).unwrap());
        let seen: HashSet<u32> =
            (0..u64::from(cast.visitors)).map(|number| cast.newcomer(number)).collect();
        assert_eq!(seen.len(), cast.visitors as usize);
    }
}
