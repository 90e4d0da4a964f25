//! How many requests fall into a window: sliding, as AWS WAF looks back, and by the clock, as people
//! count.

/// Sliding windows move in steps of this many seconds, about as often as AWS WAF checks the rate
/// (`WAFv2` API, `RateBasedStatement`).
pub const STEP: u32 = 10;

/// The busiest sliding window of one client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sliding {
    /// Requests in it.
    pub peak: u32,
    /// Its first request's step, in seconds since 1970; of equal windows the first.
    pub start: u32,
}

/// The busiest window of `width` seconds, in whole steps of 10 s. `times` ascend.
#[must_use]
pub fn sliding(times: &[u32], width: u32) -> Sliding {
    let steps = width / STEP;
    let (Some(&first), Some(&last)) = (times.first(), times.last()) else {
        return Sliding::default();
    };
    // One window has them all.
    if last / STEP - first / STEP < steps {
        return Sliding { peak: times.len() as u32, start: first / STEP * STEP };
    }
    let mut best = Sliding::default();
    let mut first = 0;
    // The first second that the window does not reach which starts with the first request.
    let end_of = |first: usize| u64::from(times[first] / STEP + steps) * u64::from(STEP);
    let mut end = end_of(first);
    for (last, &time) in times.iter().enumerate() {
        while end <= u64::from(time) {
            first += 1;
            end = end_of(first);
        }
        let count = (last - first + 1) as u32;
        if count > best.peak {
            best = Sliding { peak: count, start: times[first] / STEP * STEP };
        }
    }
    best
}

/// Hands over each clock window with a request: its start in seconds since 1970, and its count.
/// `times` ascend.
pub fn clock_counts(times: &[u32], width: u32, mut each: impl FnMut(u32, u32)) {
    let mut place = 0;
    while let Some(&time) = times.get(place) {
        let start = time - time % width;
        let end = times[place..].partition_point(|&other| other - start < width) + place;
        each(start, (end - place) as u32);
        place = end;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Every window of `steps` bins, counted one by one.
    fn naive_sliding(times: &[u32], width: u32) -> u32 {
        let bins: Vec<u32> = times.iter().map(|time| time / STEP).collect();
        let (Some(&low), Some(&high)) = (bins.iter().min(), bins.iter().max()) else { return 0 };
        let steps = width / STEP;
        (low.saturating_sub(steps)..=high)
            .map(|start| {
                bins.iter().filter(|&&bin| bin >= start && bin < start + steps).count() as u32
            })
            .max()
            .unwrap_or(0)
    }

    fn naive_clock(times: &[u32], width: u32) -> Vec<(u32, u32)> {
        let mut counts = std::collections::BTreeMap::new();
        for time in times {
            *counts.entry(time / width * width).or_insert(0) += 1;
        }
        counts.into_iter().collect()
    }

    proptest! {
        #[test]
        fn peaks_equal_a_naive_count(mut times in proptest::collection::vec(0_u32..4_000, 0..120), far in 0_u32..1_000_000) {
            for time in &mut times {
                *time += far;
            }
            times.sort_unstable();
            for width in [60, 120, 300, 600] {
                let best = sliding(&times, width);
                prop_assert_eq!(best.peak, naive_sliding(&times, width));
                if best.peak > 0 {
                    let inside = times.iter().filter(|&&time| time >= best.start && time < best.start + width).count();
                    prop_assert!(inside as u32 >= best.peak);
                }
                let mut counts = Vec::new();
                clock_counts(&times, width, |start, count| counts.push((start, count)));
                prop_assert_eq!(counts, naive_clock(&times, width));
            }
        }
    }

    #[test]
    fn the_end_of_time_is_a_time() {
        let times = [u32::MAX - 700, u32::MAX - 1, u32::MAX, u32::MAX];
        assert_eq!(sliding(&times, 600).peak, 3);
        assert_eq!(sliding(&times[1..], 60).peak, 3);
    }

    #[test]
    fn a_burst_across_the_clock_is_seen_whole() {
        let times: Vec<u32> = (250..350).collect();
        assert_eq!(sliding(&times, 300), Sliding { peak: 100, start: 250 });
        let mut counts = Vec::new();
        clock_counts(&times, 300, |_, count| counts.push(count));
        assert_eq!(counts, [50, 50]);
    }
}
