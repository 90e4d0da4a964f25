//! One route, whole.

use schemars::JsonSchema;
use serde::Serialize;

use super::client::{ClientColumns, Labelled, TopClient};
use super::pinned::Pinned;
use super::proposal::ProposalReport;
use super::traffic::TrafficReport;
use crate::profile::{ClientProfile, Label, RouteProfile, at_rank, number_of, ranked};
use crate::proposal::{Proposal, RUNAWAY, RouteProposal};
use crate::report::{Subject, Words};
use crate::units::{Window, count, percent, thousands};

/// How many of the busiest clients `top` holds.
const TOP: usize = 20;
/// How many clients are shown where there is no limit to sort them by.
const BUSIEST: usize = 5;
/// How many of those who are there all day are described.
const ALL_DAY: usize = 2;

/// Peaks summed over all clients of the route: one number that changes with any of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "sum-of-peaks")]
pub struct SumOfPeaks {
    /// Of the peaks in a minute of the clock.
    pub clock_60: u64,
    /// Of the peaks in five minutes of the clock.
    pub clock_300: u64,
    /// Of the peaks in any 300 s.
    pub sliding_300: u64,
}

/// Quantiles of the peaks in the route's window: the smallest peak that at least such a share of the
/// clients do not exceed. All 0 without a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "quantiles")]
pub struct Quantiles {
    /// Of half of the clients.
    pub half: u32,
    /// Of 90 % of the clients.
    pub p90: u32,
    /// Of 99 % of the clients.
    pub p99: u32,
    /// Of 99.9 % of the clients.
    pub p999: u32,
    /// The largest peak.
    pub largest: u32,
}

/// Something a reader must know before trusting the limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "warning")]
pub struct WarningReport {
    /// `coverage`, `short-log`, `edge-bursts`, `slash64`, `forwarded`, `spellings`, `together`,
    /// `all-day`, `existing-limit` or `partial-log`.
    pub id: &'static str,
    /// In words.
    pub text: String,
}

/// The same method over IPv6 networks of 64 bits (IPv4 clients as they are). AWS WAF counts single
/// addresses; this shows who walks through a /64.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "slash64")]
pub struct Slash64Report {
    /// Distinct clients by /64.
    pub clients: usize,
    /// What the method proposes for them.
    pub proposal: ProposalReport,
}

/// One route: who called it, the limit that follows, and why.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "route")]
pub struct RouteReport {
    /// The route as written after `--route`.
    pub route: String,
    /// Distinct clients, exempt ones among them.
    pub clients: usize,
    /// Of these, the exempt ones (testers), whom the limit is not for.
    pub clients_exempt: usize,
    /// Requests counted, copies left out, those of exempt clients among them.
    pub requests: u64,
    /// Of these, the requests of exempt clients.
    pub requests_exempt: u64,
    /// The limit that the policy pins, which is in force whatever is proposed; else null.
    pub pinned: Option<Pinned>,
    /// Sums of peaks over all clients.
    pub sum_of_peaks: SumOfPeaks,
    /// Quantiles of the peaks in the route's window, exempt clients left out.
    pub quantiles: Quantiles,
    /// The 20 busiest of all clients by peak in any 300 s.
    pub top: Vec<TopClient>,
    /// The limit and its reasons, for the route's window.
    pub proposal: ProposalReport,
    /// Clients whose peak is above the limit, testers left out, highest peak first; empty without a
    /// limit.
    pub above: Vec<ClientColumns>,
    /// The five clients just below the limit, highest peak first.
    pub below: Vec<ClientColumns>,
    /// Where there is no limit to be above or below of: the five busiest in the route's window,
    /// testers left out.
    #[serde(skip)]
    pub busiest: Vec<ClientColumns>,
    /// Some of those that the warning `all-day` is about, most requests first.
    #[serde(skip)]
    pub all_day: Vec<ClientColumns>,
    /// Clients labelled good (they have to pass), highest peak first.
    pub good: Vec<Labelled>,
    /// Clients labelled exempt (testers: left out of the evidence, counted by a rule of their own),
    /// highest peak first.
    pub exempt: Vec<Labelled>,
    /// Another window that does better than the route's, or null.
    pub other_window: Option<ProposalReport>,
    /// The same by /64 where IPv6 occurs, else null.
    pub slash64: Option<Slash64Report>,
    /// What the statement covers and what goes past it.
    pub traffic: TrafficReport,
    /// What a reader must know before trusting the limit.
    pub warnings: Vec<WarningReport>,
}

impl RouteReport {
    /// `hours`: UTC hours with any request, whatever route it is for.
    pub(super) fn new(
        profile: &RouteProfile,
        route: &RouteProposal,
        hours: usize,
        words: &dyn Words,
    ) -> Self {
        let about = |proposal| Subject { profile, clients: &profile.clients, proposal };
        let subject = about(&route.proposal);
        let columns = |places: &[usize]| -> Vec<_> {
            places.iter().filter_map(|&place| ClientColumns::new(subject, place, words)).collect()
        };
        let exempt = || profile.clients.iter().filter(|client| client.is_labelled(Label::Exempt));
        let limit = route.proposal.limit;
        let labelled = |label| Labelled::all(profile, label, route.proposal.window, limit);
        Self {
            route: profile.route.to_string(),
            clients: profile.number_of_clients() as usize,
            clients_exempt: exempt().count(),
            requests: profile.requests,
            requests_exempt: exempt().map(|client| u64::from(client.requests)).sum(),
            pinned: None,
            sum_of_peaks: SumOfPeaks::new(profile),
            quantiles: Quantiles::new(profile, route.proposal.window),
            top: top(&profile.clients),
            proposal: ProposalReport::new(subject, words),
            above: columns(&route.proposal.above),
            below: columns(&route.proposal.below),
            busiest: match limit {
                Some(_) => Vec::new(),
                None => columns(&busiest(&profile.clients)),
            },
            all_day: match route.warnings.iter().any(|warning| warning.id == "all-day") {
                true => columns(&all_day(&profile.clients, &route.proposal, hours)),
                false => Vec::new(),
            },
            good: labelled(Label::Good),
            exempt: labelled(Label::Exempt),
            other_window: (route.other_window.as_ref())
                .map(|other| ProposalReport::new(about(other), words)),
            slash64: route.slash64.as_ref().map(|proposal| slash64(profile, proposal, words)),
            traffic: TrafficReport::new(&profile.traffic),
            warnings: (route.warnings.iter())
                .map(|warning| WarningReport { id: warning.id, text: warning.text.clone() })
                .collect(),
        }
    }
}

/// Warnings about the log, not about a route: a survey says them once.
const OF_THE_LOG: [&str; 3] = ["coverage", "short-log", "partial-log"];
/// Warnings that matter where there is no limit, too: something goes past a count of addresses, or the
/// count itself is not to be trusted.
const WITHOUT_LIMIT: [&str; 3] = ["slash64", "forwarded", "existing-limit"];

impl RouteReport {
    /// `47 % of the requests`: the share of those above the limit, and what it is a share of where
    /// that is not everything.
    #[must_use]
    pub fn share_above_in_words(&self) -> String {
        let share = percent(self.proposal.share_above);
        if self.clients_exempt == 0 {
            return format!("{share} of the requests");
        }
        let counted = self.requests.saturating_sub(self.requests_exempt);
        let counted = count(counted, "request", "requests");
        format!("{share} of the {counted} that are not exempt")
    }

    /// What a reviewer asks first, whether those above the limit are abusers: `10 of them look like runaways`. `None`
    /// if the log does not tell, or nobody is above.
    #[must_use]
    pub fn looks_above_in_words(&self) -> Option<String> {
        let above = self.above.len();
        if !self.above.iter().any(|client| client.referer.is_some()) {
            return None;
        }
        let is_runaway =
            |client: &&ClientColumns| client.signs >= RUNAWAY || client.label == Some("bad");
        Some(match self.above.iter().filter(is_runaway).count() {
            0 if above == 1 => "it does not look like a runaway".to_owned(),
            1 if above == 1 => "it looks like a runaway".to_owned(),
            0 => "none of them looks like a runaway".to_owned(),
            1 => "1 of them looks like a runaway".to_owned(),
            all if all == above => "all of them look like runaways".to_owned(),
            some => format!("{} of them look like runaways", thousands(some as u64)),
        })
    }

    /// `8,921 clients, 44,327 requests, 4,232 of them exempt`.
    #[must_use]
    pub fn totals_in_words(&self) -> String {
        let exempt = match self.requests_exempt {
            0 => String::new(),
            exempt => format!(", {} of them exempt", thousands(exempt)),
        };
        format!(
            "{}, {}{exempt}",
            count(self.clients as u64, "client", "clients"),
            count(self.requests, "request", "requests"),
        )
    }

    /// The warnings that a survey says of this group.
    pub fn warnings_in_survey(&self) -> impl Iterator<Item = &WarningReport> {
        self.warnings.iter().filter(|warning| match self.proposal.limit {
            Some(_) => !warning.is_of_the_log(),
            None => WITHOUT_LIMIT.contains(&warning.id),
        })
    }
}

impl WarningReport {
    /// Whether it is about the log rather than about a route.
    #[must_use]
    pub fn is_of_the_log(&self) -> bool {
        OF_THE_LOG.contains(&self.id)
    }
}

fn slash64(profile: &RouteProfile, proposal: &Proposal, words: &dyn Words) -> Slash64Report {
    let subject = Subject { profile, clients: &profile.slash64, proposal };
    let clients = number_of(&profile.slash64, &profile.slash64_crowd) as usize;
    Slash64Report { clients, proposal: ProposalReport::new(subject, words) }
}

/// Places of the busiest; the list is by peak.
fn busiest(clients: &[ClientProfile]) -> Vec<usize> {
    (0..clients.len())
        .filter(|&place| !clients[place].is_labelled(Label::Exempt))
        .take(BUSIEST)
        .collect()
}

/// Places of those who were there in nine of ten hours and are not above the limit, as the warning
/// means it.
fn all_day(clients: &[ClientProfile], proposal: &Proposal, hours: usize) -> Vec<usize> {
    let limit = proposal.limit.unwrap_or(proposal.ceiling).requests();
    let mut places: Vec<usize> = (0..clients.len())
        .filter(|&place| {
            let client = &clients[place];
            client.label.is_none()
                && 10 * u64::from(client.hours) >= 9 * hours as u64
                && client.peak(proposal.window) <= limit
        })
        .collect();
    places.sort_by_cached_key(|&place| {
        (std::cmp::Reverse(clients[place].requests), clients[place].client.to_string())
    });
    places.truncate(ALL_DAY);
    places
}

/// The busiest by peak in any 300 s, ties by canonical text, whatever the route's window is.
fn top(clients: &[ClientProfile]) -> Vec<TopClient> {
    let mut busiest: Vec<&ClientProfile> = clients.iter().collect();
    let peak = |client: &ClientProfile| client.peak(Window::FIVE_MINUTES);
    if busiest.len() > TOP {
        // Only the peaks matter for who may be among them; texts are compared for those few.
        busiest.sort_unstable_by_key(|client| std::cmp::Reverse(peak(client)));
        let least = peak(busiest[TOP - 1]);
        busiest.retain(|client| peak(client) >= least);
    }
    busiest
        .sort_by_cached_key(|client| (std::cmp::Reverse(peak(client)), client.client.to_string()));
    busiest.into_iter().take(TOP).map(TopClient::new).collect()
}

impl SumOfPeaks {
    fn new(profile: &RouteProfile) -> Self {
        let sum = |peak: fn(&ClientProfile) -> u32| profile.sum(peak);
        Self {
            clock_60: sum(|client| client.clock[Window::ONE_MINUTE.index()]),
            clock_300: sum(|client| client.clock[Window::FIVE_MINUTES.index()]),
            sliding_300: sum(|client| client.peak(Window::FIVE_MINUTES)),
        }
    }
}

impl Quantiles {
    fn new(profile: &RouteProfile, window: Window) -> Self {
        let counted = profile.everybody().filter(|(client, _)| !client.is_labelled(Label::Exempt));
        let (peaks, all) =
            ranked(counted.map(|(client, number)| (client.peak(window), number.into())));
        // The value at rank ceil(share * n), in whole thousandths so that nothing is lost.
        let at = |thousandths: u64| at_rank(&peaks, (thousandths * all).div_ceil(1_000));
        Self { half: at(500), p90: at(900), p99: at(990), p999: at(999), largest: at(1_000) }
    }
}
