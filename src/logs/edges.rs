//! Addresses from which CloudFront calls origins.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Whether CloudFront calls origins from this address. The list grows by the month, and an address that is
/// missing in it is taken for a client like any other.
#[must_use]
pub fn is_cloudfront_edge(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => last_from(&EDGES_V4, address).is_some_and(|(network, length)| {
            let mask = u32::MAX << (32 - length);
            address.to_bits() & mask == network.to_bits()
        }),
        IpAddr::V6(address) => last_from(&EDGES_V6, address).is_some_and(|(network, length)| {
            let mask = u128::MAX << (128 - length);
            address.to_bits() & mask == network.to_bits()
        }),
    }
}

/// The last network that begins at an address or before it, the only one that can hold it: they are
/// sorted, and none lies in another. Every client of a log is asked for.
fn last_from<T: Copy + Ord>(networks: &[(T, u32)], address: T) -> Option<(T, u32)> {
    let after = networks.partition_point(|(network, _)| *network <= address);
    networks[..after].last().copied()
}

const fn v4(a: u8, b: u8, c: u8, d: u8) -> Ipv4Addr {
    Ipv4Addr::new(a, b, c, d)
}

const fn v6(a: u16, b: u16, c: u16, d: u16) -> Ipv6Addr {
    Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0)
}

/// The networks of the service `CLOUDFRONT_ORIGIN_FACING` in AWS's published
/// <https://ip-ranges.amazonaws.com/ip-ranges.json>, as of 2026-10-06.
const EDGES_V4: [(Ipv4Addr, u32); 46] = [
    (v4(3, 29, 57, 0), 26),
    (v4(3, 172, 0, 0), 18),
    (v4(3, 172, 64, 0), 18),
    (v4(13, 124, 199, 0), 24),
    (v4(15, 158, 0, 0), 16),
    (v4(18, 68, 0, 0), 16),
    (v4(24, 110, 128, 0), 17),
    (v4(52, 46, 0, 0), 18),
    (v4(52, 82, 128, 0), 23),
    (v4(52, 82, 134, 0), 23),
    (v4(54, 182, 128, 0), 20),
    (v4(54, 182, 144, 0), 21),
    (v4(54, 182, 154, 0), 23),
    (v4(54, 182, 156, 0), 22),
    (v4(54, 182, 160, 0), 21),
    (v4(54, 182, 172, 0), 22),
    (v4(54, 182, 176, 0), 21),
    (v4(54, 182, 184, 0), 22),
    (v4(54, 182, 188, 0), 23),
    (v4(54, 182, 224, 0), 21),
    (v4(54, 182, 240, 0), 21),
    (v4(54, 182, 248, 0), 22),
    (v4(54, 239, 134, 0), 23),
    (v4(54, 239, 170, 0), 23),
    (v4(54, 239, 204, 0), 22),
    (v4(54, 239, 208, 0), 21),
    (v4(64, 252, 64, 0), 18),
    (v4(64, 252, 128, 0), 18),
    (v4(70, 132, 0, 0), 18),
    (v4(130, 176, 0, 0), 18),
    (v4(130, 176, 64, 0), 21),
    (v4(130, 176, 72, 0), 22),
    (v4(130, 176, 76, 0), 24),
    (v4(130, 176, 78, 0), 23),
    (v4(130, 176, 80, 0), 22),
    (v4(130, 176, 86, 0), 23),
    (v4(130, 176, 88, 0), 21),
    (v4(130, 176, 96, 0), 19),
    (v4(130, 176, 128, 0), 21),
    (v4(130, 176, 136, 0), 23),
    (v4(130, 176, 140, 0), 22),
    (v4(130, 176, 144, 0), 20),
    (v4(130, 176, 160, 0), 19),
    (v4(130, 176, 192, 0), 19),
    (v4(204, 246, 166, 0), 24),
    (v4(205, 251, 218, 0), 24),
];

/// The same for IPv6.
const EDGES_V6: [(Ipv6Addr, u32); 35] = [
    (v6(0x2406, 0xda10, 0x847f, 0xa100), 56),
    (v6(0x2406, 0xda11, 0x0438, 0x2300), 56),
    (v6(0x2406, 0xda12, 0x004b, 0xc200), 56),
    (v6(0x2406, 0xda12, 0x8b2e, 0x9c00), 56),
    (v6(0x2406, 0xda14, 0x17bd, 0x2f00), 56),
    (v6(0x2406, 0xda14, 0x80bb, 0xea00), 56),
    (v6(0x2406, 0xda16, 0x0c01, 0xc200), 56),
    (v6(0x2406, 0xda18, 0x09fa, 0x1b00), 56),
    (v6(0x2406, 0xda19, 0x0e19, 0x4a00), 56),
    (v6(0x2406, 0xda1a, 0x06df, 0x6c00), 56),
    (v6(0x2406, 0xda1b, 0x0e7c, 0xad00), 56),
    (v6(0x2406, 0xda1c, 0x0787, 0x2b00), 56),
    (v6(0x2406, 0xda1c, 0x8d8c, 0x4600), 56),
    (v6(0x2406, 0xda1e, 0x0705, 0x1600), 56),
    (v6(0x2406, 0xda1f, 0x0396, 0x9100), 56),
    (v6(0x2600, 0x1f11, 0x0e79, 0xa800), 56),
    (v6(0x2600, 0x1f13, 0x0417, 0x4d00), 56),
    (v6(0x2600, 0x1f16, 0x1923, 0x3000), 56),
    (v6(0x2600, 0x1f17, 0x4356, 0xf100), 56),
    (v6(0x2600, 0x1f18, 0x7530, 0x7200), 56),
    (v6(0x2600, 0x1f1a, 0x4568, 0xb500), 56),
    (v6(0x2600, 0x1f1c, 0x00da, 0x0600), 56),
    (v6(0x2600, 0x1f1e, 0x00a7, 0x2300), 56),
    (v6(0x2600, 0x9000, 0x1000, 0x0000), 36),
    (v6(0x2600, 0x9000, 0x5200, 0x0000), 40),
    (v6(0x2600, 0x9000, 0x6000, 0x0000), 36),
    (v6(0x2a05, 0xd011, 0x0531, 0x1800), 56),
    (v6(0x2a05, 0xd012, 0x0581, 0xb400), 56),
    (v6(0x2a05, 0xd014, 0x1362, 0xb000), 56),
    (v6(0x2a05, 0xd016, 0x09ed, 0xde00), 56),
    (v6(0x2a05, 0xd018, 0x1a3a, 0x2d00), 56),
    (v6(0x2a05, 0xd019, 0x080b, 0xe300), 56),
    (v6(0x2a05, 0xd01a, 0x08a9, 0xbe00), 56),
    (v6(0x2a05, 0xd01c, 0x0343, 0xc300), 56),
    (v6(0x2a05, 0xd025, 0x0e59, 0xfb00), 56),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_end_where_they_should() {
        for (network, length) in EDGES_V4 {
            let size = 1_u32 << (32 - length);
            let first = network.to_bits();
            assert_eq!(first % size, 0, "{network}/{length}");
            assert!(is_cloudfront_edge(network.into()));
            assert!(is_cloudfront_edge(Ipv4Addr::from(first + size - 1).into()));
        }
        for (network, length) in EDGES_V6 {
            assert_eq!(network.to_bits() << length, 0, "{network}/{length}");
            assert!(is_cloudfront_edge(network.into()));
            let last = network.to_bits() | (u128::MAX >> length);
            assert!(is_cloudfront_edge(Ipv6Addr::from(last).into()));
        }
        // They are searched for by halves.
        assert!(
            EDGES_V4.is_sorted_by(|one, two| {
                one.0.to_bits() | (u32::MAX >> one.1) < two.0.to_bits()
            })
        );
        assert!(
            EDGES_V6.is_sorted_by(|one, two| {
                one.0.to_bits() | (u128::MAX >> one.1) < two.0.to_bits()
            })
        );
        for other in ["192.0.2.1", "198.51.100.7", "10.0.0.1", "2001:db8::1", "::1"] {
            assert!(!is_cloudfront_edge(other.parse().unwrap()), "{other}");
        }
    }
}
