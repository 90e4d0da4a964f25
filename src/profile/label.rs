//! What people say about clients: exempt, good, bad.

use crate::rules::{Network, NetworkKind};
use crate::units::Client;

/// A label. `Exempt` wins over `Good` over `Bad`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    /// A tester: left out of the evidence, gets a twin.
    Exempt,
    /// Has to pass.
    Good,
    /// Need not pass.
    Bad,
}

/// A label with the network that gave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labelled {
    /// The label.
    pub label: Label,
    /// The network's name; a CIDR given on the command line is its own name.
    pub network: String,
}

/// The networks with a label.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    networks: Vec<Network>,
}

impl Labels {
    /// Labels from networks: tester is exempt, known-good is good, known-bad is bad.
    #[must_use]
    pub fn new(mut networks: Vec<Network>) -> Self {
        networks.sort_by(|a, b| (label_of(a.kind), &a.name).cmp(&(label_of(b.kind), &b.name)));
        Self { networks }
    }

    /// The label of a client. A /64 has the label of a network that holds its first address.
    #[must_use]
    pub fn of(&self, client: &Client) -> Option<Labelled> {
        let address = match client {
            Client::Address(address) => *address,
            Client::Slash64(network) => (*network).into(),
            Client::Text(_) => return None,
        };
        let network = self.networks.iter().find(|network| network.contains(address))?;
        Some(Labelled { label: label_of(network.kind), network: network.name.clone() })
    }
}

const fn label_of(kind: NetworkKind) -> Label {
    match kind {
        NetworkKind::Tester => Label::Exempt,
        NetworkKind::KnownGood => Label::Good,
        NetworkKind::KnownBad => Label::Bad,
    }
}
