//! Which networks are treated specially on some day, and what to know about the others.

use super::evidence::number;
use super::lock::{Lock, lock_networks};
use super::model::Policy;
use super::value::parse_date;
use crate::rules::{Network, NetworkKind, RateRule, Role};
use crate::units::{Timestamp, count, plain, thousands};

/// Days before the end of a network's special treatment from which on it is told.
const REMINDED_DAYS: i64 = 30;

/// The networks of a policy on one day.
pub struct Standing<'p> {
    /// Those that are treated specially.
    pub current: Vec<&'p Network>,
    expired: Vec<&'p Network>,
    today: Option<Timestamp>,
}

impl<'p> Standing<'p> {
    /// Sorts a policy's networks out; none has expired if no day is given.
    pub fn of(policy: &'p Policy, today: Option<Timestamp>) -> Self {
        let day = today.map(Timestamp::date_text);
        let (expired, current) =
            policy.networks.iter().partition(|network| match (&network.until, &day) {
                // Dates as YYYY-MM-DD are ordered like their texts.
                (Some(until), Some(day)) => day > until,
                _ => false,
            });
        Self { current, expired, today }
    }

    /// The testers among the current ones.
    pub fn testers(&self) -> Vec<&'p Network> {
        let testers = self.current.iter().filter(|network| network.kind == NetworkKind::Tester);
        testers.copied().collect()
    }

    /// What to know about networks that have expired, one note each.
    pub fn expired_notes(&self, lock: Option<&Lock>, rules: &[Ruled<'_>]) -> Vec<String> {
        let note = |network: &&Network| {
            let mut note = format!(
                "Network `{}` expired on {}: it is treated like everybody else.",
                network.name,
                network.until.as_deref().unwrap_or_default()
            );
            let limited = limited(network, lock, rules);
            let is_locked = knows(lock, network).unwrap_or(!limited.is_empty());
            note.push_str(&limited);
            if is_locked {
                note.push_str(" Run `ratewaf analyze` again for limits that count it.");
            }
            if network.kind == NetworkKind::Tester {
                note.push_str(
                    " Its IP sets stay until it is removed from the policy; apply this first.",
                );
            }
            note
        };
        self.expired.iter().map(note).collect()
    }

    /// What will change within [`REMINDED_DAYS`], one note each. They differ from day to day, so they
    /// must not stand in anything that is kept.
    pub fn reminders(&self, lock: Option<&Lock>, rules: &[Ruled<'_>]) -> Vec<String> {
        let reminder = |network: &&Network| {
            let until = network.until.as_deref()?;
            let days = parse_date(until)?.day() - self.today?.day();
            (0..=REMINDED_DAYS).contains(&days).then(|| {
                let left = match u64::try_from(days).unwrap_or_default() {
                    0 => "today".to_owned(),
                    days => format!("in {}", count(days, "day", "days")),
                };
                format!(
                    "Network `{}` expires {left}, on {until}: from the next day on it is treated like everybody else.{}",
                    network.name,
                    limited(network, lock, rules)
                )
            })
        };
        self.current.iter().filter_map(reminder).collect()
    }

    /// How the current networks differ from those that the lock was made with, in words; `None` if
    /// they do not, or if the lock does not say. A route whose limit is pinned depends on the testers
    /// only, which its rule leaves out.
    pub fn changes(&self, lock: Option<&Lock>, is_pinned: bool) -> Option<String> {
        let then = lock?.inputs.networks.as_ref()?;
        let current: Vec<Network> = self.current.iter().copied().cloned().collect();
        let now = lock_networks(&current);
        let mut changes = Vec::new();
        let is_tester = |kind: &str| kind == NetworkKind::Tester.as_str();
        for (name, network) in now.iter().filter(|(_, now)| !is_pinned || is_tester(&now.kind)) {
            match then.get(name) {
                None => changes.push(format!("{name} added")),
                Some(known) if known != network => changes.push(format!("{name} changed")),
                Some(_) => {}
            }
        }
        // An expired one has a note of its own.
        let gone = |name: &&String| {
            !is_pinned
                && !now.contains_key(*name)
                && !self.expired.iter().any(|network| network.name == **name)
        };
        changes.extend(then.keys().filter(gone).map(|name| format!("{name} removed")));
        (!changes.is_empty()).then(|| plain(&changes.join(", ")).into_owned())
    }
}

/// Whether the lock was made with a network of this name; `None` if it does not say.
fn knows(lock: Option<&Lock>, network: &Network) -> Option<bool> {
    Some(lock?.inputs.networks.as_ref()?.contains_key(&network.name))
}

/// What a tester network was when the logs were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// The same, as far as the lock says.
    Same,
    /// A tester with other addresses, so that its peak may be of one that it has no more.
    Changed,
    /// No tester.
    Absent,
}

impl Then {
    /// Of a network that is a tester now.
    pub fn of(lock: Option<&Lock>, network: &Network) -> Self {
        let Some(then) = lock.and_then(|lock| lock.inputs.networks.as_ref()) else {
            return Self::Same;
        };
        let now = lock_networks(std::slice::from_ref(network));
        match (then.get(&network.name), now.get(&network.name)) {
            (Some(then), now) if then.kind == network.kind.as_str() => {
                if Some(then) == now {
                    Self::Same
                } else {
                    Self::Changed
                }
            }
            _ => Self::Absent,
        }
    }
}

/// A rule and the name of its route.
pub type Ruled<'r> = (&'r str, &'r RateRule);

/// What the main rules would do with the busiest peak of a tester network, a sentence a route.
fn limited(network: &Network, lock: Option<&Lock>, rules: &[Ruled<'_>]) -> String {
    let mut out = String::new();
    let before = match Then::of(lock, network) {
        Then::Changed => ", before the network changed,",
        Then::Same | Then::Absent => "",
    };
    for (route, rule) in rules.iter().filter(|(_, rule)| rule.role == Role::Main) {
        let locked = lock.and_then(|lock| lock.route(route));
        let Some(peak) = locked.and_then(|locked| locked.exempt_peaks.get(&network.name)) else {
            continue;
        };
        let limit = number(rule.limit);
        let then = if *peak > rule.limit.requests() {
            format!("above the limit {limit}, so it would be limited")
        } else {
            format!("not above the limit {limit}")
        };
        out.push_str(&format!(
            " Route `{route}`: its busiest peak in the logs{before} was {}, {then}.",
            thousands((*peak).into())
        ));
    }
    out
}
