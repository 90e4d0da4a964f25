//! Whether the rule counts the right thing: addresses, networks, spellings.

use super::{Facts, NAMED, joined};
use crate::proposal::words::{by_figure, names};
use crate::units::{Client, count, percent, plain, plural, share, thousands};

/// Share of requests from which addresses are probably those of proxies or crowds.
const HALF: f64 = 0.5;
/// Share of requests that go past or around the plain spelling from which it matters.
const NOTICEABLE: f64 = 0.01;

/// `slash64`: the same method over /64 networks gives a limit, and above it is a network none of whose
/// addresses is above the limit by address.
pub(super) fn slash64(facts: &Facts<'_>) -> Option<String> {
    let by_network = facts.slash64?;
    let limit = by_network.limit?;
    let by_address: Vec<Client> = facts
        .proposal
        .above
        .iter()
        .map(|&place| facts.profile.clients[place].client.slash64())
        .collect();
    let networks = &facts.profile.slash64;
    let unseen: Vec<usize> = by_network
        .above
        .iter()
        .copied()
        .filter(|&place| matches!(networks[place].client, Client::Slash64(_)))
        .filter(|&place| !by_address.contains(&networks[place].client))
        .collect();
    let busiest = networks[*unseen.first()?].peak(by_network.window);
    let many = unseen.len() as u64;
    Some(format!(
        "{} ({}) {} above {} requests per {}, the limit by /64, with a peak of up to {}, though none of {} addresses is above a limit by address: a rule that counts addresses does not touch {}. Consider an IP set for {}, or another key.",
        count(many, "IPv6 network", "IPv6 networks"),
        names(unseen.iter().map(|&place| &networks[place]), NAMED),
        plural(many, "is", "are"),
        thousands(limit.requests().into()),
        by_network.window,
        thousands(busiest.into()),
        plural(many, "its", "their"),
        plural(many, "it", "them"),
        plural(many, "it", "them"),
    ))
}

/// `forwarded`: at least half of the requests carry an `x-forwarded-for` that names another address,
/// or addresses that look shared carry at least half of them.
pub(super) fn forwarded(facts: &Facts<'_>) -> Option<String> {
    let clients = &facts.profile.clients;
    let all = facts.profile.sum(|client| client.requests);
    let forwarded = facts.profile.sum(|client| client.forwarded);
    let mut sentences = Vec::new();
    if all > 0 && share(forwarded, all) >= HALF {
        sentences.push(format!(
            "{} of the requests carry an x-forwarded-for that names another address, so the addresses counted are probably proxies: a rule on the forwarded IP would count the people behind them, provided nobody else can set that header.",
            percent(share(forwarded, all)),
        ));
    }
    let shared = || clients.iter().zip(&facts.proposal.shared).filter(|(_, shared)| **shared);
    let of_shared: u64 = shared().map(|(client, _)| u64::from(client.requests)).sum();
    if all > 0 && share(of_shared, all) >= HALF {
        let many = shared().count() as u64;
        sentences.push(format!(
            "{} that {} shared {} {} of the requests: a limit by address limits crowds; the forwarded IP, a header or a cookie may be the better key.",
            count(many, "address", "addresses"),
            plural(many, "looks", "look"),
            plural(many, "carries", "carry"),
            percent(share(of_shared, all)),
        ));
    }
    joined(sentences)
}

/// `spellings`: other spellings of the path, or other methods for it, hold at least 1 % of the
/// requests to it, or a client is above the limit only because its spellings are counted together.
pub(super) fn spellings(facts: &Facts<'_>) -> Option<String> {
    let traffic = &facts.profile.traffic;
    let mut sentences = Vec::new();
    let other = traffic.matched.saturating_sub(traffic.plain);
    if traffic.matched > 0 && share(other, traffic.matched) >= NOTICEABLE {
        sentences.push(format!(
            "{} ({}) spell the path otherwise (capitals, a slash at the end or doubled, escapes); the rule counts them too.",
            count(other, "request", "requests"),
            percent(share(other, traffic.matched)),
        ));
    }
    let missed = traffic.missed_spellings;
    if missed > 0 && share(missed, missed + traffic.matched) >= NOTICEABLE {
        sentences.push(format!(
            "{} ({} of all to this path) spell it in a way that the rule does not match, so they are not limited.",
            count(missed, "request", "requests"),
            percent(share(missed, missed + traffic.matched)),
        ));
    }
    let methods: u64 = traffic.other_methods.values().sum();
    if methods > 0 && share(methods, methods + traffic.matched) >= NOTICEABLE {
        sentences.push(format!(
            "{} ({} of all to this path) use other methods ({}), which this rule does not count.",
            count(methods, "request", "requests"),
            percent(share(methods, methods + traffic.matched)),
            busiest_methods(facts),
        ));
    }
    sentences.extend(merged_only(facts));
    joined(sentences)
}

/// `OPTIONS 800, POST 403`: the three busiest, ties by name.
fn busiest_methods(facts: &Facts<'_>) -> String {
    let mut methods: Vec<(&String, u64)> =
        facts.profile.traffic.other_methods.iter().map(|(name, number)| (name, *number)).collect();
    methods.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let named: Vec<String> = methods
        .into_iter()
        .take(NAMED)
        .map(|(name, number)| format!("{} {}", plain(name), thousands(number)))
        .collect();
    named.join(", ")
}

/// Clients above the limit whose plain spelling alone is not.
fn merged_only(facts: &Facts<'_>) -> Option<String> {
    let limit = facts.proposal.limit?.requests();
    let (clients, window) = (&facts.profile.clients, facts.proposal.window);
    let plainly = |place: usize| clients[place].plain_sliding[window.index()];
    let places = by_figure(
        clients,
        facts.proposal.above.iter().copied().filter(|&place| plainly(place) <= limit),
        |client| client.peak(window),
    );
    let first = *places.first()?;
    let many = places.len() as u64;
    Some(format!(
        "{} ({}) {} above the limit only because the spellings are counted together: {} requests in {window}, {} of them spelled plainly.",
        count(many, "client", "clients"),
        names(places.iter().map(|&place| &clients[place]), NAMED),
        plural(many, "is", "are"),
        thousands(clients[first].peak(window).into()),
        thousands(plainly(first).into()),
    ))
}
