//! One client through one rule.

use super::outcome::Limited;
use super::rule::Rule;
use crate::limiters::{Algorithm, CHECK, Limiter as _, Waf};
use crate::units::{Client, Timestamp};

/// What a rule did to the requests of a client.
pub(super) struct Acted {
    /// For each request, whether it was acted on.
    pub(super) on: Vec<bool>,
    /// When it acted, in milliseconds since 1970: start and end, ascending, apart.
    pub(super) spells: Vec<(i64, i64)>,
    /// Requests of the window before each of them.
    before: u64,
}

/// Looks at requests at these times (seconds since 1970, ascending), sent to a rule.
pub(super) fn run(rule: &Rule, times: &[u32], algorithm: Algorithm, lag: u32) -> Acted {
    match algorithm {
        Algorithm::Waf => waf(rule, times, lag),
        _ => other(rule, times, algorithm),
    }
}

fn waf(rule: &Rule, times: &[u32], lag: u32) -> Acted {
    let mut limiter = Waf::new(rule.limit, rule.window, lag);
    let mut acted = Acted { on: Vec::with_capacity(times.len()), spells: Vec::new(), before: 0 };
    let mut check = 0;
    let milliseconds = |time: u32| i64::from(time) * 1000;
    // Between two requests the rule may begin to act, and stop again.
    let mut checks_until = |limiter: &mut Waf, end: i64, acted: &mut Acted| {
        while check < end && !limiter.is_idle() {
            acted.see(check, limiter.acts(check));
            check += CHECK;
        }
        check = check.max(end - end.rem_euclid(CHECK));
    };
    for &time in times {
        let at = milliseconds(time);
        checks_until(&mut limiter, at - at.rem_euclid(CHECK), &mut acted);
        acted.see(at - at.rem_euclid(CHECK), limiter.acts(at));
        acted.on.push(!limiter.allows(at));
    }
    checks_until(&mut limiter, i64::MAX, &mut acted);
    let (width, lag) = (i64::from(rule.window.seconds()) * 1000, i64::from(lag) * 1000);
    let mut counted = i64::MIN;
    for &(start, _) in &acted.spells {
        // No request is counted for two spells.
        let from = (start - lag - width).max(counted);
        let place = |time: i64| times.partition_point(|&own| milliseconds(own) < time);
        let passed = acted.on[place(from)..place(start)].iter().filter(|on| !**on).count();
        acted.before += passed as u64;
        counted = start;
    }
    acted
}

fn other(rule: &Rule, times: &[u32], algorithm: Algorithm) -> Acted {
    let mut limiter = algorithm.limiter(rule.limit, rule.window, 0);
    let mut acted = Acted { on: Vec::with_capacity(times.len()), spells: Vec::new(), before: 0 };
    for &time in times {
        let at = i64::from(time) * 1000;
        let refused = !limiter.allows(at);
        acted.on.push(refused);
        if !refused {
            continue;
        }
        match acted.spells.last_mut() {
            // The second of the last refused request, and the one after it.
            Some((_, end)) if *end >= at => *end = at + 1000,
            _ => acted.spells.push((at, at + 1000)),
        }
    }
    acted
}

impl Acted {
    /// What a check found; at ascending times, and perhaps twice for one.
    fn see(&mut self, check: i64, acts: bool) {
        if !acts {
            return;
        }
        match self.spells.last_mut() {
            Some((_, end)) if *end >= check => *end = check + CHECK,
            _ => self.spells.push((check, check + CHECK)),
        }
    }

    /// The same for people; `None` if the rule never acted.
    pub(super) fn told(&self, client: &Client, peak: u32) -> Option<Limited> {
        let (first, last) = (self.spells.first()?.0, self.spells.last()?.1);
        let milliseconds: i64 = self.spells.iter().map(|(start, end)| end - start).sum();
        Some(Limited {
            client: client.clone(),
            peak,
            requests: self.on.len() as u64,
            acted_on: self.on.iter().filter(|on| **on).count() as u64,
            before: self.before,
            first: Timestamp(first / 1000),
            last: Timestamp(last / 1000),
            seconds: (milliseconds / 1000).unsigned_abs(),
            times: self.spells.len() as u64,
        })
    }
}
