//! Limits that people can remember, and the limits that follow from a gap, a peak or another limit.

use crate::quotas;
use crate::units::{Limit, Window};

/// Distance to both edges of a gap that rounding may not eat.
const SIDE: f64 = 1.2;
/// A limit further above the busiest client than this buys nothing.
const FAR: f64 = 20.0;
/// For "at least" and "at most" of products of decimal fractions.
const SLACK: f64 = 1e-9;

/// Multiples of the window, so whole requests per second.
const PER_SECOND: [u64; 20] =
    [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 200, 500];
/// One request in so many seconds.
const SECONDS_APART: [u64; 4] = [2, 5, 10, 30];
/// Multiples of the window's minutes, so whole requests per minute.
const PER_MINUTE: [u64; 11] = [2, 3, 4, 6, 10, 12, 15, 20, 30, 40, 50];

/// Round numbers of one kind, and how far from the ideal one of them may lie.
struct Tier {
    distance: f64,
    numbers: Vec<u64>,
}

/// From the roundest to the least round. Each tier's numbers are ascending.
fn tiers(window: Window) -> [Tier; 4] {
    let seconds = u64::from(window.seconds());
    let per_second = PER_SECOND.iter().map(|rate| rate * seconds);
    let apart =
        SECONDS_APART.iter().filter(|&&gap| seconds.is_multiple_of(gap)).map(|gap| seconds / gap);
    let powers = |digits: &'static [u64], exponents: std::ops::RangeInclusive<u32>| {
        exponents
            .flat_map(move |exponent| digits.iter().map(move |digit| digit * 10u64.pow(exponent)))
    };
    let per_minute = PER_MINUTE.iter().map(|rate| rate * (seconds / 60));
    const TWO_DIGITS: [u64; 18] =
        [10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80, 85, 90, 95];
    [
        Tier { distance: 1.25, numbers: sorted(per_second.chain(apart)) },
        Tier { distance: 1.20, numbers: sorted(powers(&[1, 2, 5], 1..=7).chain(per_minute)) },
        Tier { distance: 1.15, numbers: sorted(powers(&[12, 15, 25, 30, 40, 60, 80], 0..=6)) },
        Tier { distance: 1.10, numbers: sorted(powers(&TWO_DIGITS, 0..=5)) },
    ]
}

fn sorted(numbers: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut numbers: Vec<u64> = numbers.collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// The roundest number near `ideal` within `smallest..=largest`: of the first tier that has one, the
/// nearest by ratio, the larger if equal; else `ideal` rounded half up.
#[must_use]
pub fn round_limit(smallest: u64, largest: u64, ideal: f64, window: Window) -> u64 {
    let apart = |number: u64| {
        let ratio = number as f64 / ideal;
        ratio.max(1.0 / ratio)
    };
    for tier in tiers(window) {
        let near = tier
            .numbers
            .iter()
            .copied()
            .filter(|&number| (smallest..=largest).contains(&number))
            .filter(|&number| apart(number) <= tier.distance + SLACK)
            .min_by(|&a, &b| {
                let (by_a, by_b) = (apart(a), apart(b));
                if (by_a - by_b).abs() < SLACK { b.cmp(&a) } else { by_a.total_cmp(&by_b) }
            });
        if let Some(number) = near {
            return number;
        }
    }
    ((ideal + 0.5).floor() as u64).clamp(smallest, largest)
}

/// Smallest and largest limit that keep the safety distance to both edges; `None` if none does.
#[must_use]
pub fn range_in_gap(lower: u32, upper: u32) -> Option<(u32, u32)> {
    let smallest = ((SIDE * f64::from(lower) - SLACK).ceil() as u32).max(quotas::MINIMUM_LIMIT);
    let largest = (f64::from(upper) / SIDE + SLACK).floor() as u32;
    (smallest <= largest).then_some((smallest, largest))
}

/// The limit for a gap: the geometric mean of its edges, but at most 20 times the lower one, made
/// round. Above `lower`; below `upper` wherever `upper` is above the smallest limit AWS WAF accepts.
#[must_use]
pub fn limit_in_gap(lower: u32, upper: u32, window: Window) -> Limit {
    let (smallest, largest) = range_in_gap(lower, upper).unwrap_or_else(|| {
        let only = lower.saturating_add(1).max(quotas::MINIMUM_LIMIT);
        (only, only)
    });
    let (low, high) = (f64::from(lower), f64::from(upper));
    let ideal = (low * high).sqrt().min(FAR * low).clamp(f64::from(smallest), f64::from(largest));
    Limit::saturating(round_limit(u64::from(smallest), u64::from(largest), ideal, window))
}

/// A limit above everybody: the smallest number of the two roundest tiers that is at least twice the
/// highest peak. The next week's busiest client exceeds it in about 6 of 100 weeks.
#[must_use]
pub fn ceiling(highest: u32, window: Window) -> Limit {
    let twice = 2 * u64::from(highest);
    let floor = u64::from(quotas::MINIMUM_LIMIT);
    let [first, second, ..] = tiers(window);
    let number = first
        .numbers
        .into_iter()
        .chain(second.numbers)
        .filter(|&number| number >= twice && number >= floor)
        .min();
    Limit::saturating(number.unwrap_or(twice))
}

/// What the limit of a twin is not below, whatever the main limit is: the smallest number of whole
/// requests per second (or one in 2, 5, 10, 30 s) that is at least twice the busiest exempt peak.
#[must_use]
pub fn twin_floor(busiest_exempt: u32, window: Window) -> Limit {
    let twice = 2 * u64::from(busiest_exempt);
    let [first, ..] = tiers(window);
    Limit::saturating(first.numbers.into_iter().find(|&number| number >= twice).unwrap_or(twice))
}

/// The round limits of the three roundest tiers from half to double of a limit, and the limit itself.
#[must_use]
pub fn ladder(limit: Limit, window: Window) -> Vec<Limit> {
    let middle = u64::from(limit.requests());
    let [first, second, third, _] = tiers(window);
    let rungs = [first, second, third]
        .into_iter()
        .flat_map(|tier| tier.numbers)
        .filter(|&number| 2 * number >= middle && number <= 2 * middle)
        .chain([middle]);
    sorted(rungs).into_iter().filter_map(|number| Limit::new(number).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_for_a_gap_are_round() {
        for (lower, upper, limit) in [
            (187, 468, 300),
            (180, 468, 300),
            (46, 468, 150),
            (7, 62, 20),
            (3, 5000, 60),
            (38, 980, 200),
            (85, 424, 200),
            (120, 663, 300),
            (562, 1900, 900),
            (24_000, 65_900, 40_000),
            (12, 24, 15),
            (55, 1900, 300),
            (190, 331, 250),
            (9, 17, 12),
            (100, 180, 150),
            (2000, 3600, 3000),
            (75, 150, 100),
            (1, 18, 10),
            (4, 20, 10),
            (6, 11, 10),
        ] {
            let got = limit_in_gap(lower, upper, Window::FIVE_MINUTES);
            assert_eq!(got.requests(), limit, "gap {lower} to {upper}");
        }
    }

    #[test]
    fn every_limit_lies_inside_its_gap() {
        for window in Window::ALL {
            for lower in 1..400u32 {
                for upper in (lower * 9).div_ceil(5).max(11)..(lower * 3).max(40) {
                    let limit = limit_in_gap(lower, upper, window).requests();
                    assert!(lower < limit && limit < upper, "{lower} {limit} {upper}");
                }
            }
        }
    }

    #[test]
    fn ceilings_are_at_least_twice_the_highest_peak() {
        let of = |peak| ceiling(peak, Window::FIVE_MINUTES).requests();
        assert_eq!(
            [of(9), of(60), of(22), of(150), of(126), of(500)],
            [20, 150, 50, 300, 300, 1000]
        );
        assert_eq!(of(0), 10);
        assert_eq!(of(u32::MAX), quotas::MAXIMUM_LIMIT);
    }

    #[test]
    fn a_twin_has_room_for_its_testers() {
        let of = |peak| twin_floor(peak, Window::FIVE_MINUTES).requests();
        assert_eq!([of(14), of(113), of(19_000), of(1_000_000)], [30, 300, 60_000, 2_000_000]);
        assert_eq!(of(u32::MAX), quotas::MAXIMUM_LIMIT);
    }

    #[test]
    fn the_ladder_goes_from_half_to_double() {
        let of = |number| {
            let limit = Limit::new(number).unwrap();
            ladder(limit, Window::FIVE_MINUTES).into_iter().map(Limit::requests).collect::<Vec<_>>()
        };
        assert_eq!(of(300), [150, 200, 250, 300, 400, 500, 600]);
        assert_eq!(of(20), [10, 12, 15, 20, 25, 30, 40]);
        assert_eq!(of(37), [20, 25, 30, 37, 40, 50, 60]);
    }
}
