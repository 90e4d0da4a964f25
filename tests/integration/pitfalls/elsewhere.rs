//! Logs of load balancers, web servers and AWS WAF.

use ratewaf::counts::RuleAction;
use ratewaf::logs::{Options, Skip, SkipReason};

use super::{SEVEN, count, fixture, read, read_with};
use crate::harness::Workspace;

fn skipped(name: &str) -> Vec<(SkipReason, u64)> {
    let report = read_with(name, Options::default()).1.unwrap();
    report.skipped.iter().map(|Skip { reason, lines, .. }| (*reason, *lines)).collect()
}

#[test]
fn pitfall_20_the_port_begins_at_the_last_colon() {
    let clients: Vec<String> =
        read("20-ipv6-with-port.log").into_iter().map(|row| row.client).collect();
    assert_eq!(
        clients,
        [
            "2001:db8::7",
            "192.0.2.7",
            "2001:db8:85a3:8d3:1319:8a2e:370:7348",
            // No address at all, and kept as text: it may be a mask.
            "12.34.178.90.32",
            "x.0.0.0"
        ]
    );
    assert_eq!(count("20-ipv6-with-port.log", "GET /token").coverage.masked_clients, 2);
}

#[test]
fn pitfall_21_hosts_may_stand_in_brackets() {
    let rows = read("21-brackets-in-an-address.log");
    let found: Vec<_> =
        rows.iter().map(|row| (row.host.as_deref().unwrap_or_default(), &*row.path)).collect();
    assert_eq!(
        found,
        [
            ("%5B::ffff:a9fe:a9fe%5D", "/latest/meta-data/"),
            ("%5B2001:db8::1%5D", "/token"),
            ("shop.example", "/")
        ]
    );
}

#[test]
fn pitfall_22_an_address_may_hold_spaces() {
    let paths: Vec<String> =
        read("22-space-in-an-address.log").into_iter().map(|row| row.path).collect();
    assert_eq!(paths, ["/a%20b/c%20%20d", "/token"]);
}

#[test]
fn pitfall_23_a_status_may_be_missing_and_a_request_too() {
    for name in ["23-no-request-and-no-status.log", "23-web-server.log"] {
        let (rows, _) = read_with(name, Options::default());
        assert_eq!(rows.len(), 3, "{name}");
        assert!(rows.iter().all(|row| row.status.is_none() && row.path == "/token"));
        assert_eq!(skipped(name), [(SkipReason::NoRequest, 2)], "{name}");
    }
}

#[test]
fn pitfall_25_new_columns_come_at_the_end() {
    let rows = read("25-new-columns.log");
    let seconds: Vec<i64> = rows.iter().map(|row| row.arrival - SEVEN).collect();
    assert_eq!(seconds, [0, 1, 2, 3]);
    assert!(rows.iter().all(|row| row.path == "/token" && row.status == Some(200)));
}

#[test]
fn pitfall_41_quotes_in_an_agent_are_escaped_in_many_ways() {
    let pip = Some("pip/21.2%20%7B%22ci%22:null,%22cpu%22:%22x86_64%22%7D");
    let rows = read("41-quotes-in-an-agent.log");
    // The third has quotes that nobody escaped: none stands before a blank but the last.
    for row in &rows[..3] {
        assert_eq!(row.agent.as_deref(), pip);
    }
    assert_eq!(rows[3].agent.as_deref(), Some("curl/8"));
    let rows = read("41-web-server.log");
    assert!(rows.iter().all(|row| row.agent.as_deref() == pip));
}

#[test]
fn pitfall_42_a_broken_line_takes_no_other_with_it() {
    let name = "42-line-feed-in-an-agent.log";
    let (rows, _) = read_with(name, Options::default());
    // The first half of the broken line has all that counts, the rest is no line.
    let seconds: Vec<i64> = rows.iter().map(|row| row.arrival - SEVEN).collect();
    assert_eq!(seconds, [0, 1, 2, 3]);
    assert_eq!(skipped(name).iter().map(|(_, lines)| lines).sum::<u64>(), 1);
}

#[test]
fn pitfall_43_an_action_is_what_its_key_says() {
    let (rows, report) = read_with("43-actions-in-values.jsonl", Options::default());
    let report = report.unwrap();
    assert_eq!(rows.len(), 3);
    assert_eq!((report.completeness.waf_records, report.completeness.waf_allowed), (3, 2));
    let counts = count("43-actions-in-values.jsonl", "GET /token");
    assert!(counts.rule_hits.is_empty());
}

#[test]
fn pitfall_44_a_counting_rate_rule_hides_in_nested_lists() {
    let counts = count("44-three-lists.jsonl", "GET /token");
    let names: Vec<&str> = counts.rule_hits.iter().map(|rule| rule.name.as_str()).collect();
    assert_eq!(names, ["acl-token"]);
    let mut found: Vec<(String, u32, u32)> = (counts.rule_hits[0].clients.iter())
        .map(|hits| {
            let of = |action: RuleAction| hits.requests[action as usize];
            let client = hits.client.to_string();
            (client, of(RuleAction::Count), of(RuleAction::Block))
        })
        .collect();
    found.sort();
    let expected = [(1, 1, 0), (2, 1, 0), (3, 1, 0), (4, 0, 1), (5, 0, 1), (6, 0, 1)];
    let expected =
        expected.map(|(last, counted, blocked)| (format!("192.0.2.{last}"), counted, blocked));
    assert_eq!(found, expected);
}

#[test]
fn pitfall_45_counting_ends_nothing_and_values_may_be_redacted() {
    let (rows, report) = read_with("45-redacted.json", Options::default());
    let report = report.unwrap();
    assert_eq!((rows.len(), report.skipped_lines()), (3, 0));
    assert!(rows.iter().all(|row| row.host.as_deref() == Some("shop.example")));
    assert_eq!(rows[0].agent, None);
    assert_eq!(report.completeness.waf_allowed, 3);
    let hidden: Vec<_> = report.completeness.redacted.into_iter().collect();
    assert_eq!(hidden, [("referer", 1), ("user agent", 1)]);
}

#[test]
fn pitfall_47_edges_of_cloudfront_are_no_clients() {
    let workspace = Workspace::new();
    let logs = fixture("47-load-balancer-behind-cloudfront.log.gz");
    let arguments = ["analyze", &logs, "--route", "GET /token"];
    let text = workspace.ok(&arguments).stdout;
    for words in ["/token  none", "CloudFront's own machines", "give the logs of the distribution"]
    {
        assert!(text.replace('\n', " ").contains(words), "no `{words}` in {text}");
    }
    assert!(!text.contains("Ceiling"), "{text}");
    let lock: serde_json::Value =
        serde_json::from_str(&workspace.read("ratewaf.lock.json")).unwrap();
    let route = &lock["routes"][0];
    assert_eq!((&route["grade"], &route["limit"]), (&"none".into(), &serde_json::Value::Null));
    assert_eq!(route["caps"][0]["id"], "edge-addresses");
}
