//! Groups of requests, ranked by what one client takes of them.

use schemars::JsonSchema;
use serde::Serialize;

use super::route::{RouteReport, WarningReport};
use crate::report::Words;
use crate::rules::canonical_cidr;
use crate::survey::{Advice, Survey};
use crate::units::{Window, plain};

/// A method and a path with ids and hashes folded to a placeholder.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "group")]
pub struct GroupReport {
    /// How it reads: `GET /users/{id}/orders`.
    pub title: String,
    /// The route that would protect it, as written after `--route`; null where no statement can tell
    /// these requests from others.
    pub route: Option<String>,
    /// Requests.
    pub requests: u64,
    /// Distinct clients.
    pub clients: u64,
    /// Most requests of one client in any window of `--window` seconds (300 if not given).
    pub peak: u32,
    /// The same of one IPv6 network of 64 bits, if that is more; else equal to `peak`.
    pub peak_slash64: u32,
    /// Whose peak that is.
    pub busiest: String,
    /// `look` (perhaps worth a rule), or why it is not worth one: `webhook`, `health-check`,
    /// `static-asset`.
    #[schemars(extend("enum" = ["look", "webhook", "health-check", "static-asset"]))]
    pub advice: &'static str,
    /// The whole analysis of the first ten groups worth a look, else null.
    pub analysis: Option<RouteReport>,
}

/// Which routes are worth a rule.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "survey")]
pub struct SurveyReport {
    /// By `peak_slash64`, highest first, at most 100.
    pub groups: Vec<GroupReport>,
    /// Groups that are not listed.
    pub more_groups: u64,
    /// Requests of those.
    pub more_requests: u64,
    /// What is to be known of the log, whatever group one looks at.
    #[serde(skip)]
    pub warnings: Vec<WarningReport>,
}

/// The sentences about the log that hold for every group, so that they need be said once only.
fn of_the_log(groups: &[GroupReport]) -> Vec<WarningReport> {
    let routes = || groups.iter().filter_map(|group| group.analysis.as_ref());
    let Some(first) = routes().next() else { return Vec::new() };
    let about_the_log = first.warnings.iter().filter(|warning| warning.is_of_the_log());
    let common = about_the_log.filter_map(|warning| {
        let everywhere = |sentence: &&str| {
            routes().all(|route| {
                let mut same = route.warnings.iter().filter(|other| other.id == warning.id);
                same.any(|other| other.text.contains(sentence))
            })
        };
        let sentences: Vec<_> =
            warning.text.split_inclusive(". ").map(str::trim_end).filter(everywhere).collect();
        let text = sentences.join(" ");
        (!text.is_empty()).then_some(WarningReport { id: warning.id, text })
    });
    common.collect()
}

impl GroupReport {
    /// How to look at this group alone; `None` where no statement can tell its requests from others.
    /// The path is a client's: it is quoted for a shell.
    #[must_use]
    pub fn command(&self) -> Option<String> {
        let route = plain(self.route.as_ref()?).replace('\'', r"'\''");
        let window = self.analysis.as_ref().map(|route| route.proposal.window);
        let window = match window.filter(|window| *window != Window::default().seconds()) {
            Some(window) => format!(" --window {window}"),
            None => String::new(),
        };
        Some(format!("ratewaf analyze … --route '{route}'{window}"))
    }

    /// The same with yes for an answer to its first question; `None` if there is none, or it is about clients that
    /// are not all named.
    #[must_use]
    pub fn command_with_answer(&self) -> Option<String> {
        let question = self.analysis.as_ref()?.proposal.questions.first()?;
        if question.more_clients > 0 || question.clients.is_empty() {
            return None;
        }
        let flag = if question.kind == "exempt" { "--exempt" } else { "--bad" };
        // Masked clients are texts that no flag takes.
        if question.clients.iter().any(|client| canonical_cidr(client).is_none()) {
            return None;
        }
        let answers: Vec<String> =
            question.clients.iter().map(|client| format!("{flag} {client}")).collect();
        Some(format!("{} {}", self.command()?, answers.join(" ")))
    }
}

impl SurveyReport {
    /// The window that peaks are of, in seconds.
    #[must_use]
    pub fn window(&self) -> u32 {
        let analysed = self.groups.iter().find_map(|group| group.analysis.as_ref());
        analysed.map_or(Window::default().seconds(), |route| route.proposal.window)
    }

    /// Whether some network takes more than any of its addresses.
    #[must_use]
    pub fn has_busier_networks(&self) -> bool {
        self.groups.iter().any(|group| group.peak_slash64 > group.peak)
    }
}

impl SurveyReport {
    pub(super) fn new(survey: &Survey, hours: usize, words: &dyn Words) -> Self {
        let groups = survey.groups.iter().map(|group| GroupReport {
            title: group.title.clone(),
            route: group.route.as_ref().map(ToString::to_string),
            requests: group.requests,
            clients: group.clients,
            peak: group.peak,
            peak_slash64: group.peak_slash64,
            busiest: group.busiest.to_string(),
            advice: advice(group.advice),
            analysis: (group.analysis.as_ref())
                .map(|(profile, proposal)| RouteReport::new(profile, proposal, hours, words)),
        });
        let groups: Vec<_> = groups.collect();
        Self {
            warnings: of_the_log(&groups),
            groups,
            more_groups: survey.more_groups,
            more_requests: survey.more_requests,
        }
    }
}

const fn advice(advice: Advice) -> &'static str {
    match advice {
        Advice::Look => "look",
        Advice::Webhook => "webhook",
        Advice::HealthCheck => "health-check",
        Advice::StaticAsset => "static-asset",
    }
}
