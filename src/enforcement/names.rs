//! The same without addresses.

use std::collections::HashMap;

use super::RuleRecord;
use crate::profile::RouteProfile;
use crate::units::Client;

impl RuleRecord {
    /// Calls the clients as an anonymised profile of the rule's route does, and those that are not in it
    /// `other-0001` and so on, by their place. `before` and `after` are that profile with and without
    /// addresses; without a profile everybody is an other.
    pub fn anonymise(&mut self, profile: Option<(&[Client], &RouteProfile)>) {
        let mut names: HashMap<Client, Client> = HashMap::new();
        if let Some((before, after)) = profile {
            let after = after.clients.iter().map(|client| client.client.clone());
            names.extend(before.iter().cloned().zip(after));
        }
        let mut others = 0;
        let mut name = |client: &mut Client| {
            let known = names.entry(client.clone()).or_insert_with(|| {
                others += 1;
                Client::Text(format!("other-{others:04}").into())
            });
            *client = known.clone();
        };
        self.clients.iter_mut().for_each(|acted| name(&mut acted.client));
        if let Ok(expected) = &mut self.expected {
            let lists = expected.missed.iter_mut().chain(&mut expected.surprising);
            lists.for_each(|one| name(&mut one.client));
        }
    }
}
