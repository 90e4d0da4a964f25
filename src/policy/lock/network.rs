//! Which networks the lock was made with, without their addresses.

use std::collections::BTreeMap;

use ipnet::IpNet;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::rules::{Network, merge};

/// A network that clients were labelled by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockNetwork {
    /// `tester`, `known-good` or `known-bad`.
    pub kind: String,
    /// A fingerprint of its merged CIDRs: 16 bits, in hexadecimal. Enough to see that they changed,
    /// and too little to find an address by trying all.
    pub fingerprint: String,
}

/// What a lock keeps of networks, by name.
#[must_use]
pub fn lock_networks(networks: &[Network]) -> BTreeMap<String, LockNetwork> {
    let kept = |network: &Network| {
        // A starter leaves `/0` out, because no IP set takes it.
        let cidrs: Vec<IpNet> =
            network.cidrs.iter().copied().filter(|cidr| cidr.prefix_len() > 0).collect();
        (!cidrs.is_empty()).then(|| {
            let kind = network.kind.as_str().to_owned();
            (network.name.clone(), LockNetwork { kind, fingerprint: fingerprint(&cidrs) })
        })
    };
    networks.iter().filter_map(kept).collect()
}

fn fingerprint(cidrs: &[IpNet]) -> String {
    let text: String = merge(cidrs).iter().map(|cidr| format!("{cidr}\n")).collect();
    format!("{:04x}", xxh3_64(text.as_bytes()) >> 48)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{NetworkKind, canonical_cidr};

    fn locked(cidrs: &[&str]) -> BTreeMap<String, LockNetwork> {
        let cidrs = cidrs.iter().map(|text| canonical_cidr(text).unwrap()).collect();
        let name = "qa".to_owned();
        lock_networks(&[Network { name, cidrs, kind: NetworkKind::Tester, until: None }])
    }

    #[test]
    fn a_fingerprint_is_of_the_addresses_however_they_are_written() {
        let whole = locked(&["192.0.2.0/24"]);
        assert_eq!(locked(&["192.0.2.128/25", "192.0.2.0/25"]), whole);
        assert_eq!(locked(&["192.0.2.0/24", "::/0"]), whole);
        assert_ne!(locked(&["192.0.2.0/25"]), whole);
        assert_eq!(whole["qa"].fingerprint.len(), 4);
        assert!(locked(&["0.0.0.0/0"]).is_empty());
    }
}
