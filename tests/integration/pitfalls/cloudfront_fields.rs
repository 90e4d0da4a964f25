//! Columns: how many, which, in what order, and what separates them.

use ratewaf::logs::{FieldList, InputFormat, Options, RealTimeConfig};

use super::{SEVEN, count, fixture, read, read_with};
use crate::harness::Workspace;

#[test]
fn pitfall_01_any_number_of_columns_that_aws_ever_wrote() {
    let rows = read("01-column-counts.log");
    assert_eq!(rows.len(), 8);
    assert!(rows.iter().all(|row| row.client == "192.0.2.1" && row.path == "/a"));
}

#[test]
fn pitfall_02_an_unknown_column_keeps_its_place() {
    let rows = read("02-unknown-column.log");
    assert_eq!((rows[0].client.as_str(), rows[0].path.as_str()), ("192.0.2.1", "/a"));
}

#[test]
fn pitfall_03_two_new_columns_shift_nothing() {
    let rows = read("03-two-new-columns.log");
    assert_eq!(rows[0].forwarded.as_deref(), Some("203.0.113.9"));
}

#[test]
fn pitfall_04_old_and_new_files_of_one_week_are_read_by_their_own_headers() {
    let counts = count("04-mixed-week", "GET /a");
    assert_eq!((counts.coverage.lines, counts.routes[0].events.len()), (5, 5));
    let formats: Vec<&str> = counts.coverage.formats.keys().map(String::as_str).collect();
    let expected = ["CloudFront standard log, 24 columns", "CloudFront standard log, 33 columns"];
    assert_eq!(formats, expected);
}

#[test]
fn pitfall_05_a_few_fields_are_enough() {
    assert_eq!(read("05-chosen-fields.log")[0].path, "/a");
}

#[test]
fn pitfall_08_blanks_stand_for_tabs_only_where_there_are_no_tabs() {
    let rows = read("08-blanks-for-tabs.log");
    assert_eq!(rows[0].agent.as_deref(), Some("a%20b"));
}

#[test]
fn pitfall_35_a_real_time_log_is_another_format() {
    let config = std::fs::read_to_string(fixture("35-real-time.json")).unwrap();
    let config = RealTimeConfig::from_json(&config).unwrap();
    let options = Options { fields: Some(config.fields), ..Options::default() };
    let (rows, report) = read_with("35-real-time.log", options);
    assert_eq!(report.unwrap().skipped_lines(), 0);
    let row = &rows[0];
    assert_eq!((row.path.as_str(), row.host.as_deref()), ("/a", Some("shop.example")));
    assert_eq!((row.arrival, row.status), (SEVEN, Some(200)));
    // Without its fields it is refused, never read by guess.
    let workspace = Workspace::new();
    let log = fixture("35-real-time.log");
    workspace.refused(
        &["analyze", &log],
        &["looks like a CloudFront real-time log of 20 columns", "--realtime-config"],
    );
    let config = fixture("35-real-time.json");
    let shown = workspace.ok(&[
        "analyze",
        &log,
        "--realtime-config",
        &config,
        "--route",
        "GET /a",
        "--no-write",
        "--verbose",
    ]);
    assert!(shown.stderr.contains("CloudFront real-time log, 10 of 20 fields"), "{}", shown.stderr);
}

#[test]
fn pitfall_36_a_real_time_log_may_have_a_few_fields_only() {
    let names = "timestamp c-ip cs-method cs-uri-stem x-edge-request-id";
    let fields = FieldList::real_time(names).ok();
    let options = Options { fields, format: Some(InputFormat::RealTime), ..Options::default() };
    let (rows, report) = read_with("36-chosen-real-time-fields.log", options);
    assert_eq!((rows.len(), report.unwrap().skipped_lines()), (2, 0));
    assert_eq!((rows[1].path.as_str(), rows[1].arrival), ("/a", SEVEN));
}

#[test]
fn pitfall_37_a_quote_begins_nothing_in_a_raw_log() {
    let fields = FieldList::parse("date time c-ip cs(User-Agent) cs-uri-stem cs-method").ok();
    let options = Options { fields, ..Options::default() };
    let (rows, report) = read_with("37-quote-in-a-raw-log.log", options);
    assert_eq!(report.unwrap().skipped_lines(), 0);
    let agents: Vec<&str> = rows.iter().filter_map(|row| row.agent.as_deref()).collect();
    assert_eq!(agents, ["\"unclosed", "curl/8.5", "a,b\"\"c"]);
}

#[test]
fn pitfall_38_the_format_is_named_in_the_output() {
    let workspace = Workspace::new();
    for (name, format) in [
        ("38-semicolons.log", "CloudFront v2, separated by `;;`, 6 of 6 fields"),
        ("01-column-counts.log", "CloudFront standard log, 12 columns"),
        ("39-parentheses.jsonl", "CloudFront v2, JSON, 13 of 34 fields"),
    ] {
        let log = fixture(name);
        let shown =
            workspace.ok(&["analyze", &log, "--route", "GET /a", "--no-write", "--verbose"]);
        assert!(shown.stderr.contains(format), "{}", shown.stderr);
    }
}

#[test]
fn pitfall_39_keys_have_parentheses_and_the_stamp_is_in_milliseconds() {
    let rows = read("39-parentheses.jsonl");
    assert_eq!((rows[0].agent.as_deref(), rows[0].arrival), (Some("curl/8.5"), SEVEN));
}

#[test]
fn pitfall_52_more_and_fewer_than_thirty_three_columns() {
    let rows = read("52-not-thirty-three.log");
    assert_eq!(rows.len(), 2);
    assert!(rows.iter().all(|row| row.client == "192.0.2.1" && row.path == "/a"));
}

#[test]
fn pitfall_53_an_empty_column_stays_where_it_is() {
    let rows = read("53-empty-columns.log");
    assert_eq!((rows[0].status, rows[0].agent.as_deref()), (Some(404), Some("curl/8.5")));
}

#[test]
fn pitfall_54_columns_are_found_by_name_in_any_order() {
    let rows = read("54-another-order.log");
    let row = &rows[0];
    assert_eq!((row.client.as_str(), row.path.as_str()), ("192.0.2.1", "/a"));
    assert_eq!(row.forwarded.as_deref(), Some("203.0.113.9"));
}
