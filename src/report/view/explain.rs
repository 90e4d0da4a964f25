//! The view model of an explained client, and the shape of its JSON.

use schemars::JsonSchema;
use serde::Serialize;

use super::VERSION;
use super::replay::ReplayedRule;
use crate::explain::{Busiest, Explained, Share};
use crate::units::{Window, count, percent, plural, thousands};

/// The whole answer of `ratewaf explain --format json`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "explained")]
pub struct ExplainReport {
    /// Version of this format: 1.
    pub version: u32,
    /// The client in canonical spelling.
    pub client: String,
    /// The networks of the policy that it belongs to.
    pub networks: Vec<NetworkReport>,
    /// Where it is and whose, by the databases of `--geo`.
    pub located: Vec<String>,
    /// What it looks like: `office`, `crawler`, `script in a loop`, `monitor`, `gateway`, `test runner`, `person` or
    /// `unknown`. A guess.
    pub looks_like: &'static str,
    /// What speaks for that.
    pub reasons: Vec<String>,
    /// Requests, copies left out.
    pub requests: u64,
    /// Copies that were left out.
    pub duplicates: u64,
    /// Arrival of the first request, UTC.
    pub first: String,
    /// Arrival of the last request, UTC.
    pub last: String,
    /// Clock hours with a request of the client.
    pub hours: usize,
    /// Clock hours with a request of anybody.
    pub hours_of_log: usize,
    /// The busiest second and windows, to the second.
    pub busiest: Vec<BusiestReport>,
    /// Median of the seconds between two requests, or null for one request.
    pub median_gap: Option<u32>,
    /// Share of these gaps within a second or a tenth of the median.
    pub regular: f64,
    /// Requests by clock window of 5 minutes, those with any.
    pub five_minutes: Vec<CellOfTime>,
    /// Share of the requests with a browser's user agent.
    pub browsers: f64,
    /// Share of the requests with a referer.
    pub referers: f64,
    /// Methods with paths.
    pub paths: TallyReport,
    /// Statuses.
    pub statuses: TallyReport,
    /// User agents.
    pub agents: TallyReport,
    /// Protocols; none if the log does not tell.
    pub protocols: TallyReport,
    /// Countries; none if the log does not tell.
    pub countries: TallyReport,
    /// Numbers of network operators; none if the log does not tell.
    pub operators: TallyReport,
    /// Who else sent anything from the network around it.
    pub around: AroundReport,
    /// What the rules of the policy would have done to it, in the order in which requests meet them.
    pub rules: Vec<ReplayedRule>,
}

/// A network with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "named-network")]
pub struct NetworkReport {
    /// Its name.
    pub name: String,
    /// `tester`, `known-good` or `known-bad`.
    pub kind: &'static str,
}

/// Most requests in a stretch of time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "busiest")]
pub struct BusiestReport {
    /// Its length: 1, 60, 120, 300 or 600.
    pub seconds: u32,
    /// Requests.
    pub requests: u32,
    /// Arrival of the first of them, UTC.
    pub start: String,
}

/// Requests of five minutes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "five-minutes")]
pub struct CellOfTime {
    /// When they begin, UTC.
    pub start: String,
    /// Requests.
    pub requests: u32,
}

/// Values by how often they came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "tally")]
pub struct TallyReport {
    /// Different values.
    pub distinct: usize,
    /// The most frequent ones.
    pub top: Vec<ShareOfRequests>,
}

/// One value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "value")]
pub struct ShareOfRequests {
    /// As the log has it.
    pub text: String,
    /// Requests.
    pub requests: u64,
}

/// The network around a client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "around")]
pub struct AroundReport {
    /// The /24 or /64 of the client, or the network that was asked for; null for a client that is no address.
    pub network: Option<String>,
    /// Addresses in it that sent anything, the client among them.
    pub addresses: usize,
    /// Whether there are more than were told apart.
    pub more: bool,
    /// Lines of all of them but the client.
    pub lines_of_others: u64,
    /// The busiest of the others.
    pub busiest: Vec<ShareOfRequests>,
}

impl ExplainReport {
    /// The view of a client.
    #[must_use]
    pub fn new(found: &Explained, around: Option<String>) -> Self {
        let windows = Window::ALL.map(|window| (window.seconds(), found.busiest(window)));
        let busiest = [(1, found.rhythm.second)].into_iter().chain(windows);
        let cells = found.rhythm.five_minutes.iter().map(|(start, requests)| CellOfTime {
            start: crate::units::Timestamp(i64::from(*start)).to_string(),
            requests: *requests,
        });
        Self {
            version: VERSION,
            client: found.client.to_string(),
            networks: (found.networks.iter())
                .map(|network| NetworkReport {
                    name: network.name.clone(),
                    kind: network.kind.as_str(),
                })
                .collect(),
            located: found.located.clone(),
            looks_like: found.guess.kind.name(),
            reasons: found.guess.reasons.clone(),
            requests: found.requests,
            duplicates: found.duplicates,
            first: found.first.to_string(),
            last: found.last.to_string(),
            hours: found.hours,
            hours_of_log: found.hours_of_log,
            busiest: busiest
                .map(|(seconds, busiest)| BusiestReport::new(seconds, busiest))
                .collect(),
            median_gap: found.rhythm.gap,
            regular: found.rhythm.regular,
            five_minutes: cells.collect(),
            browsers: found.browsers,
            referers: found.referers,
            paths: TallyReport::new(&found.paths),
            statuses: TallyReport::new(&found.statuses),
            agents: TallyReport::new(&found.agents),
            protocols: TallyReport::new(&found.protocols),
            countries: TallyReport::new(&found.countries),
            operators: TallyReport::new(&found.operators),
            around: AroundReport {
                network: around,
                addresses: found.neighbours,
                more: found.more_neighbours,
                lines_of_others: found.lines_of_neighbours,
                busiest: (found.busiest_neighbours.iter())
                    .map(|(address, requests)| ShareOfRequests {
                        text: address.to_string(),
                        requests: *requests,
                    })
                    .collect(),
            },
            rules: found.rules.iter().map(|one| ReplayedRule::new(one, &found.networks)).collect(),
        }
    }

    /// `11,241 requests from 2026-09-09T09:33:12Z to 2026-09-10T01:00:00Z, in 3 of the log's 168 hours`.
    pub(in crate::report) fn came_in_words(&self) -> String {
        let copies = match self.duplicates {
            0 => String::new(),
            copies => format!(" ({} left out)", count(copies, "copy", "copies")),
        };
        format!(
            "{}{copies} from {} to {}, in {} of the log's {}",
            count(self.requests, "request", "requests"),
            self.first,
            self.last,
            thousands(self.hours as u64),
            count(self.hours_of_log as u64, "hour", "hours"),
        )
    }

    /// `22 in a second, 3,888 in 60 s, …, 7,383 in 300 s from 2026-09-09T09:33:12Z`.
    pub(in crate::report) fn busiest_in_words(&self) -> String {
        let each = self.busiest.iter().map(|one| {
            let time = match one.seconds {
                1 => format!("in the second {}", one.start),
                300 => format!("in 300 s from {}", one.start),
                seconds => format!("in {seconds} s"),
            };
            format!("{} {time}", thousands(one.requests.into()))
        });
        each.collect::<Vec<_>>().join(", ")
    }

    /// How regularly it came; `None` for one request.
    pub(in crate::report) fn rhythm_in_words(&self) -> Option<String> {
        let gap = self.median_gap?;
        if gap == 0 {
            return Some(
                "half of the requests come in the same second as the one before".to_owned(),
            );
        }
        Some(format!(
            "half of the gaps between two requests are {} or shorter; {} of them are within a second or a tenth of that",
            count(gap.into(), "second", "seconds"),
            percent(self.regular)
        ))
    }

    /// `200 98 %, 429 2 %`; `None` where the log does not tell.
    pub(in crate::report) fn shares_in_words(&self, tally: &TallyReport) -> Option<String> {
        let shown = tally.top.iter().take(4).map(|one| {
            format!("{} {}", one.text, percent(one.requests as f64 / self.requests as f64))
        });
        let shown: Vec<String> = shown.collect();
        let more = tally.distinct.saturating_sub(shown.len()) as u64;
        let more = if more > 0 { format!(", {} more", thousands(more)) } else { String::new() };
        (!shown.is_empty()).then(|| format!("{}{more}", shown.join(", ")))
    }

    /// Who else came from around it.
    pub(in crate::report) fn around_in_words(&self) -> Option<String> {
        let network = self.around.network.as_ref()?;
        if *network == self.client {
            return Some(self.within_in_words());
        }
        let others = (self.around.addresses as u64).saturating_sub(1);
        if others == 0 {
            return Some(format!("nobody else came from {network}"));
        }
        let more = if self.around.more { " and more" } else { "" };
        let busiest = self.around.busiest.iter().take(3);
        let busiest: Vec<String> = busiest
            .map(|one| format!("{} with {}", one.text, count(one.requests, "line", "lines")))
            .collect();
        Some(format!(
            "{}{more} of {network} sent {}; the busiest {}: {}",
            count(others, "other address", "other addresses"),
            count(self.around.lines_of_others, "line", "lines"),
            plural(busiest.len() as u64, "is", "are"),
            busiest.join(", ")
        ))
    }
}

impl ExplainReport {
    /// The addresses that a network was asked for by: they are the client, and nobody is around it.
    fn within_in_words(&self) -> String {
        let busiest: Vec<String> = (self.around.busiest.iter().take(3))
            .map(|one| format!("{} with {}", one.text, count(one.requests, "line", "lines")))
            .collect();
        format!(
            "{}{} of these logs; the busiest {}: {}",
            count(self.around.addresses as u64, "address", "addresses"),
            if self.around.more { " and more" } else { "" },
            plural(busiest.len() as u64, "is", "are"),
            busiest.join(", ")
        )
    }

    /// What the line of [`Self::around_in_words`] is called.
    pub(in crate::report) fn around_label(&self) -> &'static str {
        if self.around.network.as_deref() == Some(self.client.as_str()) {
            "made up of"
        } else {
            "around it"
        }
    }
}

impl BusiestReport {
    fn new(seconds: u32, busiest: Busiest) -> Self {
        Self { seconds, requests: busiest.requests, start: busiest.start.to_string() }
    }
}

impl TallyReport {
    fn new(tally: &crate::explain::Tally) -> Self {
        let share =
            |one: &Share| ShareOfRequests { text: one.text.clone(), requests: one.requests };
        Self { distinct: tally.distinct, top: tally.top.iter().map(share).collect() }
    }
}
