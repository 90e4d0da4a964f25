//! Each limiter against the same said naively.

use proptest::prelude::*;

use super::{Algorithm, CHECK, Limiter};
use crate::units::{Limit, Window};

/// 2026-09-08T00:00:00Z.
const START: i64 = 1_788_825_600_000;

fn limit(requests: u64) -> Limit {
    Limit::new(requests).unwrap()
}

fn run(algorithm: Algorithm, requests: u64, window: Window, lag: u32, times: &[i64]) -> Vec<bool> {
    let mut limiter = algorithm.limiter(limit(requests), window, lag);
    times.iter().map(|&time| limiter.allows(time)).collect()
}

/// Each answer from all earlier times and answers, with no state.
fn naively(
    algorithm: Algorithm,
    requests: u64,
    window: Window,
    lag: u32,
    times: &[i64],
) -> Vec<bool> {
    let width = i64::from(window.seconds()) * 1000;
    let mut answers: Vec<bool> = Vec::new();
    for (place, &now) in times.iter().enumerate() {
        let earlier = || times[..place].iter().zip(&answers);
        let passed = |from: i64, to: i64| {
            let inside = earlier().filter(|&(&time, &passed)| passed && (from..to).contains(&time));
            inside.count() as u64
        };
        let answer = match algorithm {
            Algorithm::Waf => {
                let end = now - now % CHECK - i64::from(lag) * 1000;
                let seen = earlier().filter(|&(&time, _)| (end - width..end).contains(&time));
                seen.count() as u64 <= requests
            }
            Algorithm::FixedWindow => passed(now - now % width, now + 1) < requests,
            Algorithm::SlidingLog => passed(now - width + 1, now + 1) < requests,
            Algorithm::SlidingWindow => {
                let edge = now - now % width;
                let before = passed(edge - width, edge) * (edge + width - now) as u64;
                passed(edge, now + 1) + before.div_ceil(width as u64) < requests
            }
            Algorithm::TokenBucket => {
                // In 1/width of a token, one event after the other from a full bucket.
                let (mut tokens, mut last) = (requests as i128 * i128::from(width), times[0]);
                for (&time, &passed) in earlier() {
                    tokens += i128::from(time - last) * requests as i128;
                    tokens = tokens.min(requests as i128 * i128::from(width));
                    tokens -= if passed { i128::from(width) } else { 0 };
                    last = time;
                }
                tokens += i128::from(now - last) * requests as i128;
                tokens.min(requests as i128 * i128::from(width)) >= i128::from(width)
            }
        };
        answers.push(answer);
    }
    answers
}

proptest! {
    #[test]
    fn each_answers_as_the_naive_one(
        gaps in prop::collection::vec(prop_oneof![4 => 0i64..2_000, 2 => 0i64..20_000, 1 => 0i64..700_000], 1..250),
        requests in 10u64..40,
        window in prop::sample::select(Window::ALL.to_vec()),
        lag in prop::sample::select(vec![0u32, 10, 30, 60]),
        algorithm in prop::sample::select(Algorithm::ALL.to_vec()),
    ) {
        let mut now = START + 1_234;
        let times: Vec<i64> = gaps.iter().map(|gap| { now += gap; now }).collect();
        let answers = run(algorithm, requests, window, lag, &times);
        prop_assert_eq!(answers, naively(algorithm, requests, window, lag, &times));
    }
}

/// Twice the limit around the edge of a window of the clock: what each makes of it.
#[test]
fn around_the_edge_of_a_window() {
    let edge = START + 60_000;
    let times: Vec<i64> =
        (0..10).map(|at| edge - 1_000 + at).chain((0..10).map(|at| edge + at)).collect();
    let passed = |algorithm| {
        let answers = run(algorithm, 10, Window::new(60).unwrap(), 0, &times);
        answers.into_iter().filter(|passed| *passed).count()
    };
    assert_eq!(passed(Algorithm::FixedWindow), 20);
    assert_eq!(passed(Algorithm::SlidingLog), 10);
    assert_eq!(passed(Algorithm::SlidingWindow), 10);
    assert_eq!(passed(Algorithm::TokenBucket), 10);
}

#[test]
fn waf_lets_pass_until_it_knows_and_stays_until_it_slows_down() {
    // Ten requests a second for two minutes, the limit 100 a minute: after 10 s it is reached, at the next
    // check it is passed, and 30 s later WAF knows.
    let times: Vec<i64> = (0..1_200).map(|tenth| START + tenth * 100).collect();
    let answers = run(Algorithm::Waf, 100, Window::new(60).unwrap(), 30, &times);
    let first = answers.iter().position(|passed| !passed).unwrap();
    assert_eq!(times[first] - START, 50_000);
    assert!(answers[first..].iter().all(|passed| !passed), "what is refused is counted");
}

#[test]
fn a_clock_that_goes_back_hands_out_nothing_twice() {
    for algorithm in Algorithm::ALL.into_iter().filter(|one| *one != Algorithm::Waf) {
        let mut limiter = algorithm.limiter(limit(10), Window::new(60).unwrap(), 0);
        let passed =
            |limiter: &mut Box<dyn Limiter>, at| (0..20).filter(|_| limiter.allows(at)).count();
        assert_eq!(passed(&mut limiter, START + 60_000), 10, "{algorithm:?}");
        assert_eq!(passed(&mut limiter, START + 30_000), 0, "{algorithm:?}");
    }
}

/// What a client is told is the first moment at which it gets through.
#[test]
fn the_sliding_estimate_names_the_first_moment() {
    for (limit, width, gap) in [(1, 1_000, 90), (7, 1_000, 37), (10, 777, 13), (3, 60_000, 4_321)] {
        let mut limiter = super::SlidingWindow::of(limit, width);
        let mut now = START;
        for _ in 0..200 {
            now += gap;
            if limiter.allows(now) {
                continue;
            }
            let wait = limiter.wait();
            assert!(!limiter.clone().allows(now + wait - 1), "{limit} {width} {now}");
            assert!(limiter.clone().allows(now + wait), "{limit} {width} {now}");
        }
    }
}
