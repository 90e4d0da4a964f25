//! Counted requests to one row of columns a client.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::io;
use std::net::Ipv6Addr;
use std::sync::Arc;

use foldhash::fast::RandomState;
use rayon::prelude::*;

use super::columns::Scratch;
use super::crowd::Crowd;
use super::gather::{Gathered, Names};
use super::{ClientProfile, Labels, RouteProfile};
use crate::counts::{AgentTexts, Clients, Event, GroupedEvents, Part, Parts, RouteTraffic};
use crate::rules::Route;
use crate::units::{Client, Timestamp, Window};

/// What [`build_all`] made.
pub struct Built {
    /// A profile for each route, with the copies that were dropped, but without what else is known of its
    /// traffic and agents.
    pub routes: Vec<RouteProfile>,
    /// Everybody who sent a line.
    pub clients: u64,
    /// Of these, those that are no address.
    pub masked_clients: u64,
}

impl Built {
    /// The profiles with what else is known of the traffic of each route, and of the agents of all.
    #[must_use]
    pub fn into_profiles(
        self,
        traffic: Vec<RouteTraffic>,
        agents: &Arc<AgentTexts>,
    ) -> Vec<RouteProfile> {
        let profiles = self.routes.into_iter().zip(traffic);
        profiles
            .map(|(mut profile, traffic)| {
                let duplicates = profile.traffic.duplicates;
                profile.traffic = RouteTraffic { duplicates, ..traffic };
                profile.agents = Arc::clone(agents);
                profile
            })
            .collect()
    }
}

/// The profiles of routes, from one part of the clients after the other: no list of everybody is made.
///
/// # Errors
/// When a part is in a temporary file that cannot be read.
pub fn build_all(
    routes: &[(Route, Window)],
    parts: Parts,
    labels: &Labels,
    names: Names,
) -> io::Result<Built> {
    let nobody = || OfRoutes::nobody(routes.len(), names);
    let found = parts.fold(nobody, |own, part| {
        let Part { clients, events, duplicates } = part;
        for ((builder, copies), (events, duplicates)) in
            own.routes.iter_mut().zip(events.into_iter().zip(duplicates))
        {
            builder.take(&events, &clients, labels);
            *copies += duplicates;
        }
        own.clients += clients.len() as u64;
        own.masked_clients += clients.masked();
    })?;
    let all = found.into_iter().fold(nobody(), OfRoutes::and);
    let (clients, masked_clients) = (all.clients, all.masked_clients);
    Ok(Built { routes: all.finish(routes), clients, masked_clients })
}

/// The profiles of groups of a survey, each with its route and the copies that were dropped, but without what
/// else is known of its traffic and agents.
///
/// # Errors
/// When the temporary file that a large survey keeps its requests in cannot be read.
pub fn build_groups(
    routes: &[(Route, Window)],
    grouped: &GroupedEvents,
    groups: &[u32],
    labels: &Labels,
    names: Names,
) -> io::Result<Vec<RouteProfile>> {
    let nobody = || OfRoutes::nobody(routes.len(), names);
    let found = grouped.fold_some(groups, nobody, |own, clients, part| {
        for of_group in part.iter() {
            let (builder, copies) = &mut own.routes[of_group.group as usize];
            builder.take(of_group.events, clients, labels);
            *copies += of_group.copies;
        }
    })?;
    Ok(found.into_iter().fold(nobody(), OfRoutes::and).finish(routes))
}

/// Profiles that are built from one part of the clients after the other.
struct OfRoutes {
    /// Each with the copies that were dropped.
    routes: Vec<(Builder, u64)>,
    clients: u64,
    masked_clients: u64,
}

impl OfRoutes {
    fn nobody(routes: usize, names: Names) -> Self {
        let routes = std::iter::repeat_with(|| (Builder::new(names), 0)).take(routes).collect();
        Self { routes, clients: 0, masked_clients: 0 }
    }

    /// What was found of other parts as well.
    fn and(mut self, other: Self) -> Self {
        for ((builder, sum), (own, copies)) in self.routes.iter_mut().zip(other.routes) {
            builder.absorb(own);
            *sum += copies;
        }
        let clients = self.clients + other.clients;
        let masked_clients = self.masked_clients + other.masked_clients;
        Self { clients, masked_clients, ..self }
    }

    fn finish(self, routes: &[(Route, Window)]) -> Vec<RouteProfile> {
        let finished = self.routes.into_par_iter().zip(routes);
        finished
            .map(|((builder, duplicates), (route, window))| {
                let mut profile = builder.finish(route, *window);
                profile.traffic.duplicates = duplicates;
                profile
            })
            .collect()
    }
}

/// A profile that is built from one part of the clients after the other.
struct Builder {
    names: Names,
    requests: u64,
    by_hour: HashMap<i64, u64, RandomState>,
    /// IPv4 clients and texts, which are the same in both lists.
    others: Gathered,
    /// IPv6 clients.
    addresses: Gathered,
    /// Their networks.
    networks: Gathered,
    has_networks: bool,
}

impl Builder {
    /// For nobody yet.
    fn new(names: Names) -> Self {
        Self {
            names,
            requests: 0,
            by_hour: HashMap::default(),
            others: Gathered::new(names),
            addresses: Gathered::new(names),
            networks: Gathered::new(names),
            has_networks: false,
        }
    }

    /// Takes in clients that share no /64 with any others: their requests by client, then by time.
    fn take(&mut self, events: &[Event], clients: &Clients, labels: &Labels) {
        self.requests += events.len() as u64;
        // A client's requests stand by time: few of them begin another hour.
        for hour in events.chunk_by(|one, two| hour_of(one) == hour_of(two)) {
            *self.by_hour.entry(hour_of(&hour[0])).or_default() += hour.len() as u64;
        }
        let chunks = events.chunk_by(|one, two| one.client == two.client);
        let mut own: Vec<Own<'_>> = chunks
            .map(|events| Own { network: clients.slash64(events[0].client), events })
            .collect();
        own.sort_by_key(|client| client.network);
        let split = own.partition_point(|client| client.network.is_none());
        let (others, sixes) = own.split_at(split);
        if own.len() <= AT_ONCE {
            return self.take_few(others, sixes, clients, labels);
        }
        let names = self.names;
        let of_others: Vec<Gathered> = others
            .par_chunks(AT_ONCE)
            .map_init(Scratch::default, |scratch, some| {
                let mut gathered = Gathered::new(names);
                some.iter().for_each(|one| gathered.take(one.profile(scratch, clients, labels)));
                gathered
            })
            .collect();
        of_others.into_iter().for_each(|gathered| self.others.absorb(gathered));
        if sixes.is_empty() {
            return;
        }
        self.has_networks = true;
        let networks: Vec<&[Own<'_>]> =
            sixes.chunk_by(|one, two| one.network == two.network).collect();
        let lines = lines_by_network(&networks, clients);
        let of_networks: Vec<[Gathered; 2]> = networks
            .par_chunks(AT_ONCE)
            .map_init(Scratch::default, |scratch, some| {
                let mut gathered = [Gathered::new(names), Gathered::new(names)];
                for network in some {
                    take_network(gathered.each_mut(), network, &lines, scratch, clients, labels);
                }
                gathered
            })
            .collect();
        for [addresses, networks] in of_networks {
            self.addresses.absorb(addresses);
            self.networks.absorb(networks);
        }
    }

    /// The same for one thread.
    fn take_few(
        &mut self,
        others: &[Own<'_>],
        sixes: &[Own<'_>],
        clients: &Clients,
        labels: &Labels,
    ) {
        let mut scratch = Scratch::default();
        for one in others {
            self.others.take(one.profile(&mut scratch, clients, labels));
        }
        self.has_networks |= !sixes.is_empty();
        let networks: Vec<&[Own<'_>]> =
            sixes.chunk_by(|one, two| one.network == two.network).collect();
        let lines = lines_by_network(&networks, clients);
        for network in networks {
            let gathered = [&mut self.addresses, &mut self.networks];
            take_network(gathered, network, &lines, &mut scratch, clients, labels);
        }
    }

    /// Takes over what another builder found.
    fn absorb(&mut self, other: Self) {
        self.requests += other.requests;
        for (hour, requests) in other.by_hour {
            *self.by_hour.entry(hour).or_default() += requests;
        }
        self.has_networks |= other.has_networks;
        let [others, addresses, networks] =
            [&mut self.others, &mut self.addresses, &mut self.networks];
        rayon::join(
            || others.absorb(other.others),
            || {
                rayon::join(
                    || addresses.absorb(other.addresses),
                    || networks.absorb(other.networks),
                )
            },
        );
    }

    /// The profile, still without what is known of the route's traffic and agents.
    fn finish(self, route: &Route, window: Window) -> RouteProfile {
        let Self { requests, by_hour, others, mut addresses, mut networks, has_networks, .. } =
            self;
        let of_networks = has_networks.then(|| others.clone());
        let ((slash64, slash64_crowd), (clients, crowd)) = rayon::join(
            || {
                of_networks.map_or_else(Default::default, |others| {
                    networks.absorb(others);
                    listed(networks, window)
                })
            },
            || {
                addresses.absorb(others);
                listed(addresses, window)
            },
        );
        RouteProfile {
            route: route.clone(),
            window,
            clients,
            crowd,
            slash64,
            slash64_crowd,
            requests,
            by_hour: by_hour.into_iter().collect(),
            traffic: RouteTraffic::default(),
            agents: Arc::default(),
        }
    }
}

fn hour_of(event: &Event) -> i64 {
    Timestamp(event.time.into()).hour()
}

/// Clients that one thread looks at before it hands over what it found.
const AT_ONCE: usize = 1 << 14;

/// One client's requests.
#[derive(Clone, Copy)]
struct Own<'a> {
    network: Option<u64>,
    events: &'a [Event],
}

impl Own<'_> {
    fn profile(&self, scratch: &mut Scratch, clients: &Clients, labels: &Labels) -> ClientProfile {
        let number = self.events[0].client;
        scratch.profile(clients.client(number), clients.lines(number), self.events, labels)
    }
}

/// Takes in the addresses of a network, and the network.
fn take_network(
    [addresses, networks]: [&mut Gathered; 2],
    own: &[Own<'_>],
    lines: &HashMap<u64, u32, RandomState>,
    scratch: &mut Scratch,
    clients: &Clients,
    labels: &Labels,
) {
    let network = own[0].network.unwrap_or_default();
    let client = Client::Slash64(Ipv6Addr::from(u128::from(network) << 64));
    let lines = lines.get(&network).copied().unwrap_or_default();
    let mut label = labels.of(&client);
    let mut only = None;
    for one in own {
        let profile = one.profile(scratch, clients, labels);
        // What people said of one of its addresses holds for the whole, the strongest first.
        label = label
            .into_iter()
            .chain(profile.label.clone())
            .min_by(|a, b| (a.label, &a.network).cmp(&(b.label, &b.network)));
        if own.len() == 1 {
            only = Some(profile.clone());
        }
        addresses.take(profile);
    }
    let profile = match only {
        Some(profile) => ClientProfile { client, lines, label, ..profile },
        None => {
            let mut events: Vec<Event> =
                own.iter().flat_map(|one| one.events.iter().copied()).collect();
            events.sort_unstable_by_key(|event| event.time);
            ClientProfile { label, ..scratch.profile(client, lines, &events, labels) }
        }
    };
    networks.take(profile);
}

/// Lines of these networks: those of addresses that never called the route belong to their /64 all the
/// same.
fn lines_by_network(networks: &[&[Own<'_>]], clients: &Clients) -> HashMap<u64, u32, RandomState> {
    let mut lines: HashMap<u64, u32, RandomState> =
        networks.iter().filter_map(|own| Some((own[0].network?, 0))).collect();
    for (network, count) in clients.slash64_lines() {
        if let Some(sum) = lines.get_mut(&network) {
            *sum = sum.saturating_add(count);
        }
    }
    lines
}

/// Highest sliding peak first, ties by canonical text; and the crowd.
fn listed(gathered: Gathered, window: Window) -> (Vec<ClientProfile>, Vec<Crowd>) {
    let (mut named, crowd) = gathered.into_lists();
    named.par_sort_by_cached_key(|profile| {
        (Reverse(profile.peak(window)), profile.client.to_string())
    });
    (named, crowd)
}
