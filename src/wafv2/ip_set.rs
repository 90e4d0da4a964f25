//! IP sets: one per network and family, where a rule refers to it or did so once.

use std::collections::{BTreeMap, BTreeSet};

use ipnet::IpNet;
use serde::{Deserialize, Serialize};

use super::error::Error;
use super::names::check_name;
use super::web_acl::Scope;
use crate::quotas;
use crate::rules::{Network, NetworkKind, RuleSet, canonical_cidr, merge};

/// The family of an IP set; a set holds one only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum IpAddressVersion {
    /// IPv4.
    IpV4,
    /// IPv6.
    IpV6,
}

impl IpAddressVersion {
    /// Its name in the API.
    #[must_use]
    pub const fn api_name(self) -> &'static str {
        match self {
            Self::IpV4 => "IPV4",
            Self::IpV6 => "IPV6",
        }
    }

    /// How it ends the name of a set.
    #[must_use]
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::IpV4 => "v4",
            Self::IpV6 => "v6",
        }
    }

    const fn of(cidr: IpNet) -> Self {
        match cidr {
            IpNet::V4(_) => Self::IpV4,
            IpNet::V6(_) => Self::IpV6,
        }
    }
}

/// An IP set as `CreateIPSet` takes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct IpSet {
    /// Its name; it cannot be changed later.
    pub name: String,
    /// Where it lives.
    pub scope: Scope,
    /// Its family.
    #[serde(rename = "IPAddressVersion")]
    pub ip_address_version: IpAddressVersion,
    /// Canonical, merged, sorted CIDRs.
    pub addresses: Vec<IpNet>,
}

/// An IP set and the network of the policy that it holds one family of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkSet {
    /// The network's name.
    pub network: String,
    /// The set.
    pub set: IpSet,
}

/// What a statement calls an IP set by. Before a set exists it has no ARN; until a dialect or the
/// API gives it one, it is called by its name: `ip-set:acl-qa-v4`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Arn(pub String);

const BY_NAME: &str = "ip-set:";

impl Arn {
    /// The stand-in for the ARN of a set of ours.
    #[must_use]
    pub fn of_ip_set(name: &str) -> Self {
        Self(format!("{BY_NAME}{name}"))
    }

    /// The name of the set, if this is a stand-in.
    #[must_use]
    pub fn ip_set_name(&self) -> Option<&str> {
        self.0.strip_prefix(BY_NAME)
    }
}

/// The sets that the rules of `set` refer to, by network (in the order of their names), IPv4 first;
/// and those of the other testers. A rule may have named such a one until now, and a set cannot be
/// deleted together with the last reference to it: Terraform deletes first.
pub(super) fn ip_sets(set: &RuleSet, scope: Scope) -> Result<Vec<NetworkSet>, Error> {
    let known: BTreeMap<&str, &Network> =
        set.networks.iter().map(|network| (network.name.as_str(), network)).collect();
    let mut used = BTreeSet::new();
    for rule in &set.rules {
        for network in &rule.except_networks {
            used.insert((network.as_str(), rule.name.as_str()));
        }
        if let Some(network) = rule.role.network() {
            used.insert((network, rule.name.as_str()));
        }
    }
    let mut sets: Vec<NetworkSet> = Vec::new();
    for (name, rule) in used {
        let network = known.get(name).ok_or_else(|| Error::UnknownNetwork {
            rule: rule.to_owned(),
            network: name.to_owned(),
        })?;
        if sets.last().is_some_and(|last| last.network == name) {
            continue;
        }
        sets.extend(sets_of(network, &set.name, scope)?);
    }
    let held: BTreeSet<String> = sets.iter().map(|held| held.network.clone()).collect();
    let kept = set
        .networks
        .iter()
        .filter(|network| network.kind == NetworkKind::Tester && !held.contains(&network.name));
    for network in kept {
        sets.extend(sets_of(network, &set.name, scope)?);
    }
    // The sort is stable, so the families stay in their order.
    sets.sort_by(|a, b| a.network.cmp(&b.network));
    Ok(sets)
}

fn sets_of(network: &Network, prefix: &str, scope: Scope) -> Result<Vec<NetworkSet>, Error> {
    let canonical: Vec<IpNet> = network
        .cidrs
        .iter()
        .map(|cidr| canonical_cidr(&cidr.to_string()).unwrap_or_else(|| cidr.trunc()))
        .collect();
    let cidrs = merge(&canonical);
    if let Some(cidr) = cidrs.iter().find(|cidr| cidr.prefix_len() == 0) {
        return Err(Error::Everybody { network: network.name.clone(), cidr: *cidr });
    }
    let mut sets = Vec::new();
    for version in [IpAddressVersion::IpV4, IpAddressVersion::IpV6] {
        let addresses: Vec<IpNet> =
            cidrs.iter().copied().filter(|cidr| IpAddressVersion::of(*cidr) == version).collect();
        if addresses.is_empty() {
            continue;
        }
        if addresses.len() > quotas::CIDRS_PER_IP_SET {
            return Err(Error::TooManyCidrs {
                network: network.name.clone(),
                count: addresses.len(),
            });
        }
        let name = format!("{prefix}-{}-{}", network.name, version.suffix());
        check_name("IP set", &name)?;
        let set = IpSet { name, scope, ip_address_version: version, addresses };
        sets.push(NetworkSet { network: network.name.clone(), set });
    }
    Ok(sets)
}
