//! Clients made by hand.

use crate::counts::{Coverage, RouteTraffic};
use crate::profile::{ClientProfile, Habit, Label, Labelled, RouteProfile};
use crate::proposal::{Behaviour, Observation};
use crate::units::{Client, Timestamp, Window};

/// Monday, 7 September 2026, 00:00 UTC.
pub(super) const MONDAY: Timestamp = Timestamp(1_788_739_200);

/// A visitor whose peak is `peak`: one evening, a browser with referers, other pages too.
pub(super) fn visitor(peak: u32) -> Observation {
    Observation {
        peak,
        requests: 3 * peak,
        agents: 1,
        share_4xx: 0.0,
        focus: 0.5,
        behaviour: Some(Behaviour {
            near_days: 1,
            hours: 2,
            windows: 2,
            middle: peak.div_ceil(2),
            referer: 1.0,
            browser: 1.0,
        }),
        label: None,
    }
}

/// 124 visitors with peaks of 1 to 9.
pub(super) fn body() -> Vec<Observation> {
    let many = [(60, 1), (30, 2), (15, 3), (8, 4), (5, 5), (3, 6), (1, 7), (1, 8), (1, 9)];
    many.into_iter().flat_map(|(number, peak)| std::iter::repeat_n(visitor(peak), number)).collect()
}

/// The same client with another behaviour.
pub(super) fn behaving(client: Observation, change: impl FnOnce(&mut Behaviour)) -> Observation {
    let mut behaviour = client.behaviour.unwrap();
    change(&mut behaviour);
    Observation { behaviour: Some(behaviour), ..client }
}

/// A script that runs for an hour and calls nothing else.
pub(super) fn script(peak: u32) -> Observation {
    let client = Observation { focus: 1.0, ..visitor(peak) };
    behaving(client, |script| {
        (script.referer, script.browser) = (0.0, 0.0);
        (script.hours, script.windows) = (1, 4);
    })
}

/// An office that is there on five days.
pub(super) fn office(peak: u32) -> Observation {
    let client = Observation { agents: 5, ..visitor(peak) };
    behaving(client, |office| {
        (office.near_days, office.hours) = (5, 52);
        (office.windows, office.middle) = (400, 5);
    })
}

/// A cron job at every hour.
pub(super) fn cron(peak: u32) -> Observation {
    behaving(script(peak), |cron| {
        (cron.near_days, cron.hours) = (7, 168);
        (cron.windows, cron.middle) = (168, 100);
    })
}

pub(super) fn labelled(client: Observation, label: Label) -> Observation {
    Observation { label: Some(label), ..client }
}

pub(super) fn unknown(client: Observation) -> Observation {
    Observation { behaviour: None, focus: 1.0, ..client }
}

/// The client of an observation, the same in every window.
pub(super) fn client(name: &str, seen: &Observation) -> ClientProfile {
    let of = |share: f64| (share * f64::from(seen.requests)).round() as u32;
    let habit = seen.behaviour.map_or_else(Habit::default, |behaviour| Habit {
        near_days: behaviour.near_days,
        windows: behaviour.windows,
        middle: behaviour.middle,
    });
    ClientProfile {
        client: Client::from_text(name),
        label: seen.label.map(|label| Labelled { label, network: "office".to_owned() }),
        requests: seen.requests,
        lines: (f64::from(seen.requests) / seen.focus).round() as u32,
        sliding: [seen.peak; 4],
        clock: [seen.peak; 4],
        plain_sliding: [seen.peak; 4],
        busiest: [Timestamp(MONDAY.0 + i64::from(seen.peak) * 7_200); 4],
        habits: [habit; 4],
        hours: seen.behaviour.map_or(1, |behaviour| behaviour.hours),
        agents: seen.agents,
        top_agent: 0,
        errors: of(seen.share_4xx),
        limited: 0,
        referers: of(seen.behaviour.map_or(0.0, |behaviour| behaviour.referer)),
        browsers: of(seen.behaviour.map_or(0.0, |behaviour| behaviour.browser)),
        forwarded: 0,
        known: seen.behaviour.is_some(),
        first: MONDAY,
        last: MONDAY,
    }
}

/// The clients of some observations: 192.0.2.0 and so on.
pub(super) fn clients(seen: &[Observation]) -> Vec<ClientProfile> {
    seen.iter()
        .zip(0u32..)
        .map(|(seen, number)| {
            let address = std::net::Ipv4Addr::from(u32::from_be_bytes([192, 0, 2, 0]) + number);
            client(&address.to_string(), seen)
        })
        .collect()
}

/// A route that these clients called.
pub(super) fn route(clients: Vec<ClientProfile>) -> RouteProfile {
    let requests = clients.iter().map(|client| u64::from(client.requests)).sum();
    RouteProfile {
        route: "GET /api/v1/token".parse().unwrap(),
        window: Window::FIVE_MINUTES,
        clients,
        crowd: Vec::new(),
        slash64: Vec::new(),
        slash64_crowd: Vec::new(),
        by_hour: Default::default(),
        requests,
        traffic: RouteTraffic { matched: requests, plain: requests, ..RouteTraffic::default() },
        agents: std::sync::Arc::default(),
    }
}

/// A log without a hole that covers `days` days.
pub(super) fn days(days: i64) -> Coverage {
    Coverage {
        lines: 100_000,
        hours: (MONDAY.hour()..MONDAY.hour() + 24 * days).map(|hour| (hour, 595)).collect(),
        first: Some(MONDAY),
        last: Some(Timestamp(MONDAY.0 + 86_400 * days - 1)),
        ..Coverage::default()
    }
}
