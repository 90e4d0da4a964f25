//! Groups of requests, ranked by what one client takes of them.

use schemars::JsonSchema;
use serde::Serialize;

use super::route::RouteReport;
use crate::report::Words;
use crate::survey::{Advice, Survey};

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
    /// Most requests of one client in any 300 s.
    pub peak: u32,
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
    /// By peak, highest first, at most 100.
    pub groups: Vec<GroupReport>,
    /// Groups that are not listed.
    pub more_groups: u64,
    /// Requests of those.
    pub more_requests: u64,
}

impl SurveyReport {
    pub(super) fn new(survey: &Survey, words: &dyn Words) -> Self {
        let groups = survey.groups.iter().map(|group| GroupReport {
            title: group.title.clone(),
            route: group.route.as_ref().map(ToString::to_string),
            requests: group.requests,
            clients: group.clients,
            peak: group.peak,
            busiest: group.busiest.to_string(),
            advice: advice(group.advice),
            analysis: (group.analysis.as_ref())
                .map(|(profile, proposal)| RouteReport::new(profile, proposal, words)),
        });
        Self {
            groups: groups.collect(),
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
