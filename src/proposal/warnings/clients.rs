//! What the clients on top have in common, and whom a peak limit cannot see.

use super::{Facts, NAMED};
use crate::profile::{ClientProfile, Label};
use crate::proposal::words::{by_figure, names};
use crate::units::{Timestamp, count, percent, plain, plural, share, thousands};

/// Sliding by clock peak from which bursts lie across the edges of clock windows.
const ACROSS_EDGES: f64 = 1.3;
/// Length of "the same half hour", in seconds.
const HALF_HOUR: i64 = 1_800;
/// Fewest clients, and their share of those above, that make a common peak.
const TOGETHER: usize = 5;
const TOGETHER_SHARE: f64 = 0.8;
/// Share of the log's hours in which a client is there all day, and hours a log needs to tell.
const ALL_DAY: f64 = 0.9;
const FEWEST_HOURS: usize = 24;
/// Share of the requests answered 429 from which a limit seems to be in place.
const LIMITED: f64 = 0.01;
/// The same for one client on top, with the requests it takes, and who is on top.
const LIMITED_CLIENT: f64 = 0.05;
const LIMITED_REQUESTS: u32 = 10;
const ON_TOP: usize = 10;

/// `edge-bursts`: the sliding peak of the busiest client below the limit is at least 1.3 times its
/// clock peak.
pub(super) fn edge_bursts(facts: &Facts<'_>) -> Option<String> {
    let client = &facts.profile.clients[facts.proposal.busiest_below?];
    let window = facts.proposal.window;
    let (sliding, clock) = (client.peak(window), client.clock[window.index()]);
    (clock > 0 && f64::from(sliding) >= ACROSS_EDGES * f64::from(clock)).then(|| {
        format!(
            "The busiest client below the limit, {}, made {} requests within {window} but only {} in one clock window: its bursts lie across the edges. Do not compare the limit with charts of aligned buckets; AWS WAF looks at a sliding window.",
            plain(&client.client.to_string()),
            thousands(sliding.into()),
            thousands(clock.into()),
        )
    })
}

/// `together`: at least 80 % of the clients above the limit, and at least five, have their busiest
/// window begin within the same half hour.
pub(super) fn together(facts: &Facts<'_>) -> Option<String> {
    let window = facts.proposal.window.index();
    let above = &facts.proposal.above;
    let mut times: Vec<Timestamp> =
        above.iter().map(|&place| facts.profile.clients[place].busiest[window]).collect();
    times.sort_unstable();
    let mut end = 0;
    let mut most = (0, Timestamp::default());
    for (start, &time) in times.iter().enumerate() {
        while times.get(end).is_some_and(|later| later.0 - time.0 <= HALF_HOUR) {
            end += 1;
        }
        if end - start > most.0 {
            most = (end - start, time);
        }
    }
    let (many, from) = most;
    let enough = many >= TOGETHER && share(many as u64, above.len() as u64) >= TOGETHER_SHARE;
    enough.then(|| {
        format!(
            "{} of the {} above the limit have their peak within half an hour from {from}: a sale, retries after an outage, or one attack from many addresses. Look before you block.",
            thousands(many as u64),
            count(above.len() as u64, "client", "clients"),
        )
    })
}

/// `all-day`: clients without a label that called in at least 90 % of the hours with any line (at
/// least 24 of them), with a peak that is not above the limit, or above the ceiling if there is none.
pub(super) fn all_day(facts: &Facts<'_>) -> Option<String> {
    let hours = facts.coverage.hours.len();
    if hours < FEWEST_HOURS {
        return None;
    }
    let (clients, proposal) = (&facts.profile.clients, facts.proposal);
    let limit = proposal.limit.unwrap_or(proposal.ceiling).requests();
    let is_there = |client: &ClientProfile| {
        client.label.is_none()
            && f64::from(client.hours) >= ALL_DAY * hours as f64
            && client.peak(proposal.window) <= limit
    };
    let places = by_figure(
        clients,
        (0..clients.len()).filter(|&place| is_there(&clients[place])),
        |client| client.requests,
    );
    let busiest = &clients[*places.first()?];
    let many = places.len() as u64;
    Some(format!(
        "{} ({}) called in at least 90 % of the {} and stayed under the limit, with up to {}: listed without a claim, but a limit on peaks does not see slow machines.",
        count(many, "client", "clients"),
        names(places.iter().map(|&place| &clients[place]), NAMED),
        count(hours as u64, "hour", "hours"),
        count(busiest.requests.into(), "request", "requests"),
    ))
}

/// `existing-limit`: at least 1 % of the requests were answered 429, or one of the ten busiest clients
/// that are not exempt got it for at least 5 % and ten of its requests.
pub(super) fn existing_limit(facts: &Facts<'_>) -> Option<String> {
    let (clients, window) = (&facts.profile.clients, facts.proposal.window);
    let counted = (0..clients.len()).filter(|&place| !clients[place].is_labelled(Label::Exempt));
    let top = top(clients, counted, |client| client.peak(window));
    let sum = |column: fn(&ClientProfile) -> u32| facts.profile.sum(column);
    let limited = sum(|client| client.limited);
    let all = sum(|client| client.requests);
    let of_top: u64 = top.iter().map(|&place| u64::from(clients[place].limited)).sum();
    let is_limited = |client: &ClientProfile| {
        client.limited >= LIMITED_REQUESTS
            && share(client.limited.into(), client.requests.into()) >= LIMITED_CLIENT
    };
    let noticeable = limited > 0 && share(limited, all) >= LIMITED;
    (noticeable || top.iter().any(|&place| is_limited(&clients[place]))).then(|| {
        format!(
            "{} ({}) {} answered 429, {} of them to the {} busiest clients: a limit seems to be in place already. Refused requests still count here, but clients that back off peak lower, so a gap may be the old limit's shadow.",
            count(limited, "request", "requests"),
            percent(share(limited, all)),
            plural(limited, "was", "were"),
            thousands(of_top),
            top.len(),
        )
    })
}

/// The ten highest by a figure, ties by canonical text, without sorting everybody by text.
fn top(
    clients: &[ClientProfile],
    places: impl Iterator<Item = usize>,
    figure: impl Fn(&ClientProfile) -> u32,
) -> Vec<usize> {
    let mut places: Vec<usize> = places.collect();
    if places.len() > ON_TOP {
        let by_figure = |&place: &usize| std::cmp::Reverse(figure(&clients[place]));
        let (_, &mut least, _) = places.select_nth_unstable_by_key(ON_TOP - 1, by_figure);
        let least = figure(&clients[least]);
        places.retain(|&place| figure(&clients[place]) >= least);
    }
    let mut top = by_figure(clients, places, figure);
    top.truncate(ON_TOP);
    top
}
