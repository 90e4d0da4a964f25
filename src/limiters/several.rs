//! Sliding windows over several dimensions at once.

use std::collections::{BTreeMap, VecDeque};

/// Several sliding logs that are asked together, each for its own client: a request goes through where all
/// of them have room, and only then any of them counts it. What was counted can be given back.
#[derive(Clone, Debug, Default)]
pub struct Several {
    dimensions: Vec<Dimension>,
}

/// One of them.
#[derive(Clone, Debug)]
struct Dimension {
    limit: usize,
    width: i64,
    /// Times and ids of what went through, by client, oldest first.
    clients: BTreeMap<String, VecDeque<(i64, u64)>>,
}

impl Dimension {
    /// What is younger than a window.
    fn live(&self, client: &str, now: i64) -> impl Iterator<Item = (i64, u64)> {
        let from = now - self.width;
        let log = self.clients.get(client).into_iter().flatten();
        log.copied().filter(move |&(at, _)| at > from)
    }
}

impl Several {
    /// Limits and their windows in milliseconds.
    #[must_use]
    pub fn new(limits: &[(u32, i64)]) -> Self {
        let dimension = |&(limit, width): &(u32, i64)| Dimension {
            limit: limit as usize,
            width,
            clients: BTreeMap::new(),
        };
        Self { dimensions: limits.iter().map(dimension).collect() }
    }

    /// Whether a request goes through that arrives at `at` (milliseconds since 1970), and else after how many
    /// milliseconds there is room. `clients` has one for each dimension. The same `id` again is the same request.
    pub fn take(&mut self, at: i64, id: u64, clients: &[&str]) -> (bool, i64) {
        let asked = || self.dimensions.iter().zip(clients);
        let newest = asked().filter_map(|(one, client)| one.clients.get(*client)?.back());
        let now = newest.map(|&(newest, _)| newest).fold(at, i64::max);
        if asked().all(|(one, client)| one.live(client, now).any(|(_, known)| known == id)) {
            return (true, 0);
        }
        let wait = asked().filter_map(|(one, client)| {
            let count = one.live(client, now).count();
            let (frees, _) = one.live(client, now).nth(count.checked_sub(one.limit)?)?;
            Some(frees + one.width - now)
        });
        if let Some(wait) = wait.max() {
            return (false, wait);
        }
        for (one, client) in self.dimensions.iter_mut().zip(clients) {
            let log = one.clients.entry((*client).to_owned()).or_default();
            log.retain(|&(at, _)| at > now - one.width);
            log.push_back((now, id));
        }
        (true, 0)
    }

    /// Gives a request back; whether there was anything to give.
    pub fn refund(&mut self, id: u64, clients: &[&str]) -> bool {
        let mut found = false;
        for (one, client) in self.dimensions.iter_mut().zip(clients) {
            let Some(log) = one.clients.get_mut(*client) else { continue };
            let before = log.len();
            log.retain(|&(_, known)| known != id);
            found |= log.len() < before;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::limiters::{Limiter as _, SlidingLog};

    proptest! {
        #[test]
        fn one_dimension_is_a_sliding_log(
            gaps in prop::collection::vec(-500i64..4_000, 1..150),
            limit in 1u32..12,
        ) {
            let (mut one, mut log) = (Several::new(&[(limit, 10_000)]), SlidingLog::of(limit, 10_000));
            let mut now = 1_000_000;
            for (id, gap) in gaps.iter().enumerate() {
                now += gap;
                prop_assert_eq!(one.take(now, id as u64, &["a"]).0, log.allows(now));
            }
        }
    }

    #[test]
    fn a_full_dimension_charges_no_other_and_a_refund_gives_back_once() {
        let mut two = Several::new(&[(1, 1_000), (2, 10_000)]);
        assert_eq!(two.take(0, 1, &["a", "x"]), (true, 0));
        assert_eq!(two.take(0, 1, &["a", "x"]), (true, 0));
        assert_eq!(two.take(400, 2, &["a", "x"]), (false, 600));
        assert_eq!(two.take(400, 3, &["b", "x"]), (true, 0));
        assert_eq!(two.take(400, 4, &["c", "x"]), (false, 9_600));
        assert!(two.refund(3, &["b", "x"]));
        assert!(!two.refund(3, &["b", "x"]));
        assert_eq!(two.take(400, 4, &["c", "x"]), (true, 0));
    }
}
