//! What was counted, with everybody in one list: for tests that look at single requests.

use std::collections::HashMap;
use std::sync::Arc;

use ratewaf::counts::{AgentTexts, Counts, Coverage, Event, RouteTraffic, RuleHits};
use ratewaf::units::Client;

/// Clients by number.
pub struct Everybody(Vec<Client>);

impl Everybody {
    pub fn client(&self, number: u32) -> &Client {
        &self.0[number as usize]
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }
}

/// One route.
pub struct RouteCounts {
    pub traffic: RouteTraffic,
    /// In the order of the parts, in each by client, then by time.
    pub events: Vec<Event>,
    pub agents: Arc<AgentTexts>,
}

pub struct Counted {
    pub coverage: Coverage,
    pub clients: Everybody,
    /// In the order of the selection.
    pub routes: Vec<RouteCounts>,
    pub rule_hits: Vec<RuleHits>,
}

/// Puts the parts together.
pub fn whole(counts: Counts) -> Counted {
    let Counts { mut coverage, agents, traffic, parts, rule_hits, .. } = counts;
    let mut routes: Vec<RouteCounts> = traffic
        .into_iter()
        .map(|traffic| RouteCounts { traffic, events: Vec::new(), agents: Arc::clone(&agents) })
        .collect();
    let mut all = Vec::new();
    for part in parts.map(|part| part).unwrap() {
        coverage.masked_clients += part.clients.masked();
        let mut numbers = HashMap::new();
        for number in part.clients.numbers() {
            numbers.insert(number, all.len() as u32);
            all.push(part.clients.client(number));
        }
        for (place, route) in routes.iter_mut().enumerate() {
            route.traffic.duplicates += part.duplicates[place];
            let events = part.events[place].iter();
            route.events.extend(events.map(|event| {
                let mut event = *event;
                event.client = numbers[&event.client];
                event
            }));
        }
    }
    Counted { coverage, clients: Everybody(all), routes, rule_hits }
}
