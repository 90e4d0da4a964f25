//! Conformance vectors: requests, and what the limiters of this program decide about them. The tests of
//! the emitted code run the same requests.

use serde_json::{Value, json};

use super::app::table_limit;
use crate::limiters::{FixedWindow, Limiter, TokenBucket};
use crate::policy::{FailMode, Identity, TableAlgorithm, TableLimit};

/// 2026-09-08T00:00:00Z, an edge of every window that divides a day.
pub(super) const EDGE: i64 = 1_788_825_600_000;
/// Requests at once in a vector. Limits above are tried with this one: the arithmetic is the same, and the
/// tests stay short.
const MOST: u32 = 12;
/// Limits of the policy that get vectors of their own.
const LIMITS: usize = 4;

/// A limiter, and how long it makes a client wait.
enum Asked {
    Bucket(TokenBucket),
    Window(FixedWindow),
}

impl Asked {
    fn new(limit: &TableLimit) -> Self {
        let width = i64::from(limit.window) * 1000;
        match limit.algorithm {
            TableAlgorithm::TokenBucket { burst } => {
                Self::Bucket(TokenBucket::of(limit.limit, width, burst))
            }
            TableAlgorithm::FixedWindow => Self::Window(FixedWindow::of(limit.limit, width)),
        }
    }

    fn ask(&mut self, at: i64) -> (bool, i64) {
        let (passes, wait) = match self {
            Self::Bucket(bucket) => (bucket.allows(at), bucket.wait()),
            Self::Window(window) => (window.allows(at), window.wait()),
        };
        (passes, if passes { 0 } else { wait })
    }
}

/// Vectors for limits that a table counts: some that every limiter has to pass, and the policy's.
pub(super) fn of_table(limits: &[TableLimit]) -> String {
    let example = |name: &str, algorithm, limit, window| TableLimit {
        name: name.to_owned(),
        algorithm,
        limit,
        window,
        client: Identity::Address,
        fail: FailMode::Closed,
    };
    let examples = [
        example("bucket", TableAlgorithm::TokenBucket { burst: 10 }, 10, 60),
        example("uneven", TableAlgorithm::TokenBucket { burst: 3 }, 7, 60),
        example("generous", TableAlgorithm::TokenBucket { burst: 12 }, 4, 1),
        example("window", TableAlgorithm::FixedWindow, 10, 60),
    ];
    let own = limits.iter().take(LIMITS).map(small);
    let vectors = examples.into_iter().chain(own).flat_map(|limit| {
        scenarios(&limit).map(move |(about, times)| {
            let requests = answers(&limit, times);
            json!({ "about": about, "limit": table_limit(&limit), "requests": requests })
        })
    });
    lines(vectors)
}

/// One vector a line: readable, and a small diff.
pub(super) fn lines(vectors: impl Iterator<Item = Value>) -> String {
    let lines: Vec<String> = vectors.map(|vector| vector.to_string()).collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

fn small(limit: &TableLimit) -> TableLimit {
    let algorithm = match limit.algorithm {
        TableAlgorithm::TokenBucket { burst } => {
            TableAlgorithm::TokenBucket { burst: burst.min(MOST) }
        }
        TableAlgorithm::FixedWindow => TableAlgorithm::FixedWindow,
    };
    TableLimit { algorithm, limit: limit.limit.min(MOST), ..limit.clone() }
}

/// Times of requests that find what goes wrong in limiters.
fn scenarios(limit: &TableLimit) -> impl Iterator<Item = (&'static str, Vec<i64>)> + use<> {
    let width = i64::from(limit.window) * 1000;
    let edge = EDGE.div_euclid(width) * width + width;
    let burst = match limit.algorithm {
        TableAlgorithm::TokenBucket { burst } => burst,
        TableAlgorithm::FixedWindow => limit.limit,
    };
    let at_once = |at: i64| (0..=burst).map(move |_| at);
    // The first millisecond at which `tokens` of them are back.
    let refilled = |tokens: i64| {
        let (parts, rate) = (tokens * width, i64::from(limit.limit));
        parts / rate + i64::from(parts % rate > 0)
    };
    let boundary = at_once(edge - 1)
        .chain(at_once(edge))
        .chain([edge + width - 1, edge + width, edge + width + 1])
        .collect();
    let refill = at_once(edge)
        .chain((1..=4).flat_map(|token| {
            let back = edge + refilled(token);
            [back - 1, back, back]
        }))
        .collect();
    let skew = at_once(edge + 10)
        .chain([edge + 9, edge - 1, edge - width, edge - 10 * width])
        .chain(at_once(edge + 11))
        .chain(at_once(edge + width + 10))
        .chain([edge + 10])
        .collect();
    let idle = at_once(edge).chain(at_once(edge + 100 * width)).collect();
    [
        ("around the edge of a window", boundary),
        ("all at once, then as tokens come back", refill),
        ("a clock that goes back and forth", skew),
        ("a long pause", idle),
        ("a mixture", mixture(edge, width, burst)),
    ]
    .into_iter()
}

/// A bucket's requests, scenario by scenario, each with its answer.
pub(super) fn bucket_requests(
    limit: u32,
    window: u32,
    burst: u32,
) -> Vec<(&'static str, Vec<Value>)> {
    let limit = TableLimit {
        name: String::new(),
        algorithm: TableAlgorithm::TokenBucket { burst },
        limit,
        window,
        client: Identity::Address,
        fail: FailMode::Closed,
    };
    scenarios(&limit).map(|(about, times)| (about, answers(&limit, times))).collect()
}

/// Each time with what the limiter says.
fn answers(limit: &TableLimit, times: Vec<i64>) -> Vec<Value> {
    let mut limiter = Asked::new(limit);
    let ask = |at| {
        let (passes, wait) = limiter.ask(at);
        json!([at, passes, wait])
    };
    times.into_iter().map(ask).collect()
}

/// Numbers that look random and are always the same (the generator of Numerical Recipes).
pub(super) struct Numbers(u32);

impl Numbers {
    pub(super) const fn new() -> Self {
        Self(12_345)
    }

    /// One of 0 to `most` - 1.
    pub(super) fn below(&mut self, most: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        // The low digits repeat soon.
        (self.0 >> 16) % most
    }
}

/// Requests with gaps of every size, always the same ones.
fn mixture(start: i64, width: i64, burst: u32) -> Vec<i64> {
    let mut numbers = Numbers::new();
    let mut at = start + 1;
    // Half of this between two, on average: more than comes back, so that the limit is reached.
    let gap = width / i64::from(burst + 1);
    (0..50)
        .map(|_| {
            let share = i64::from(numbers.below(1_000));
            at += match numbers.below(4) {
                0 => 0,
                1 | 2 => gap * share / 1_000,
                _ => gap * share / 500,
            };
            at
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_hold_both_answers_and_reach_the_limit_in_every_scenario() {
        let vectors: Value = serde_json::from_str(&of_table(&[])).unwrap();
        let vectors = vectors.as_array().unwrap();
        assert_eq!(vectors.len(), 4 * 5);
        for vector in vectors {
            let requests = vector["requests"].as_array().unwrap();
            for answer in [true, false] {
                assert!(requests.iter().any(|one| one[1] == answer), "{vector}");
            }
        }
    }

    #[test]
    fn twice_the_limit_passes_around_an_edge_of_the_fixed_window_only() {
        let vectors: Value = serde_json::from_str(&of_table(&[])).unwrap();
        for vector in vectors.as_array().unwrap() {
            if vector["about"] != "around the edge of a window" || vector["limit"]["limit"] != 10 {
                continue;
            }
            let requests = &vector["requests"].as_array().unwrap()[..22];
            let passed = requests.iter().filter(|one| one[1] == true).count();
            let wanted = if vector["limit"]["algorithm"] == "fixed_window" { 20 } else { 10 };
            assert_eq!(passed, wanted);
        }
    }
}
