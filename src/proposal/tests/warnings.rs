//! Each warning just below and just above its rule.

use super::made::{
    MONDAY, body, client, clients, days, labelled, office, route, script, unknown, visitor,
};
use crate::counts::{Coverage, Skipped};
use crate::profile::{ClientProfile, Label, RouteProfile};
use crate::proposal::{Grade, propose_route};
use crate::units::Timestamp;

const SCRIPTS: [u32; 6] = [60, 75, 90, 110, 130, 400];

/// A clear case: visitors and six scripts, the busiest at place 129.
fn clear() -> RouteProfile {
    let mut seen = body();
    seen.extend(SCRIPTS.map(script));
    route(clients(&seen))
}

fn text(profile: &RouteProfile, coverage: &Coverage, id: &str) -> Option<String> {
    let warnings = propose_route(profile, coverage).warnings;
    assert!(warnings.iter().filter(|warning| warning.id == id).count() <= 1);
    warnings.into_iter().find(|warning| warning.id == id).map(|warning| warning.text)
}

fn busiest(clients: &mut [ClientProfile]) -> &mut ClientProfile {
    clients.iter_mut().find(|client| client.sliding[2] == 400).unwrap()
}

#[test]
fn a_whole_clean_week_has_no_warning() {
    let proposed = propose_route(&clear(), &days(7));
    assert_eq!(proposed.proposal.grade, Grade::Clear);
    assert_eq!(proposed.warnings, []);
}

#[test]
fn coverage_tells_of_holes_copies_and_skipped_lines() {
    let mut log = days(7);
    log.hours.remove(&(MONDAY.hour() + 30));
    assert_eq!(
        text(&clear(), &log, "coverage").as_deref(),
        Some(
            "1 of 168 hours has no line, where half of the others have 595 lines or fewer: log files are probably missing, and with them the peaks of these hours."
        )
    );
    // Two runaways' hours do not make the others busy.
    for (hour, lines) in &mut log.hours {
        *lines = if *hour < MONDAY.hour() + 2 { 100_000 } else { 99 };
    }
    assert_eq!(
        text(&clear(), &log, "coverage").as_deref(),
        Some(
            "1 of 168 hours has no line, where half of the others have 99 lines or fewer: quiet hours or missing log files."
        )
    );
    let mut log = days(7);
    log.skipped.insert("too few columns", Skipped { lines: 2_000, example: None });
    let mut profile = clear();
    profile.traffic.duplicates = 1;
    assert_eq!(
        text(&profile, &log, "coverage").as_deref(),
        Some(
            "1 copy of requests (same request id) was dropped. 2,000 lines (2 %) could not be read and were skipped."
        )
    );
}

#[test]
fn a_short_log_is_under_five_days() {
    assert_eq!(text(&clear(), &days(5), "short-log"), None);
    assert_eq!(
        text(&clear(), &days(4), "short-log").as_deref(),
        Some("This log covers 4 days; habits show in a week. Until then no limit is graded clear.")
    );
    let mut seen = body();
    seen.extend(SCRIPTS.map(script));
    let nobody_known = route(clients(&seen.into_iter().map(unknown).collect::<Vec<_>>()));
    assert_eq!(
        text(&nobody_known, &days(1), "short-log").as_deref(),
        Some("This log covers 1 day; habits show in a week.")
    );
    assert_eq!(text(&clear(), &Coverage::default(), "short-log"), None);
}

#[test]
fn bursts_across_the_edges_of_the_busiest_client_below() {
    let mut profile = clear();
    let busiest = profile.clients.iter().position(|client| client.sliding[2] == 9).unwrap();
    profile.clients[busiest].clock = [7; 4];
    assert_eq!(text(&profile, &days(7), "edge-bursts"), None);
    profile.clients[busiest].clock = [6; 4];
    let told = text(&profile, &days(7), "edge-bursts").unwrap();
    assert!(told.starts_with(
        "The busiest client below the limit, 192.0.2.123, made 9 requests within 300 s but only 6 in one clock window"
    ));
}

#[test]
fn a_network_above_whose_addresses_are_not() {
    let mut profile = clear();
    profile.slash64 = clients(&body());
    let walker = |name: &str, peak| ClientProfile {
        client: crate::units::Client::from_text(name).slash64(),
        ..client(name, &script(peak))
    };
    profile.slash64.extend([
        walker("2001:db8:bad:1::1", 2_464),
        walker("2001:db8:bad:2::1", 900),
        walker("2001:db8:bad:3::1", 700),
    ]);
    assert_eq!(
        text(&profile, &days(7), "slash64").as_deref(),
        Some(
            "3 IPv6 networks (2001:db8:bad:1::/64, 2001:db8:bad:2::/64 and 2001:db8:bad:3::/64) are above 75 requests per 300 s, the limit by /64, with a peak of up to 2,464, though none of their addresses is above a limit by address: a rule that counts addresses does not touch them. Consider an IP set for them, or another key."
        )
    );
    // Addresses of the networks that are above by themselves.
    for (place, name) in [(124, "2001:db8:bad:1::7"), (125, "2001:db8:bad:2::8")] {
        profile.clients[place].client = crate::units::Client::from_text(name);
    }
    let told = text(&profile, &days(7), "slash64").unwrap();
    assert!(
        told.starts_with("1 IPv6 network (2001:db8:bad:3::/64) is above 75 requests"),
        "{told}"
    );
    profile.clients[126].client = crate::units::Client::from_text("2001:db8:bad:3::9");
    assert_eq!(text(&profile, &days(7), "slash64"), None);
    assert!(propose_route(&profile, &days(7)).slash64.is_some());
}

#[test]
fn forwarded_requests_and_shared_addresses_ask_for_another_key() {
    let mut profile = clear();
    for client in &mut profile.clients {
        client.forwarded = client.requests / 2;
    }
    assert_eq!(text(&profile, &days(7), "forwarded"), None);
    for client in &mut profile.clients {
        client.forwarded = client.requests - client.requests / 2;
    }
    let told = text(&profile, &days(7), "forwarded").unwrap();
    assert!(told.starts_with("51 % of the requests carry an x-forwarded-for"), "{told}");

    let mut seen = body();
    let crowd =
        |peak| crate::proposal::Observation { agents: 30, requests: 20_000, ..visitor(peak) };
    seen.extend([crowd(40), crowd(55)]);
    let told = text(&route(clients(&seen)), &days(7), "forwarded").unwrap();
    assert!(told.starts_with("2 addresses that look shared carry 98 % of the requests"), "{told}");
}

#[test]
fn other_spellings_and_methods() {
    let mut profile = clear();
    (profile.traffic.matched, profile.traffic.plain) = (10_000, 9_901);
    profile.traffic.other_methods.insert("OPTIONS".to_owned(), 100);
    assert_eq!(text(&profile, &days(7), "spellings"), None);
    profile.traffic.plain = 9_900;
    profile.traffic.other_methods.insert("POST".to_owned(), 200);
    profile.traffic.missed_spellings = 102;
    assert_eq!(
        text(&profile, &days(7), "spellings").as_deref(),
        Some(
            "100 requests (1 %) spell the path otherwise (capitals, a slash at the end or doubled, escapes); the rule counts them too. 102 requests (1 % of all to this path) spell it in a way that the rule does not match, so they are not limited. 300 requests (3 % of all to this path) use other methods (POST 200, OPTIONS 100), which this rule does not count."
        )
    );
}

#[test]
fn a_client_above_only_by_all_its_spellings() {
    let mut profile = clear();
    busiest(&mut profile.clients).plain_sliding = [21; 4];
    assert_eq!(text(&profile, &days(7), "spellings"), None);
    busiest(&mut profile.clients).plain_sliding = [20; 4];
    assert_eq!(
        text(&profile, &days(7), "spellings").as_deref(),
        Some(
            "1 client (192.0.2.129) is above the limit only because the spellings are counted together: 400 requests in 300 s, 20 of them spelled plainly."
        )
    );
}

#[test]
fn peaks_within_one_half_hour() {
    let mut profile = clear();
    let last = profile.clients.len() - 1;
    for (place, seconds) in [(last, 0), (last - 1, 60), (last - 2, 1_800), (last - 3, 900)] {
        profile.clients[place].busiest = [Timestamp(MONDAY.0 + seconds); 4];
    }
    assert_eq!(text(&profile, &days(7), "together"), None);
    profile.clients[last - 4].busiest = [Timestamp(MONDAY.0 + 1_801); 4];
    assert_eq!(text(&profile, &days(7), "together"), None);
    profile.clients[last - 4].busiest = [Timestamp(MONDAY.0 + 1_799); 4];
    let told = text(&profile, &days(7), "together").unwrap();
    assert!(told.starts_with(
        "5 of the 6 clients above the limit have their peak within half an hour from 2026-09-07T00:00:00Z"
    ));
}

#[test]
fn machines_that_are_there_all_day() {
    let mut profile = clear();
    profile.clients.push(client("203.0.113.8", &office(8)));
    profile.clients.last_mut().unwrap().hours = 151;
    assert_eq!(text(&profile, &days(7), "all-day"), None);
    profile.clients.last_mut().unwrap().hours = 152;
    assert_eq!(
        text(&profile, &days(7), "all-day").as_deref(),
        Some(
            "1 client (203.0.113.8) called in at least 90 % of the 168 hours and stayed under the limit, with up to 24 requests: listed without a claim, but a limit on peaks does not see slow machines."
        )
    );
    let mut short = days(1);
    short.hours.pop_first();
    assert_eq!(text(&profile, &short, "all-day"), None);
    *profile.clients.last_mut().unwrap() =
        ClientProfile { hours: 168, ..client("203.0.113.8", &labelled(office(8), Label::Good)) };
    assert_eq!(text(&profile, &days(7), "all-day"), None);
}

#[test]
fn answers_429_tell_of_a_limit_in_place() {
    let mut profile = clear();
    let last = profile.clients.len() - 1;
    profile.clients[last].limited = 9;
    assert_eq!(text(&profile, &days(7), "existing-limit"), None);
    // 60 of 1,200 requests of one client on top; of all 3,600 or so more than 1 % as well.
    profile.clients[last].limited = 60;
    let told = text(&profile, &days(7), "existing-limit").unwrap();
    assert!(told.contains("answered 429, 60 of them to the 10 busiest clients"), "{told}");
    // Few of all, many of one.
    profile.clients[0].requests = 1_000_000;
    assert!(text(&profile, &days(7), "existing-limit").is_some());
    profile.clients[last].limited = 59;
    assert_eq!(text(&profile, &days(7), "existing-limit"), None);
    // Spread thinly over many.
    profile.clients[0].limited = 10_100;
    assert!(text(&profile, &days(7), "existing-limit").is_some());
}

#[test]
fn what_a_partial_log_lacks() {
    let mut log = days(7);
    log.skipped.insert("too few columns", Skipped { lines: 5_263, example: None });
    assert_eq!(text(&clear(), &log, "partial-log"), None);
    log.skipped.insert("no client address", Skipped { lines: 2, example: None });
    log.masked_clients = 2;
    log.partial_files.push(("b.gz".to_owned(), "truncated".to_owned()));
    let mut profile = clear();
    profile.clients[3].known = false;
    let told = text(&profile, &log, "partial-log").unwrap();
    assert_eq!(
        told,
        "A part of the log is damaged and was not read: peaks may be higher than shown. 5 % of the lines were skipped: peaks may be higher than shown. 2 clients are masked in the log: one mask may stand for many addresses, which AWS WAF counts one by one. For 1 of 130 clients the log lacks referer, user agent or status: habits and signs of runaways are unknown there and only the peaks speak."
    );
    // Another split into files does not change the text.
    log.partial_files.push(("c.gz".to_owned(), "truncated".to_owned()));
    assert_eq!(text(&profile, &log, "partial-log").as_deref(), Some(told.as_str()));
}
