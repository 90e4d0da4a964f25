//! Conformance vectors of the edge: requests of a client, and what the limiters of this program decide.

use serde_json::{Value, json};

use super::edge::algorithm;
use super::vectors::{EDGE, Numbers, lines};
use crate::limiters::{FixedWindow, Limiter as _, SlidingWindow};
use crate::policy::{EdgeAlgorithm, EdgeLayer};

/// Limits above are tried with this one: the arithmetic is the same, and the tests stay short.
const MOST: u32 = 6;
/// Limits of the policy that get vectors of their own.
const LIMITS: usize = 3;
const KEYS: [&str; 2] = ["a", "b"];

/// One limiter for each of [`KEYS`], with one clock: a time that goes back counts as the latest one seen.
struct Asked {
    limiters: Limiters,
    last: i64,
}

enum Limiters {
    Fixed([FixedWindow; 2]),
    Sliding([SlidingWindow; 2]),
}

impl Asked {
    fn new(algorithm: EdgeAlgorithm, limit: u32, width: i64) -> Self {
        let limiters = match algorithm {
            EdgeAlgorithm::FixedWindow => {
                Limiters::Fixed(std::array::from_fn(|_| FixedWindow::of(limit, width)))
            }
            EdgeAlgorithm::SlidingWindow => {
                Limiters::Sliding(std::array::from_fn(|_| SlidingWindow::of(limit, width)))
            }
        };
        Self { limiters, last: i64::MIN }
    }

    /// Whether a request passes, how many more would, and the milliseconds until the window ends or, if it is
    /// refused, until one would pass.
    fn ask(&mut self, at: i64, key: usize) -> (bool, u32, i64) {
        self.last = self.last.max(at);
        match &mut self.limiters {
            Limiters::Fixed(limiters) => {
                let limiter = &mut limiters[key];
                let passes = limiter.allows(self.last);
                (passes, limiter.remaining(), limiter.wait())
            }
            Limiters::Sliding(limiters) => {
                let limiter = &mut limiters[key];
                let passes = limiter.allows(self.last);
                let reset = if passes { limiter.until_end() } else { limiter.wait() };
                (passes, limiter.remaining(), reset)
            }
        }
    }
}

/// Vectors that every limiter has to pass, and those of the policy's limits.
pub(super) fn of_edge(layer: &EdgeLayer) -> String {
    let examples = [
        ("example", EdgeAlgorithm::FixedWindow, 5, 60),
        ("uneven", EdgeAlgorithm::SlidingWindow, 7, 61),
    ];
    let own = std::iter::once(&layer.global).chain(layer.routes.iter().map(|route| &route.limit));
    let own = own.take(LIMITS).filter_map(|one| {
        let least = one.limits.iter().map(|(_, limit)| *limit).min()?;
        Some((one.name.as_str(), one.algorithm, least.min(MOST), layer.window))
    });
    let vectors = examples.into_iter().chain(own).flat_map(|(name, which, limit, window)| {
        stories(limit, i64::from(window) * 1000).into_iter().map(move |(about, steps)| {
            let mut asked = Asked::new(which, limit, i64::from(window) * 1000);
            let requests: Vec<Value> = steps
                .into_iter()
                .map(|(at, key)| {
                    let (allowed, remaining, reset) = asked.ask(at, key);
                    json!({
                        "at_ms": at, "key": KEYS[key], "allowed": allowed,
                        "remaining": remaining, "reset_ms": reset,
                    })
                })
                .collect();
            json!({
                "name": format!("{name}: {about}"), "algorithm": algorithm(which), "limit": limit,
                "window": window, "requests": requests,
            })
        })
    });
    lines(vectors)
}

/// When requests come and whose they are.
fn stories(limit: u32, width: i64) -> Vec<(&'static str, Vec<(i64, usize)>)> {
    let edge = EDGE.div_euclid(width) * width + width;
    let burst = |at: i64| (0..=limit).map(move |_| (at, 0));
    vec![
        (
            "around the edge of a window",
            burst(edge - 1)
                .chain(burst(edge))
                .chain([edge + width / 2, edge + width - 1, edge + width].map(|at| (at, 0)))
                .collect(),
        ),
        (
            "a burst, then steadily",
            burst(edge)
                .chain((1..=2 * i64::from(limit)).map(|at| (edge + at * width / 8, 0)))
                .collect(),
        ),
        (
            "a clock that goes back and forth",
            burst(edge + 10)
                .chain([(edge + 9, 0), (edge - width, 1)])
                .chain(burst(edge + width + 10))
                .chain([(edge, 0), (edge, 1)])
                .collect(),
        ),
        ("a long pause", burst(edge).chain(burst(edge + 10 * width)).collect()),
        ("a mixture of clients", mixture(edge, width / i64::from(limit))),
    ]
}

fn mixture(start: i64, gap: i64) -> Vec<(i64, usize)> {
    let mut numbers = Numbers::new();
    let mut at = start;
    let step = |_| {
        at += gap * i64::from(numbers.below(1_000)) / 1_000;
        (at, usize::from(numbers.below(4) == 0))
    };
    (0..40).map(step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hand_made_vectors_are_decided_alike() {
        let text = include_str!("../../../assets/layers/edge/conformance/windows.json");
        let vectors: Value = serde_json::from_str(text).unwrap();
        let vectors = vectors.as_array().unwrap();
        assert!(vectors.len() >= 15, "{}", vectors.len());
        for vector in vectors {
            let which = match vector["algorithm"].as_str().unwrap() {
                "fixed-window" => EdgeAlgorithm::FixedWindow,
                "sliding-window" => EdgeAlgorithm::SlidingWindow,
                other => panic!("{other}"),
            };
            let number = |name: &str| vector[name].as_i64().unwrap();
            let limit = u32::try_from(number("limit")).unwrap();
            let mut asked = Asked::new(which, limit, number("window") * 1000);
            for request in vector["requests"].as_array().unwrap() {
                let key = KEYS.iter().position(|key| request["key"] == **key).unwrap();
                let (allowed, remaining, reset) =
                    asked.ask(request["at_ms"].as_i64().unwrap(), key);
                let told = json!([allowed, remaining, reset]);
                let wanted = json!([request["allowed"], request["remaining"], request["reset_ms"]]);
                assert_eq!(told, wanted, "{} {request}", vector["name"]);
            }
        }
    }

    #[test]
    fn every_story_holds_both_answers_and_twice_the_limit_passes_fixed_windows_only() {
        for (which, most) in [(EdgeAlgorithm::FixedWindow, 20), (EdgeAlgorithm::SlidingWindow, 10)]
        {
            for (about, steps) in stories(10, 60_000) {
                let mut asked = Asked::new(which, 10, 60_000);
                let answers: Vec<bool> =
                    steps.into_iter().map(|(at, key)| asked.ask(at, key).0).collect();
                assert!(answers.contains(&true) && answers.contains(&false), "{about}");
                if about == "around the edge of a window" {
                    assert_eq!(answers[..22].iter().filter(|passed| **passed).count(), most);
                }
            }
        }
    }
}
