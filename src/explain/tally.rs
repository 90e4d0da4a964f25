//! How often each of several values came.

use std::cmp::Reverse;
use std::collections::HashMap;

/// Values by how often they came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Different values.
    pub distinct: usize,
    /// The most frequent ones, ties by text.
    pub top: Vec<Share>,
    /// Requests with a value.
    pub all: u64,
}

/// One value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// As the log has it: text of the client, in places.
    pub text: String,
    /// Requests.
    pub requests: u64,
}

/// Values that are kept.
const KEPT: usize = 12;

impl Tally {
    /// Of short keys, with what they mean.
    pub(super) fn of(keys: impl Iterator<Item = u32>, text: impl Fn(u32) -> String) -> Self {
        Self::of_counts(counts(keys), text)
    }

    /// Of short keys, several of which may mean the same; an empty text is no value.
    pub(super) fn by_text(keys: impl Iterator<Item = u32>, text: impl Fn(u32) -> String) -> Self {
        let mut sums: HashMap<String, u64> = HashMap::new();
        for (key, requests) in counts(keys) {
            *sums.entry(text(key)).or_insert(0) += requests;
        }
        sums.remove("");
        Self::of_counts(sums, |text| text)
    }

    fn of_counts<K>(counts: HashMap<K, u64>, text: impl Fn(K) -> String) -> Self {
        let distinct = counts.len();
        // Only what can be shown is spelled out.
        let mut numbers: Vec<u64> = counts.values().copied().collect();
        numbers.sort_unstable_by_key(|number| Reverse(*number));
        let least = numbers.get(KEPT - 1).copied().unwrap_or(0);
        let all = numbers.iter().sum();
        let mut top: Vec<Share> = (counts.into_iter())
            .filter(|(_, requests)| *requests >= least)
            .map(|(key, requests)| Share { text: text(key), requests })
            .collect();
        top.sort_by(|one, two| (two.requests, &one.text).cmp(&(one.requests, &two.text)));
        top.truncate(KEPT);
        Self { distinct, top, all }
    }

    /// Share of the most frequent value; 0 if there is none.
    #[must_use]
    pub fn top_share(&self) -> f64 {
        self.top.first().map_or(0.0, |first| first.requests as f64 / self.all as f64)
    }
}

fn counts(keys: impl Iterator<Item = u32>) -> HashMap<u32, u64> {
    let mut counts = HashMap::new();
    keys.for_each(|key| *counts.entry(key).or_insert(0) += 1);
    counts
}
