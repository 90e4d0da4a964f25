//! What the rules of a web ACL did, by client, as WAF logs tell it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::clients::ClientKey;
use super::texts::ShownTexts;
use crate::logs::{LimitKey, RuleAction, RuleMatch};
use crate::units::{Client, Timestamp};

/// Rules that are kept: those with the smallest names, so that the order of the records does not
/// matter. A web ACL holds ten rate-based ones of its own.
const MOST_RULES: usize = 4_096;

/// One request that a rule matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Hit {
    /// Number among [`RuleTallies::clients`].
    client: u32,
    /// Hash of its request id, 0 for none.
    fingerprint: u64,
    /// Arrival.
    time: u32,
    action: RuleAction,
}

/// One rule, request by request.
#[derive(Clone, Debug, Default)]
struct Tally {
    hits: Vec<Hit>,
    keys: BTreeSet<LimitKey>,
}

/// All rules, request by request.
#[derive(Clone, Debug, Default)]
pub(super) struct RuleTallies {
    by_name: BTreeMap<String, Tally>,
    /// Everybody that a rule acted on. Few clients are, so they are kept as they are, apart from the
    /// table of all, which may be in a file.
    clients: Vec<ClientKey>,
    numbers: HashMap<ClientKey, u32>,
}

impl RuleTallies {
    /// Notes that a rule matched a request of a client.
    pub(super) fn note(
        &mut self,
        rule: RuleMatch<'_>,
        client: ClientKey,
        time: u32,
        fingerprint: u64,
    ) {
        let client = self.number(client);
        let hit = Hit { client, fingerprint, time, action: rule.action };
        if let Some(tally) = self.by_name.get_mut(rule.name) {
            tally.hits.push(hit);
            tally.keys.extend(rule.rate_based);
            return;
        }
        let keys = rule.rate_based.into_iter().collect();
        self.by_name.insert(rule.name.to_owned(), Tally { hits: vec![hit], keys });
        self.keep_first();
    }

    fn number(&mut self, client: ClientKey) -> u32 {
        let next = self.clients.len() as u32;
        let number = *self.numbers.entry(client).or_insert(next);
        if number == next {
            self.clients.push(client);
        }
        number
    }

    fn keep_first(&mut self) {
        while self.by_name.len() > MOST_RULES {
            self.by_name.pop_last();
        }
    }

    /// Adds what another worker saw.
    pub(super) fn absorb(&mut self, other: Self) {
        let numbers: Vec<u32> = other.clients.iter().map(|&client| self.number(client)).collect();
        for (name, tally) in other.by_name {
            let own = self.by_name.entry(name).or_default();
            own.keys.extend(tally.keys);
            let translated = tally.hits.into_iter();
            own.hits
                .extend(translated.map(|hit| Hit { client: numbers[hit.client as usize], ..hit }));
        }
        self.keep_first();
    }

    /// Sums by client, copies of a request counted once; by name.
    pub(super) fn settle(self, shown: &ShownTexts) -> Vec<RuleHits> {
        let Self { by_name, clients, .. } = self;
        let clients: Vec<Client> = clients.iter().map(|client| client.shown(shown)).collect();
        by_name.into_iter().map(|(name, tally)| RuleHits::new(name, tally, &clients)).collect()
    }
}

/// What one rule did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleHits {
    /// Its name.
    pub name: String,
    /// How it tells clients apart, if it is known to be rate-based; several if that was changed, or two
    /// rules have one name.
    pub keys: BTreeSet<LimitKey>,
    /// Whom it acted on, by address.
    pub clients: Vec<ClientHits>,
}

/// What one rule did to one client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientHits {
    /// Who.
    pub client: Client,
    /// Requests by what was done, in the order of [`RuleAction::ALL`].
    pub requests: [u32; RuleAction::ALL.len()],
    /// Arrival of the first of them.
    pub first: Timestamp,
    /// Arrival of the last of them.
    pub last: Timestamp,
}

impl RuleHits {
    fn new(name: String, Tally { mut hits, keys }: Tally, known: &[Client]) -> Self {
        hits.sort_unstable();
        hits.dedup_by(|next, held| {
            next.fingerprint != 0
                && (next.client, next.fingerprint) == (held.client, held.fingerprint)
        });
        let of_one = hits.chunk_by(|one, two| one.client == two.client);
        let clients = of_one.map(|hits| {
            let times = || hits.iter().map(|hit| hit.time);
            let time = |time: Option<u32>| Timestamp(time.unwrap_or_default().into());
            let mut requests = [0; RuleAction::ALL.len()];
            hits.iter().for_each(|hit| requests[hit.action as usize] += 1);
            ClientHits {
                client: known[hits[0].client as usize].clone(),
                requests,
                first: time(times().min()),
                last: time(times().max()),
            }
        });
        let mut clients: Vec<ClientHits> = clients.collect();
        clients.sort_unstable_by(|one, two| one.client.cmp(&two.client));
        Self { name, keys, clients }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(name: &str, action: RuleAction) -> RuleMatch<'_> {
        RuleMatch { name, action, rate_based: Some(LimitKey::Ip) }
    }

    fn address(last: u8) -> ClientKey {
        ClientKey::of(format!("192.0.2.{last}").as_bytes())
    }

    #[test]
    fn copies_count_once_and_requests_without_an_id_each() {
        let mut tallies = RuleTallies::default();
        for (client, time, id) in [(1, 50, 7), (1, 40, 7), (1, 60, 8), (2, 10, 0), (2, 10, 0)] {
            tallies.note(rule("a", RuleAction::Block), address(client), time, id);
        }
        tallies.note(rule("a", RuleAction::Count), address(2), 20, 9);
        let rules = tallies.settle(&ShownTexts::default());
        let found: Vec<_> = rules[0]
            .clients
            .iter()
            .map(|hits| (hits.requests, hits.first.0, hits.last.0))
            .collect();
        assert_eq!(found, [([0, 2, 0, 0, 0, 0], 40, 60), ([1, 2, 0, 0, 0, 0], 10, 20)]);
    }

    #[test]
    fn of_too_many_rules_the_first_by_name_stay_whatever_their_order() {
        let names: Vec<String> =
            (0..MOST_RULES + 100).map(|number| format!("{number:05}")).collect();
        let settled = |names: &mut dyn Iterator<Item = &String>| {
            let mut tallies = RuleTallies::default();
            for name in names {
                tallies.note(rule(name, RuleAction::Count), address(1), 1, 0);
            }
            tallies.settle(&ShownTexts::default())
        };
        let forward = settled(&mut names.iter());
        assert_eq!(forward, settled(&mut names.iter().rev()));
        assert_eq!((forward.len(), &*forward[0].name), (MOST_RULES, "00000"));
    }
}
