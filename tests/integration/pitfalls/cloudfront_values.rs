//! Values: escapes, addresses, lists, statuses, times.

use ratewaf::counts::flags;
use ratewaf::logs::{Options, SkipReason};

use super::{SEVEN, count, read, read_with};

#[test]
fn pitfall_10_an_agent_reads_alike_however_often_it_was_escaped() {
    let counts = count("10-agent-encoded-twice.log", "GET /a");
    let events = &counts.routes[0].events;
    assert_eq!(events[0].agent, events[1].agent);
    assert_eq!(counts.routes[0].agents.text(events[0].agent), Some("Mozilla/5.0 (X11; Linux)"));
}

#[test]
fn pitfall_11_an_escaped_comma_is_decoded_once() {
    // The client sent /a%2Cb: the statement, which decodes, takes it for /a,b.
    assert_eq!(count("11-escaped-comma.log", "GET /a,b").routes[0].traffic.matched, 1);
}

#[test]
fn pitfall_12_the_escaping_of_the_log_in_a_query_touches_no_path() {
    let rows = read("12-slash-in-the-query.log");
    assert_eq!(rows[0].path, "/a");
    assert_eq!(count("12-slash-in-the-query.log", "GET /a").routes[0].traffic.plain, 1);
}

#[test]
fn pitfall_13_nothing_is_decoded_twice_in_silence() {
    // The client sent /a%252Fb, which is no spelling of /a/b.
    assert_eq!(
        count("13-escaped-twice-by-the-client.log", "GET /a/b").routes[0].traffic.matched,
        0
    );
}

#[test]
fn pitfall_14_a_tab_in_an_agent_shifts_no_column() {
    let rows = read("14-tab-in-an-agent.log");
    assert_eq!(rows[0].agent.as_deref(), Some("a%09b%0Ac%00d"));
    assert_eq!(rows[0].forwarded.as_deref(), Some("203.0.113.9"));
}

#[test]
fn pitfall_15_lists_of_forwarded_addresses_are_values() {
    assert_eq!(read("15-forwarded-lists.log").len(), 3);
    assert_eq!(count("15-forwarded-lists.log", "GET /a").routes[0].traffic.forwarded, 3);
}

#[test]
fn pitfall_16_a_forwarded_name_is_data() {
    let rows = read("16-forwarded-localhost.log");
    assert_eq!(rows[0].forwarded.as_deref(), Some("localhost:8081"));
    assert_eq!(rows[0].client, "192.0.2.1");
}

#[test]
fn pitfall_17_behind_a_proxy_the_client_is_the_proxy_and_that_is_told() {
    let counts = count("17-behind-a-proxy.log", "GET /a");
    let route = &counts.routes[0];
    assert_eq!(counts.clients.client(route.events[0].client).to_string(), "192.0.2.1");
    assert_eq!(route.traffic.forwarded, 1);
    assert!(route.events[0].flags() & flags::FORWARDED != 0);
}

#[test]
fn pitfall_18_a_forged_list_makes_no_clients() {
    let counts = count("18-forged-forwarded.log", "GET /a");
    assert_eq!(counts.clients.len(), 1);
}

#[test]
fn pitfall_19_an_ipv6_address_is_one_client_however_it_is_written() {
    let counts = count("19-ipv6-clients.log", "GET /a");
    assert_eq!((counts.clients.len(), counts.coverage.masked_clients), (1, 0));
}

#[test]
fn pitfall_24_a_viewer_that_left_has_sent_a_request() {
    let rows = read("24-status-000.log");
    assert_eq!((rows[0].status, rows[1].status), (None, None));
    assert_eq!(count("24-status-000.log", "GET /a").routes[0].events.len(), 2);
}

#[test]
fn pitfall_40_lines_in_are_lines_out_and_lines_skipped() {
    let (rows, report) = read_with("40-odd-rows.log", Options::default());
    let report = report.unwrap();
    // Five with quotes, one good one, one that ends after the twelfth of 33 columns; one of two columns.
    assert_eq!((rows.len(), report.lines, report.skipped_lines()), (7, 7, 1));
    assert_eq!(
        (report.skipped[0].reason, report.skipped[0].first_line),
        (SkipReason::TooFewColumns, 8)
    );
    let agents: Vec<&str> = rows.iter().filter_map(|row| row.agent.as_deref()).collect();
    assert_eq!(agents[..5], ["\"", "'", "\"a,b\"", "a\"\"", "%22"]);
}

#[test]
fn pitfall_49_times_are_numbers_not_texts() {
    let (rows, report) = read_with("49-times-are-numbers.log", Options::default());
    let hours: Vec<i64> = rows.iter().map(|row| (row.arrival - SEVEN) / 3_600).collect();
    assert_eq!(hours, [3, 2]);
    let skipped = &report.unwrap().skipped;
    assert_eq!((skipped[0].reason, skipped[0].lines), (SkipReason::NoTime, 1));
}
