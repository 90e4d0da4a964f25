//! Conformance vectors of limits that Redis counts.

use serde_json::{Value, json};

use super::app::{scenario, total};
use super::vectors::{EDGE, Numbers, bucket_requests, lines};
use crate::limiters::Several;
use crate::policy::{Answer, Dimension, FailMode, Part, RedisLayer, Scenario, Total};

/// Scenarios of the policy that get vectors of their own.
const SCENARIOS: usize = 3;
/// Limits above are tried with this one, so that the tests stay short.
const MOST: u32 = 12;
/// Keys live by the clock of the server while the vectors run on one of their own: shorter windows are tried
/// with this one, in seconds.
const LEAST_WINDOW: u32 = 60;

/// Who asks: an index for each part, of two values.
type Who = [usize; 4];

const VALUES: [(Part, &str, [&str; 2]); 4] = [
    (Part::User, "user", ["u1", "u2"]),
    (Part::Device, "device", ["d1", "d2"]),
    (Part::Ip, "ip", ["192.0.2.1", "192.0.2.2"]),
    (Part::Activity, "activity", ["a1", "a2"]),
];

/// One step: when, what, which request, and whose.
type Step = (i64, &'static str, u64, Who);

/// Vectors that every limiter has to pass, and those of the policy's scenarios.
pub(super) fn of_redis(layer: &RedisLayer) -> String {
    let example = |name: &str, dimensions| Scenario {
        name: name.to_owned(),
        dimensions,
        accounts_per_device: None,
        fail: FailMode::Closed,
        answer: Answer::Refuse,
    };
    let by = |by: &[Part], limit, window| Dimension { by: by.to_vec(), limit, window };
    let examples = [
        example("one", vec![by(&[Part::User], 10, 60)]),
        example("two", vec![by(&[Part::User, Part::Activity], 3, 60), by(&[Part::Ip], 7, 600)]),
    ];
    let own = layer.scenarios.iter().take(SCENARIOS).map(small);
    let sliding = examples.into_iter().chain(own).flat_map(|one| {
        stories(&one).into_iter().map(move |(about, steps)| {
            let requests = decided(&one, steps);
            json!({ "about": about, "scenario": scenario(&one), "requests": requests })
        })
    });
    let bucket = Total { limit: 7, window: 60, burst: 3, fail: FailMode::Closed };
    let buckets = std::iter::once(bucket).chain(layer.total.clone().map(|total| Total {
        limit: total.limit.min(MOST),
        burst: total.burst.min(MOST),
        window: total.window.max(LEAST_WINDOW),
        ..total
    }));
    let buckets = buckets.flat_map(|one| {
        bucket_requests(one.limit, one.window, one.burst).into_iter().map(move |(about, requests)| {
            json!({ "about": about, "total": total(&one), "requests": requests })
        })
    });
    lines(sliding.chain(buckets))
}

fn small(one: &Scenario) -> Scenario {
    let dimensions = one.dimensions.iter().map(|dimension| Dimension {
        limit: dimension.limit.min(MOST),
        window: dimension.window.max(LEAST_WINDOW),
        by: dimension.by.clone(),
    });
    Scenario { dimensions: dimensions.collect(), accounts_per_device: None, ..one.clone() }
}

/// What the limiter of this program decides: each step with its answer.
fn decided(one: &Scenario, steps: Vec<Step>) -> Vec<Value> {
    let limits: Vec<(u32, i64)> =
        one.dimensions.iter().map(|one| (one.limit, i64::from(one.window) * 1000)).collect();
    let mut limiter = Several::new(&limits);
    let clients = |who: &Who| -> Vec<String> {
        let named = |part: &Part| {
            let place = VALUES.iter().position(|(known, ..)| known == part).unwrap_or_default();
            VALUES[place].2[who[place]]
        };
        one.dimensions.iter().map(|one| one.by.iter().map(named).collect()).collect()
    };
    steps
        .into_iter()
        .map(|(at, action, id, who)| {
            let clients = clients(&who);
            let clients: Vec<&str> = clients.iter().map(String::as_str).collect();
            let (passes, wait) = match action {
                "refund" => (limiter.refund(id, &clients), 0),
                _ => limiter.take(at, id, &clients),
            };
            let asked: serde_json::Map<String, Value> = VALUES
                .iter()
                .zip(who)
                .map(|((_, name, values), which)| ((*name).to_owned(), values[which].into()))
                .collect();
            json!([at, action, id.to_string(), asked, passes, wait])
        })
        .collect()
}

/// Requests that find what goes wrong in sliding windows.
fn stories(one: &Scenario) -> Vec<(&'static str, Vec<Step>)> {
    let tightest = one.dimensions.iter().min_by_key(|one| one.limit);
    let (limit, window) = tightest.map_or((1, 60), |one| (u64::from(one.limit), one.window));
    let width = i64::from(window) * 1000;
    let take = |at: i64, id: u64| (at, "take", id, [0; 4]);
    let fill = |at: i64, from: u64| (from..=from + limit).map(move |id| take(at, id));
    let refund = |at: i64, id: u64| (at, "refund", id, [0; 4]);
    vec![
        (
            "around the edge of a window",
            fill(EDGE - 1, 0)
                .chain(fill(EDGE, 100))
                .chain([take(EDGE + width - 2, 200), take(EDGE + width - 1, 201)])
                .chain(fill(EDGE + width, 300))
                .collect(),
        ),
        (
            "all at once, then as places come back",
            fill(EDGE, 0)
                .chain(
                    (1..limit).map(|id| take(EDGE + i64::try_from(id).unwrap_or(0) * 10, 50 + id)),
                )
                .chain([take(EDGE + width - 1, 200), take(EDGE + width, 201)])
                .chain(fill(EDGE + 3 * width, 300))
                .chain((1..4).flat_map(|step| {
                    let back = EDGE + (3 + step) * width;
                    let id = 1_000 * step.unsigned_abs();
                    [take(back - 1, id), take(back, id + 1), take(back + 1, id + 2)]
                }))
                .collect(),
        ),
        (
            "a clock that goes back and forth",
            fill(EDGE + 10, 0)
                .chain([take(EDGE + 9, 100), take(EDGE - width, 101)])
                .chain(fill(EDGE + 10 + width, 200))
                .chain([take(EDGE, 300)])
                .collect(),
        ),
        (
            "refunds, and a request that comes twice",
            fill(EDGE, 0)
                .chain([take(EDGE + 1, 0), refund(EDGE + 1, 0), refund(EDGE + 1, 0)])
                .chain([refund(EDGE + 1, 9_999), take(EDGE + 2, 100), take(EDGE + 2, 101)])
                .chain([take(EDGE + 2, 100), refund(EDGE + 2, 101)])
                .collect(),
        ),
        ("a mixture of clients", mixture(width / i64::try_from(limit).unwrap_or(1))),
    ]
}

fn mixture(gap: i64) -> Vec<Step> {
    let mut numbers = Numbers::new();
    let mut at = EDGE;
    let mut asked: Vec<Who> = Vec::new();
    (0..60)
        .map(|id| {
            at += gap * i64::from(numbers.below(100)) / 250;
            let back = numbers.below(8);
            if back == 0 && !asked.is_empty() {
                let which = numbers.below(u32::try_from(asked.len()).unwrap_or(1)) as usize;
                let which = which.min(asked.len() - 1);
                return (at, "refund", which as u64, asked[which]);
            }
            let who = std::array::from_fn(|_| usize::from(numbers.below(4) == 0));
            // Ids are places in the list; a refund uses up one as well.
            while asked.len() <= id {
                asked.push(who);
            }
            (at, "take", id as u64, who)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_story_holds_both_answers() {
        let layer =
            RedisLayer { prefix: "a".to_owned(), timeout: 1, scenarios: Vec::new(), total: None };
        let vectors: Value = serde_json::from_str(&of_redis(&layer)).unwrap();
        let vectors = vectors.as_array().unwrap();
        assert_eq!(vectors.len(), 2 * 5 + 5);
        for vector in vectors {
            let place = if vector.get("total").is_some() { 1 } else { 4 };
            let requests = vector["requests"].as_array().unwrap();
            for answer in [true, false] {
                assert!(requests.iter().any(|one| one[place] == answer), "{vector}");
            }
        }
    }
}
