//! The view model of a replay, and the shape of its JSON.

use schemars::JsonSchema;
use serde::Serialize;

use super::VERSION;

use crate::limiters::Algorithm;
use crate::quotas;
use crate::replay::{Limited, Near, Replayed};
use crate::report::Replay;
use crate::rules::{Action, Network, NetworkKind};
use crate::units::{Client, Window, count, percent, plural, rate_in_words, share, thousands};

/// The whole answer of `ratewaf replay --format json`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "replay")]
pub struct ReplayReport {
    /// Version of this format: 1.
    pub version: u32,
    /// As which limiter the rules were replayed: `waf`, `fixed-window`, `sliding-log`, `sliding-window` or
    /// `token-bucket`.
    pub algorithm: &'static str,
    /// Seconds until AWS WAF knows of a request, or null for another limiter.
    pub lag: Option<u32>,
    /// Lines of the logs.
    pub lines: u64,
    /// Arrival of the first request of the logs, UTC, or null.
    pub first: Option<String>,
    /// Arrival of the last request of the logs, UTC, or null.
    pub last: Option<String>,
    /// The rules, in the order in which requests meet them.
    pub rules: Vec<ReplayedRule>,
    /// Rules that were not replayed.
    pub left_out: Vec<NotReplayedReport>,
}

/// A rule that was not replayed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "not-replayed")]
pub struct NotReplayedReport {
    /// Its name.
    pub name: String,
    /// Why.
    pub why: String,
}

/// What one rule would have done.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "replayed-rule")]
pub struct ReplayedRule {
    /// Its name.
    pub name: String,
    /// The route that it counts; several if it counts them together.
    pub route: String,
    /// Its limit, in requests per window.
    pub limit: u32,
    /// Its evaluation window in seconds.
    pub window: u32,
    /// What it does: `count`, `block`, `challenge` or `captcha`.
    pub action: &'static str,
    /// Why it may in truth see fewer requests than here, for rules of a web ACL.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub careful: Vec<String>,
    /// Clients whose requests it saw.
    pub clients: u64,
    /// Requests that it saw; those that a rule before it stopped are none of them.
    pub requests: u64,
    /// Of these, those that it would have acted on.
    pub acted_on: u64,
    /// `acted_on` by `requests`; 0 to 1.
    pub share: f64,
    /// Requests of clients over the limit that went through before it was known; 0 for a limiter that
    /// knows at once.
    pub before: u64,
    /// Most clients that it would have limited at the same time; AWS WAF limits 10,000 at most.
    pub most_at_once: usize,
    /// Whom it would have limited, highest peak first.
    pub limited: Vec<LimitedReport>,
    /// Who came to 70 % of the limit or more and was not limited, highest peak first.
    pub near: Vec<NearReport>,
    /// Each UTC day under the limit that all other days propose, where that was asked for.
    pub days: Vec<DayReport>,
    /// Other limits and windows, by limit; empty for other limiters than AWS WAF.
    pub grid: Vec<GridRow>,
}

/// One client that a rule would have limited.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "limited")]
pub struct LimitedReport {
    /// The client in canonical spelling.
    pub client: String,
    /// The network of the policy or of the command line that it belongs to, or null.
    pub network: Option<String>,
    /// That network's kind: `tester`, `known-good` or `known-bad`, or null.
    pub kind: Option<&'static str>,
    /// Most requests in any window of the rule, in steps of 10 s.
    pub peak: u32,
    /// Requests that the rule saw.
    pub requests: u64,
    /// Of these, those that it would have acted on.
    pub acted_on: u64,
    /// Requests of the windows that put it over the limit, which went through before that was known.
    pub before: u64,
    /// When it was limited for the first time, UTC.
    pub first: String,
    /// When it was limited for the last time, UTC.
    pub last: String,
    /// Seconds during which it was limited.
    pub seconds: u64,
    /// How often that began.
    pub times: u64,
}

/// One client near a limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "near")]
pub struct NearReport {
    /// The client in canonical spelling.
    pub client: String,
    /// The network of the policy or of the command line that it belongs to, or null.
    pub network: Option<String>,
    /// That network's kind: `tester`, `known-good` or `known-bad`, or null.
    pub kind: Option<&'static str>,
    /// Most requests in any window of the rule, in steps of 10 s.
    pub peak: u32,
    /// Requests that the rule saw.
    pub requests: u64,
}

/// One day under the limit that the others propose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "day-out")]
pub struct DayReport {
    /// The day, UTC.
    pub day: String,
    /// The limit that the others propose, or null if they propose none.
    pub limit: Option<u32>,
    /// Clients that the rule limits on that day.
    pub limited: u64,
    /// Of these, those that the others' limit limits, too.
    pub caught: u64,
    /// Further clients that it would limit.
    pub hit: u64,
}

/// Another limit, by window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "grid-row")]
pub struct GridRow {
    /// Requests per window.
    pub limit: u32,
    /// One for each window.
    pub windows: Vec<CellReport>,
}

/// What another limit would do in one window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "grid-cell")]
pub struct CellReport {
    /// The window in seconds.
    pub window: u32,
    /// Of the clients that the rule limits, those that are over this limit in this window.
    pub caught: u64,
    /// Others that are.
    pub hit: u64,
    /// Whether it is the lowest of these limits that hits nobody else in this window.
    pub knee: bool,
}

impl ReplayReport {
    /// The view of a replay.
    #[must_use]
    pub fn new(replay: &Replay) -> Self {
        let left_out = replay.left_out.iter();
        Self {
            version: VERSION,
            algorithm: replay.algorithm.name(),
            lag: (replay.algorithm == Algorithm::Waf).then_some(replay.lag),
            lines: replay.coverage.lines,
            first: replay.coverage.first.map(|time| time.to_string()),
            last: replay.coverage.last.map(|time| time.to_string()),
            rules: replay
                .rules
                .iter()
                .map(|one| ReplayedRule::new(one, &replay.networks))
                .collect(),
            left_out: left_out
                .map(|(name, why)| NotReplayedReport {
                    name: name.clone(),
                    why: why.in_words().to_owned(),
                })
                .collect(),
        }
    }

    /// `112,000 lines, 2026-09-08T00:00:01Z to 2026-09-14T23:59:58Z; as AWS WAF, which knows of a request 30 s
    /// later`.
    #[must_use]
    pub fn head_in_words(&self) -> String {
        let lines = count(self.lines, "line", "lines");
        let time = match (&self.first, &self.last) {
            (Some(first), Some(last)) => format!(", {first} to {last}"),
            _ => String::new(),
        };
        let limiter = match self.lag {
            Some(lag) => format!("as AWS WAF looks at them: every 10 s, {lag} s late"),
            None => format!("through a {} limiter", self.algorithm.replace('-', " ")),
        };
        format!("{lines}{time}; {limiter}")
    }
}

impl ReplayedRule {
    pub(super) fn new(one: &Replayed, networks: &[Network]) -> Self {
        let Replayed { rule, outcome } = one;
        let knees = Window::ALL.map(|window| outcome.grid.knee(window));
        let row = |(place, limit): (usize, &crate::units::Limit)| GridRow {
            limit: limit.requests(),
            windows: Window::ALL
                .into_iter()
                .zip(outcome.grid.cells[place])
                .map(|(window, cell)| CellReport {
                    window: window.seconds(),
                    caught: cell.caught,
                    hit: cell.hit,
                    knee: knees[window.index()] == Some(place),
                })
                .collect(),
        };
        Self {
            name: rule.name.clone(),
            route: rule.title.clone(),
            limit: rule.limit.requests(),
            window: rule.window.seconds(),
            action: match rule.action {
                Action::Count => "count",
                Action::Block => "block",
                Action::Challenge => "challenge",
                Action::Captcha => "captcha",
            },
            careful: rule.careful.clone(),
            clients: outcome.clients,
            requests: outcome.requests,
            acted_on: outcome.acted_on(),
            share: share(outcome.acted_on(), outcome.requests),
            before: outcome.before(),
            most_at_once: outcome.most_at_once,
            limited: outcome.limited.iter().map(|one| LimitedReport::new(one, networks)).collect(),
            near: outcome.near.iter().map(|one| NearReport::new(one, networks)).collect(),
            days: (outcome.days.iter())
                .map(|day| DayReport {
                    day: day.day.date_text(),
                    limit: day.limit.map(crate::units::Limit::requests),
                    limited: day.limited,
                    caught: day.caught,
                    hit: day.hit,
                })
                .collect(),
            grid: outcome.grid.limits.iter().enumerate().map(row).collect(),
        }
    }

    /// What is said in place of a grid in which nobody is over anything.
    pub(in crate::report) fn empty_grid_in_words(&self) -> Option<String> {
        let (first, last) = (self.grid.first()?, self.grid.last()?);
        let is_empty = |cell: &CellReport| cell.caught == 0 && cell.hit == 0;
        self.grid.iter().flat_map(|row| &row.windows).all(is_empty).then(|| {
            format!(
                "nobody is over any of the limits between {} and {} in any window either",
                thousands(first.limit.min(last.limit).into()),
                thousands(first.limit.max(last.limit).into()),
            )
        })
    }

    /// `300 requests per 300 s (1 per second); block`.
    pub(in crate::report) fn limit_in_words(&self) -> String {
        let rate = match (crate::units::Limit::new(self.limit.into()), Window::new(self.window)) {
            (Ok(limit), Ok(window)) => format!(" ({})", rate_in_words(limit, window)),
            _ => String::new(),
        };
        format!(
            "{} per {} s{rate}; action {}",
            count(self.limit.into(), "request", "requests"),
            self.window,
            self.action
        )
    }

    /// Whom it would have limited, in one sentence.
    pub(in crate::report) fn limited_in_words(&self) -> String {
        let limited = self.limited.len() as u64;
        if limited == 0 {
            let clients = count(self.clients, "client", "clients");
            return format!("nobody of {clients} with {}", requests(self.requests));
        }
        format!(
            "{} of {}: {} of {} ({}) {}{}",
            thousands(limited),
            count(self.clients, "client", "clients"),
            thousands(self.acted_on),
            requests(self.requests),
            percent(self.share),
            match (self.action, self.acted_on) {
                ("count", _) => "would have been counted",
                _ => "would have been refused",
            },
            match self.before {
                0 => String::new(),
                before => format!(", {} let through before WAF knew", thousands(before)),
            },
        )
    }

    /// Known-good networks that it would have limited; `None` if there is none.
    pub(in crate::report) fn wronged_in_words(&self) -> Option<String> {
        let mut names: Vec<&str> = (self.limited.iter())
            .filter(|one| one.kind == Some(NetworkKind::KnownGood.as_str()))
            .filter_map(|one| one.network.as_deref())
            .collect();
        names.sort_unstable();
        names.dedup();
        (!names.is_empty())
            .then(|| format!("known-good, and would have been limited: {}", names.join(", ")))
    }

    /// That AWS WAF would not have kept up; `None` if it would.
    pub(in crate::report) fn too_many_in_words(&self) -> Option<String> {
        let most = quotas::LIMITED_ADDRESSES_PER_RULE;
        (self.most_at_once > most).then(|| {
            format!(
                "{} clients were over the limit at the same time, and AWS WAF limits the {} with the highest rates",
                thousands(self.most_at_once as u64),
                thousands(most as u64)
            )
        })
    }

    /// Whether the limit hangs on one day; `None` where nobody asked.
    pub(in crate::report) fn days_in_words(&self) -> Option<String> {
        let all = self.days.len();
        if all == 0 {
            return None;
        }
        let limits: Vec<u32> = self.days.iter().filter_map(|day| day.limit).collect();
        let agree = self
            .days
            .iter()
            .filter(|day| day.limit.is_some() && day.caught == day.limited && day.hit == 0);
        let agree = agree.count() as u64;
        let range = match (limits.iter().min(), limits.iter().max()) {
            (Some(least), Some(most)) if least == most => {
                format!("propose {}", thousands((*least).into()))
            }
            (Some(least), Some(most)) => {
                format!("propose {} to {}", thousands((*least).into()), thousands((*most).into()))
            }
            _ => "propose no limit".to_owned(),
        };
        let none = (all - limits.len()) as u64;
        let none = match none {
            0 => String::new(),
            none if none == all as u64 => String::new(),
            none => format!(", and none without {}", count(none, "day", "of the days")),
        };
        Some(format!(
            "without one day the others {range}{none}; on {agree} of {} that limits the same clients as the rule",
            count(all as u64, "day", "days")
        ))
    }

    /// Who came near, in one sentence.
    pub(in crate::report) fn near_in_words(&self) -> String {
        let near = self.near.len() as u64;
        match self.near.first() {
            None => "nobody came to 70 % of the limit without being limited".to_owned(),
            Some(first) => format!(
                "{} came to 70 % of the limit or more; the {} to {}",
                count(near, "client", "clients"),
                plural(near, "peak was up", "highest peak came"),
                thousands(first.peak.into())
            ),
        }
    }
}

impl LimitedReport {
    fn new(one: &Limited, networks: &[Network]) -> Self {
        let network = network_of(&one.client, networks);
        Self {
            client: one.client.to_string(),
            network: network.map(|network| network.name.clone()),
            kind: network.map(|network| network.kind.as_str()),
            peak: one.peak,
            requests: one.requests,
            acted_on: one.acted_on,
            before: one.before,
            first: one.first.to_string(),
            last: one.last.to_string(),
            seconds: one.seconds,
            times: one.times,
        }
    }

    /// What happened to it, in one sentence.
    pub(in crate::report) fn in_words(&self, rule: &ReplayedRule) -> String {
        let done = if rule.action == "count" { "counted" } else { "refused" };
        format!(
            "limited from {} to {}, {} in all: {} of {} {done}, {} let through before WAF knew; its peak is {}",
            self.first,
            self.last,
            self.time_in_words(),
            thousands(self.acted_on),
            requests(self.requests),
            thousands(self.before),
            thousands(self.peak.into())
        )
    }

    /// `14 min 20 s`.
    pub(in crate::report) fn time_in_words(&self) -> String {
        let (hours, minutes, seconds) =
            (self.seconds / 3600, self.seconds / 60 % 60, self.seconds % 60);
        match (hours, minutes) {
            (0, 0) => format!("{seconds} s"),
            (0, _) => format!("{minutes} min {seconds:02} s"),
            _ => format!("{} h {minutes:02} min", thousands(hours)),
        }
    }
}

impl NearReport {
    fn new(one: &Near, networks: &[Network]) -> Self {
        let network = network_of(&one.client, networks);
        Self {
            client: one.client.to_string(),
            network: network.map(|network| network.name.clone()),
            kind: network.map(|network| network.kind.as_str()),
            peak: one.peak,
            requests: one.requests,
        }
    }
}

impl CellReport {
    /// `9 + 120`: those of the rule, and others.
    pub(in crate::report) fn in_words(self) -> String {
        let others = match self.hit {
            0 => String::new(),
            hit => format!(" + {}", thousands(hit)),
        };
        format!("{}{others}{}", thousands(self.caught), if self.knee { " *" } else { "" })
    }
}

/// What the cells of a grid mean.
pub(in crate::report) const GRID: &str = "clients over other limits, by window: those that the rule limits + others; * the lowest of these that hits nobody else";

fn requests(number: u64) -> String {
    count(number, "request", "requests")
}

fn network_of<'a>(client: &Client, networks: &'a [Network]) -> Option<&'a Network> {
    let address = client.address()?;
    networks.iter().find(|network| network.contains(address))
}
