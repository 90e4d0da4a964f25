//! AWS WAF logs: a JSON object a request (AWS WAF Developer Guide, "Log fields for protection pack (web
//! ACL) traffic"), stamped with the arrival.
//!
//! The web ACL of the demo has a rule that blocks requests for holes, and a rate-based rule on the
//! route that counts only, so that its matches are where those of a rule in count mode always are: in
//! the list of rules that did not terminate, and in that of the rate-based rules.

use std::collections::HashMap;

use serde::Serialize;

use crate::demo::exchange::Exchange;
use crate::demo::record::{Record, Resource};
use crate::demo::site;

/// Requests of one address on the route within the window below, beyond which the rule counts.
const LIMIT: usize = 300;
/// Seconds.
const WINDOW: u32 = 300;
/// As `ratewaf emit` names the rule of the route.
const RATE_RULE: &str = "ratewaf-oauth-token";
const HOLES_RULE: &str = "block-holes";
const WEB_ACL: &str = "arn:aws:wafv2:us-east-1:123456789012:global/webacl/shop/\
    6f1d2c9e-0b7a-4c58-9d3e-5a4b3c2d1e0f";

/// The requests that are over the limit of the rate-based rule, by [`Record::noise`], sorted. Each
/// hour begins anew: AWS WAF's own count is an estimate, too.
pub(super) fn over_limit(records: &[Record]) -> Vec<u64> {
    let mut clients: HashMap<u32, Vec<(u32, u64)>> = HashMap::new();
    for record in records.iter().filter(|record| record.resource == Resource::Token) {
        if !record.copy {
            let requests = clients.entry(record.caller.client).or_default();
            requests.push((record.arrival(), record.noise));
        }
    }
    let mut over = Vec::new();
    for requests in clients.values_mut() {
        requests.sort_unstable();
        let mut first = 0;
        for (place, &(arrival, noise)) in requests.iter().enumerate() {
            while requests[first].0 + WINDOW <= arrival {
                first += 1;
            }
            if place + 1 - first > LIMIT {
                over.push(noise);
            }
        }
    }
    over.sort_unstable();
    over
}

/// Appends one line with its end.
pub(super) fn line(exchange: &Exchange, over_limit: bool, out: &mut Vec<u8>) {
    let blocked = exchange.status == 403;
    let mut headers = vec![
        Header { name: "host", value: site::HOST },
        Header { name: "user-agent", value: &exchange.agent },
        Header { name: "accept", value: "*/*" },
    ];
    if !exchange.referer.is_empty() {
        headers.push(Header { name: "referer", value: &exchange.referer });
    }
    let rate_rules = over_limit.then(|| RateRule {
        rate_based_rule_id: "a1b2c3d4-5678-4e9f-8a0b-1c2d3e4f5a6b",
        rate_based_rule_name: RATE_RULE,
        limit_key: "IP",
        max_rate_allowed: LIMIT,
        evaluation_window_sec: "300",
        limit_value: &exchange.client,
    });
    let counted = over_limit.then_some(CountingRule {
        rule_id: RATE_RULE,
        action: "COUNT",
        rule_match_details: [],
    });
    let record = Log {
        timestamp: exchange.arrival() * 1_000 + i64::from(exchange.fraction),
        format_version: 1,
        webacl_id: WEB_ACL,
        terminating_rule_id: if blocked { HOLES_RULE } else { "Default_Action" },
        terminating_rule_type: "REGULAR",
        action: if blocked { "BLOCK" } else { "ALLOW" },
        terminating_rule_match_details: [],
        http_source_name: "CF",
        http_source_id: site::DISTRIBUTION,
        rule_group_list: [],
        rate_based_rule_list: rate_rules.as_slice(),
        non_terminating_matching_rules: counted.as_slice(),
        request_headers_inserted: None,
        response_code_sent: None,
        http_request: Request {
            client_ip: &exchange.client,
            country: exchange.country,
            headers,
            uri: &exchange.path,
            args: &exchange.query,
            http_version: exchange.version,
            http_method: exchange.method,
            request_id: &exchange.request_id,
            fragment: "",
            scheme: if exchange.scheme == "wss" { "https" } else { exchange.scheme },
            host: site::HOST,
        },
        labels: [],
        client_asn: exchange.network,
    };
    // Texts and numbers are always JSON, and memory takes whatever is written.
    let _ = serde_json::to_writer(&mut *out, &record);
    out.push(b'\n');
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Log<'a> {
    timestamp: i64,
    format_version: u32,
    webacl_id: &'static str,
    terminating_rule_id: &'static str,
    terminating_rule_type: &'static str,
    action: &'static str,
    terminating_rule_match_details: [(); 0],
    http_source_name: &'static str,
    http_source_id: &'static str,
    rule_group_list: [(); 0],
    rate_based_rule_list: &'a [RateRule<'a>],
    non_terminating_matching_rules: &'a [CountingRule],
    request_headers_inserted: Option<()>,
    response_code_sent: Option<u16>,
    http_request: Request<'a>,
    labels: [(); 0],
    client_asn: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Request<'a> {
    client_ip: &'a str,
    country: &'static str,
    headers: Vec<Header<'a>>,
    uri: &'a str,
    args: &'a str,
    http_version: &'static str,
    http_method: &'static str,
    request_id: &'a str,
    fragment: &'static str,
    scheme: &'static str,
    host: &'static str,
}

#[derive(Serialize)]
struct Header<'a> {
    name: &'static str,
    value: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RateRule<'a> {
    rate_based_rule_id: &'static str,
    rate_based_rule_name: &'static str,
    limit_key: &'static str,
    max_rate_allowed: usize,
    evaluation_window_sec: &'static str,
    limit_value: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CountingRule {
    rule_id: &'static str,
    action: &'static str,
    rule_match_details: [(); 0],
}
