//! The counters of one rate-based rule. WAF looks back over the window about every ten seconds, and what
//! it finds takes effect a little later.

use std::collections::{BTreeMap, VecDeque};

use serde_json::Value;

/// Seconds between two looks.
const CADENCE: i64 = 10;
/// Seconds until what a look found is obeyed everywhere.
const LAG: i64 = 10;
/// Keys that are limited at once.
const MOST: usize = 10_000;

#[derive(Debug)]
pub struct Limiter {
    /// What the rule counts by: the statement.
    statement: Value,
    limit: usize,
    window: i64,
    /// Arrivals by key.
    arrivals: BTreeMap<String, VecDeque<i64>>,
    /// What the looks found: from that time on these keys are limited. The newest last.
    found: Vec<(i64, Vec<String>)>,
    looked: Option<i64>,
}

impl Limiter {
    pub fn new(statement: &Value) -> Self {
        Self {
            statement: statement.clone(),
            limit: statement["Limit"]
                .as_u64()
                .map_or(usize::MAX, |it| usize::try_from(it).unwrap()),
            window: statement["EvaluationWindowSec"].as_i64().unwrap_or(300),
            arrivals: BTreeMap::new(),
            found: Vec::new(),
            looked: None,
        }
    }

    pub fn counts_like(&self, statement: &Value) -> bool {
        self.statement == *statement
    }

    /// A request arrives; whether the rule acts on it.
    pub fn arrives(&mut self, key: &str, time: i64) -> bool {
        self.look_until(time);
        self.arrivals.entry(key.to_owned()).or_default().push_back(time);
        self.is_limited(key, time)
    }

    fn is_limited(&self, key: &str, time: i64) -> bool {
        let obeyed = self.found.iter().rev().find(|(from, _)| *from <= time);
        obeyed.is_some_and(|(_, keys)| keys.iter().any(|limited| limited == key))
    }

    /// The keys that are limited at a time, fastest first.
    pub fn limited(&mut self, time: i64) -> Vec<String> {
        self.look_until(time);
        let obeyed = self.found.iter().rev().find(|(from, _)| *from <= time);
        obeyed.map(|(_, keys)| keys.clone()).unwrap_or_default()
    }

    /// Takes every look that was due.
    fn look_until(&mut self, time: i64) {
        let due = time.div_euclid(CADENCE) * CADENCE;
        let mut next = match self.looked {
            None => due,
            Some(looked) => looked + CADENCE,
        };
        // After a long silence nothing is left to find but that.
        next = next.max(due - self.window - CADENCE - LAG);
        while next <= due {
            self.look(next);
            self.looked = Some(next);
            next += CADENCE;
        }
    }

    fn look(&mut self, now: i64) {
        let mut fast = Vec::new();
        self.arrivals.retain(|key, times| {
            while times.front().is_some_and(|first| *first < now - self.window) {
                times.pop_front();
            }
            let count = times.iter().filter(|time| **time < now).count();
            if count > self.limit {
                fast.push((count, key.clone()));
            }
            !times.is_empty()
        });
        fast.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(&other.1)));
        fast.truncate(MOST);
        self.found.push((now + LAG, fast.into_iter().map(|(_, key)| key).collect()));
        // Only what is obeyed now and later is needed.
        let obeyed = self.found.iter().rposition(|(from, _)| *from <= now).unwrap_or(0);
        self.found.drain(..obeyed);
    }
}
