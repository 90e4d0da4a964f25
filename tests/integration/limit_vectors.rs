//! The reference decisions: 177 lists of clients with all columns and what has to follow from them.

#![allow(clippy::unwrap_used)]

use std::io::{BufRead, BufReader};

use flate2::read::GzDecoder;
use ratewaf::profile::Label;
use ratewaf::proposal::{Behaviour, Decision, Observation, decide};
use ratewaf::units::{Limit, Window};
use serde_json::{Value, json};

const VECTORS: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/scenarios/limit-vectors.jsonl.gz");

fn vectors() -> Vec<Value> {
    let file = std::fs::File::open(VECTORS).unwrap();
    BufReader::new(GzDecoder::new(file))
        .lines()
        .map(|line| serde_json::from_str(&line.unwrap()).unwrap())
        .collect()
}

fn observations(vector: &Value) -> Vec<Observation> {
    let whole = |column: &str, place: usize| vector[column][place].as_i64().unwrap();
    let number = |column: &str, place: usize| u32::try_from(whole(column, place)).unwrap();
    let share = |column: &str, place: usize| vector[column][place].as_f64().unwrap();
    let labelled = |list: &str, place: usize| {
        vector[list].as_array().unwrap().iter().any(|other| other.as_u64() == Some(place as u64))
    };
    (0..vector["peak"].as_array().unwrap().len())
        .map(|place| Observation {
            peak: number("peak", place),
            requests: number("requests", place),
            agents: number("user_agents", place),
            share_4xx: share("share_4xx", place),
            focus: share("focus", place),
            behaviour: (whole("near_days", place) >= 0).then(|| Behaviour {
                near_days: number("near_days", place),
                hours: number("hours", place),
                windows: number("windows", place),
                middle: number("middle", place),
                referer: share("referer", place),
                browser: share("browser", place),
            }),
            label: [("exempt", Label::Exempt), ("good", Label::Good), ("bad", Label::Bad)]
                .into_iter()
                .find(|(list, _)| labelled(list, place))
                .map(|(_, label)| label),
        })
        .collect()
}

/// The decision in the shape of a vector's `expect`, without the evidence.
fn shape(decision: &Decision) -> Value {
    let places = |flags: &mut dyn Iterator<Item = bool>| {
        flags.enumerate().filter(|(_, flag)| *flag).map(|(place, _)| place).collect::<Vec<_>>()
    };
    json!({
        "limit": decision.limit.map(Limit::requests),
        "grade": decision.grade.as_str(),
        "reason": decision.reason.map_or("", |reason| reason.as_str()),
        "clients_above_cut": decision.clients_above_cut,
        "lower": decision.lower.map(f64::from),
        "upper": decision.upper.map(f64::from),
        "fewest_signs": decision.fewest_signs,
        "ceiling": decision.ceiling.requests(),
        "cautious_limit": decision.cautious_limit.map(Limit::requests),
        "established": places(&mut decision.established.iter().copied()),
        "shared": places(&mut decision.shared.iter().copied()),
        "two_signs_or_more": places(&mut decision.signs.iter().map(|signs| signs.len() >= 2)),
        "questions": decision.questions.iter().map(|question| json!({
            "kind": question.kind.as_str(),
            "clients": question.clients,
            "limit": question.limit.requests(),
        })).collect::<Vec<_>>(),
    })
}

#[test]
fn all_reference_decisions_agree_in_every_member() {
    let vectors = vectors();
    assert_eq!(vectors.len(), 177);
    let mut wrong = Vec::new();
    for (number, vector) in vectors.iter().enumerate() {
        let days = u32::try_from(vector["days"].as_u64().unwrap()).unwrap();
        let window = Window::new(u32::try_from(vector["window"].as_u64().unwrap()).unwrap());
        let decision = decide(&observations(vector), days, window.unwrap());
        let mut expected = vector["expect"].clone();
        let evidence = expected.as_object_mut().unwrap().shift_remove("evidence").unwrap();
        let close = match (evidence.as_f64(), decision.evidence) {
            (Some(wanted), Some(got)) => (wanted - got).abs() <= 1e-6,
            (None, None) => true,
            _ => false,
        };
        let got = shape(&decision);
        if got != expected || !close {
            let source = &vector["source"];
            let evidence_got = decision.evidence;
            wrong.push(format!(
                "vector {number} ({source})\nexpected {expected} {evidence}\ngot      {got} {evidence_got:?}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}
