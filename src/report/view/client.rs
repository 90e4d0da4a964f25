//! Clients with their columns.

use schemars::JsonSchema;
use serde::Serialize;

use super::number::{RATIO, SHARE, rounded};
use crate::profile::{ClientProfile, Label, RouteProfile};
use crate::proposal::Proposal;
use crate::report::shorten::{agent, shorten};
use crate::report::{Subject, Words};
use crate::units::{Limit, Window, count, plain};

/// One of the busiest clients.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "top-client")]
pub struct TopClient {
    /// The client in canonical spelling.
    pub client: String,
    /// Requests on the route.
    pub requests: u32,
    /// Most requests in a minute of the clock.
    pub clock_60: u32,
    /// Most requests in five minutes of the clock.
    pub clock_300: u32,
    /// Most requests in any 300 s, in steps of 10 s.
    pub sliding_300: u32,
    /// Distinct user agents.
    pub agents: u32,
    /// Share of its requests answered 400 to 499 (0 to 1, four decimals).
    pub share_4xx: f64,
}

/// A client with all its columns and what they say about it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "client")]
pub struct ClientColumns {
    /// The client in canonical spelling.
    pub client: String,
    /// Who it seems to be, in a few words.
    pub head: String,
    /// Its peak, who it seems to be and what that rests on, as one sentence.
    pub sentence: String,
    /// The head in at most 22 characters, for a table.
    #[serde(skip)]
    pub brief: String,
    /// What the head rests on; may be empty.
    #[serde(skip)]
    pub details: String,
    /// Most requests in any window of the route's length, in steps of 10 s: what is compared with
    /// the limit.
    pub peak: u32,
    /// Start of its (first) busiest window, UTC.
    pub busiest: String,
    /// Requests on the route.
    pub requests: u32,
    /// Lines of this client in everything that was read.
    pub lines: u32,
    /// Most requests in any 60 s, in steps of 10 s.
    pub sliding_60: u32,
    /// Most requests in any 120 s, in steps of 10 s.
    pub sliding_120: u32,
    /// Most requests in any 300 s, in steps of 10 s.
    pub sliding_300: u32,
    /// Most requests in any 600 s, in steps of 10 s.
    pub sliding_600: u32,
    /// Most requests in a minute of the clock.
    pub clock_60: u32,
    /// Most requests in five minutes of the clock.
    pub clock_300: u32,
    /// Distinct user agents.
    pub agents: u32,
    /// The user agent of most of its requests as the client sent it, at most 256 bytes of it; null if
    /// none was logged.
    pub top_agent: Option<String>,
    /// Share of its requests answered 400 to 499 (0 to 1, four decimals).
    pub share_4xx: f64,
    /// Requests on the route by lines of this client (0 to 1, four decimals).
    pub focus: f64,
    /// Days on which it came near its peak (at least half of it in a clock window).
    pub near_days: u32,
    /// Distinct UTC hours with a request on the route.
    pub hours: u32,
    /// Clock windows of the route's length with a request.
    pub windows: u32,
    /// Lower median of the requests in those windows.
    pub middle: u32,
    /// Share of its requests with a referer (0 to 1, four decimals); null if that was not logged.
    pub referer: Option<f64>,
    /// Share of its requests with a browser's user agent (0 to 1, four decimals); null if that was
    /// not logged.
    pub browser: Option<f64>,
    /// Signs of a runaway, 0 to 5.
    pub signs: u32,
    /// Whether it has a habit: near its peak on several days, or there in many hours.
    pub established: bool,
    /// Whether it looks like many people behind one address.
    pub shared: bool,
    /// What people said about it: `exempt`, `good`, `bad`, or null.
    #[schemars(extend("enum" = ["exempt", "good", "bad", null]))]
    pub label: Option<&'static str>,
    /// The network that gave the label, or null.
    pub network: Option<String>,
    /// Arrival of its first request on the route, UTC.
    pub first: String,
    /// Arrival of its last request on the route, UTC.
    pub last: String,
}

/// A labelled client that has to pass, with its room.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "labelled")]
pub struct Labelled {
    /// The client in canonical spelling.
    pub client: String,
    /// The network that gave the label.
    pub network: String,
    /// Requests on the route.
    pub requests: u32,
    /// Its peak in the route's window.
    pub peak: u32,
    /// The user agent of most of its requests as the client sent it, at most 256 bytes of it; null if
    /// none was logged.
    pub top_agent: Option<String>,
    /// Limit by peak: below 1 it would be blocked; null without a limit.
    pub room: Option<f64>,
}

impl TopClient {
    pub(super) fn new(client: &ClientProfile) -> Self {
        Self {
            client: client.client.to_string(),
            requests: client.requests,
            clock_60: client.clock[Window::ONE_MINUTE.index()],
            clock_300: client.clock[Window::FIVE_MINUTES.index()],
            sliding_300: client.peak(Window::FIVE_MINUTES),
            agents: client.agents,
            share_4xx: rounded(client.share_4xx(), SHARE),
        }
    }
}

impl ClientColumns {
    /// The client at a place of the subject's list; `None` if there is no such place.
    pub(super) fn new(subject: Subject<'_>, place: usize, words: &dyn Words) -> Option<Self> {
        let client = subject.clients.get(place)?;
        let proposal = subject.proposal;
        let window = proposal.window.index();
        let habit = client.habits[window];
        let known = |value: f64| client.known.then(|| rounded(value, SHARE));
        Some(Self {
            client: client.client.to_string(),
            head: words.client_head(subject, place),
            sentence: words.client_sentence(subject, place),
            brief: brief(proposal, client, place),
            details: words.client_details(subject, place),
            peak: client.sliding[window],
            busiest: client.busiest[window].to_string(),
            requests: client.requests,
            lines: client.lines,
            sliding_60: client.peak(Window::ONE_MINUTE),
            sliding_120: client.peak(Window::TWO_MINUTES),
            sliding_300: client.peak(Window::FIVE_MINUTES),
            sliding_600: client.peak(Window::TEN_MINUTES),
            clock_60: client.clock[Window::ONE_MINUTE.index()],
            clock_300: client.clock[Window::FIVE_MINUTES.index()],
            agents: client.agents,
            top_agent: subject.profile.top_agent(client).map(str::to_owned),
            share_4xx: rounded(client.share_4xx(), SHARE),
            focus: rounded(client.focus(), SHARE),
            near_days: habit.near_days,
            hours: client.hours,
            windows: habit.windows,
            middle: habit.middle,
            referer: known(client.referer()),
            browser: known(client.browser()),
            signs: proposal.signs.get(place).copied().unwrap_or_default(),
            established: proposal.established.get(place).copied().unwrap_or_default(),
            shared: proposal.shared.get(place).copied().unwrap_or_default(),
            label: client.label.as_ref().map(|labelled| label(labelled.label)),
            network: client.label.as_ref().map(|labelled| labelled.network.clone()),
            first: client.first.to_string(),
            last: client.last.to_string(),
        })
    }
}

impl ClientColumns {
    /// How many user agents it has, and the one it uses most, for people: `("60 user agents, most
    /// often", "Mozilla/5.0 …")`. The second is short, and text of the client's: escape it. Both are empty
    /// if nothing is known.
    #[must_use]
    pub fn agents_in_words(&self) -> (String, String) {
        let agents = count(self.agents.into(), "user agent", "user agents");
        match (&self.top_agent, self.agents) {
            (None, 0..=1) => (String::new(), String::new()),
            (None, _) => (agents, String::new()),
            (Some(only), 0..=1) => ("user agent".to_owned(), brief_agent(only)),
            // The details of those that look shared count the agents already.
            (Some(most), _) if self.shared => ("most often".to_owned(), brief_agent(most)),
            (Some(most), _) => (format!("{agents}, most often"), brief_agent(most)),
        }
    }

    /// Whether a reviewer has to judge it where it is above the limit: it has a habit, looks shared,
    /// shows at most one sign of a runaway, or somebody called it good.
    #[must_use]
    pub fn needs_a_look(&self) -> bool {
        match self.label {
            Some("bad") => false,
            Some(_) => true,
            None => self.referer.is_some() && (self.signs <= 1 || self.established || self.shared),
        }
    }
}

/// Characters of a user agent that are shown.
const AGENT: usize = 72;

fn brief_agent(text: &str) -> String {
    agent(text, AGENT)
}

/// Most characters of [`ClientColumns::brief`].
const BRIEF: usize = 22;

/// Label, habit or signs, as in the head, in a word or two.
fn brief(proposal: &Proposal, client: &ClientProfile, place: usize) -> String {
    if let Some(labelled) = &client.label {
        let label = label(labelled.label);
        // A network that is the client itself is not named twice.
        if labelled.network.split('/').next() == Some(&client.client.to_string()) {
            return label.to_owned();
        }
        let room = BRIEF - label.len() - " ()".len();
        return format!("{label} ({})", shorten(&plain(&labelled.network), room));
    }
    let of = |list: &[bool]| list.get(place).copied().unwrap_or_default();
    let words = match proposal.signs.get(place) {
        _ if of(&proposal.established) && client.browser() < 0.5 => "habit: machine",
        _ if of(&proposal.established) => "habit: people",
        _ if of(&proposal.shared) => "shared",
        _ if !client.known => "unknown",
        None | Some(0) => "like a visitor",
        Some(1) => "one sign",
        Some(_) => "runaway",
    };
    words.to_owned()
}

impl Labelled {
    /// Its user agent for people, short. It is text of the client's: escape it.
    #[must_use]
    pub fn agent_in_words(&self) -> Option<String> {
        self.agent_within(AGENT)
    }

    /// Its user agent in at most so many characters.
    pub(in crate::report) fn agent_within(&self, most: usize) -> Option<String> {
        self.top_agent.as_deref().map(|text| agent(text, most))
    }

    /// The clients with a label, in the order of the list.
    pub(super) fn all(
        profile: &RouteProfile,
        wanted: Label,
        window: Window,
        limit: Option<Limit>,
    ) -> Vec<Self> {
        let labelled = profile.clients.iter().filter_map(|client| {
            let labelled = client.label.as_ref().filter(|labelled| labelled.label == wanted)?;
            let peak = client.peak(window);
            let room =
                |limit: Limit| rounded(f64::from(limit.requests()) / f64::from(peak.max(1)), RATIO);
            Some(Self {
                client: client.client.to_string(),
                network: labelled.network.clone(),
                requests: client.requests,
                peak,
                top_agent: profile.top_agent(client).map(str::to_owned),
                room: limit.map(room),
            })
        });
        labelled.collect()
    }
}

const fn label(label: Label) -> &'static str {
    match label {
        Label::Exempt => "exempt",
        Label::Good => "good",
        Label::Bad => "bad",
    }
}
