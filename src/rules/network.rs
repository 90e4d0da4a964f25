//! Named sets of addresses.

use std::net::IpAddr;

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

/// What a network is to its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NetworkKind {
    /// A test runner: left out of the evidence and of the main rules, counted by a twin.
    Tester,
    /// Has to pass: no limit is proposed at or below its peak.
    KnownGood,
    /// Does not have to pass.
    KnownBad,
}

impl NetworkKind {
    /// Its spelling in a policy.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Tester => "tester",
            Self::KnownGood => "known-good",
            Self::KnownBad => "known-bad",
        }
    }
}

/// A named set of CIDRs, both families.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// Its name in the policy; part of IP-set names.
    pub name: String,
    /// Canonical, merged and sorted: IPv4 first.
    pub cidrs: Vec<IpNet>,
    /// What it is.
    pub kind: NetworkKind,
    /// Last day (UTC) it may be treated specially, as `YYYY-MM-DD`.
    pub until: Option<String>,
}

impl Network {
    /// Whether an address lies in it.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.cidrs.iter().any(|cidr| cidr.contains(&address))
    }

    /// Its IPv4 CIDRs.
    pub fn v4(&self) -> impl Iterator<Item = Ipv4Net> {
        self.cidrs.iter().filter_map(|cidr| match cidr {
            IpNet::V4(net) => Some(*net),
            IpNet::V6(_) => None,
        })
    }

    /// Its IPv6 CIDRs.
    pub fn v6(&self) -> impl Iterator<Item = Ipv6Net> {
        self.cidrs.iter().filter_map(|cidr| match cidr {
            IpNet::V6(net) => Some(*net),
            IpNet::V4(_) => None,
        })
    }
}

/// A CIDR or a bare address as a canonical network: host bits cleared, IPv4-mapped unwrapped.
#[must_use]
pub fn canonical_cidr(text: &str) -> Option<IpNet> {
    let text = text.trim();
    let net = text
        .parse::<IpNet>()
        .ok()
        .or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from))?
        .trunc();
    match net {
        IpNet::V6(v6) if v6.prefix_len() >= 96 => match v6.network().to_ipv4_mapped() {
            Some(v4) => Ipv4Net::new(v4, v6.prefix_len() - 96).ok().map(IpNet::V4),
            None => Some(net),
        },
        _ => Some(net),
    }
}

/// Merges, deduplicates and sorts CIDRs: IPv4 first, then by address.
#[must_use]
pub fn merge(cidrs: &[IpNet]) -> Vec<IpNet> {
    let mut merged = IpNet::aggregate(&cidrs.to_vec());
    merged.sort();
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cidrs_are_canonical_and_merged() {
        let nets: Vec<IpNet> =
            ["198.51.100.129/25", "198.51.100.0/25", "2001:DB8:0::1/64", "::ffff:192.0.2.9"]
                .iter()
                .map(|text| canonical_cidr(text).unwrap())
                .collect();
        let text: Vec<String> = merge(&nets).iter().map(ToString::to_string).collect();
        assert_eq!(text, ["192.0.2.9/32", "198.51.100.0/24", "2001:db8::/64"]);
        assert_eq!(canonical_cidr("10.0.0.0/33"), None);
    }
}
