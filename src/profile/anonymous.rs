//! A profile without addresses, for results that others read.

use std::sync::Arc;

use super::{ClientProfile, RouteProfile, number_of};
use crate::units::Client;

/// Calls the clients `client-0001` and so on, by their place; /64 networks `network-0001`. Labels keep
/// the names that people gave their networks; addresses in user agents are left out.
pub fn anonymise(profile: &mut RouteProfile) {
    let clients = number_of(&profile.clients, &profile.crowd);
    rename(&mut profile.clients, clients, "client");
    let networks = number_of(&profile.slash64, &profile.slash64_crowd);
    rename(&mut profile.slash64, networks, "network");
    profile.agents = Arc::new(profile.agents.without_addresses());
}

fn rename(clients: &mut [ClientProfile], all: u64, what: &str) {
    // As many digits for all, so that text and place give one order.
    let digits = all.to_string().len().max(4);
    for (place, client) in clients.iter_mut().enumerate() {
        let number = place + 1;
        client.client = Client::Text(format!("{what}-{number:0digits$}").into());
    }
}
