//! Rules of a web ACL as WAF logs tell of them, made by hand.

use ratewaf::counts::LimitKey;
use ratewaf::enforcement::{ActedOn, Expected, NotExpected, PeakOf, RuleRecord};
use ratewaf::report::Analysis;
use ratewaf::units::{Client, Timestamp, Window};

use super::samples;

fn acted(client: &str, counted: u32, blocked: u32) -> ActedOn {
    let first = 1_788_825_600 + i64::from(counted);
    ActedOn {
        client: Client::from_text(client),
        requests: [counted, blocked, 0, 0, 0, 0],
        first: Timestamp(first),
        last: Timestamp(first + 3_600),
    }
}

fn peak(client: &str, peak: u32) -> PeakOf {
    PeakOf { client: Client::from_text(client), peak }
}

/// Rules with and without something to compare them with; `text` stands for names and clients.
pub fn rules(text: &str) -> Vec<RuleRecord> {
    let many = (1..=40).map(|last| acted(&format!("198.51.100.{last}"), 900 - last, last % 2));
    let mut clients: Vec<ActedOn> = many.collect();
    clients.push(acted(text, 1, 0));
    vec![
        RuleRecord {
            name: "acl-token".to_owned(),
            keys: vec![LimitKey::Ip],
            clients,
            expected: Ok(Expected {
                route: "GET /api/v1/token".to_owned(),
                limit: samples::limit(300),
                window: Window::FIVE_MINUTES,
                over: 44,
                missed: ["192.0.2.1", "192.0.2.2", text, "192.0.2.4", "192.0.2.5"]
                    .into_iter()
                    .zip([1_204, 499, 310, 303, 301])
                    .map(|(client, over)| peak(client, over))
                    .collect(),
                surprising: vec![peak("198.51.100.40", 290), peak(text, 0)],
            }),
        },
        RuleRecord {
            name: text.to_owned(),
            keys: vec![LimitKey::CustomKeys, LimitKey::Unknown],
            clients: vec![acted("2001:db8::1", 0, 7)],
            expected: Err(NotExpected::UnknownRule),
        },
        RuleRecord {
            name: "quiet".to_owned(),
            keys: Vec::new(),
            clients: Vec::new(),
            expected: Err(NotExpected::NoRules(format!("policy {text} is wrong"))),
        },
    ]
}

/// A week of WAF logs.
pub fn waf_week() -> Analysis {
    Analysis { rules: Some(rules("203.0.113.46")), ..samples::few_clients() }
}
