//! The view model: what every form of a report says, and the shape of the JSON.
//!
//! The doc comments of the members are the descriptions in the JSON Schema and in
//! `docs/json-output.md`.

mod client;
mod coverage;
mod explain;
mod number;
mod picture;
mod pinned;
mod placement;
mod proposal;
mod replay;
mod route;
mod rule;
mod survey;
mod traffic;

use schemars::JsonSchema;
use serde::Serialize;

pub(super) use replay::GRID;
pub(super) use rule::requests_in_words;

use super::{Analysis, Words};

pub use client::{ClientColumns, Labelled, TopClient};
pub use coverage::CoverageReport;
pub use explain::{
    AroundReport, BusiestReport, CellOfTime, ExplainReport, NetworkReport, ShareOfRequests,
    TallyReport,
};
pub use picture::{Bin, DAYS, Day, Dot, Kind, Picture, Step};
pub use pinned::Pinned;
pub use placement::{
    BillReport, PlaceReport, PlacedReport, PlacementReport, PostReport, SparedReport,
};
pub use proposal::{CapReport, LadderStep, Peak, ProposalReport, QuestionReport};
pub use replay::{
    CellReport, DayReport, GridRow, LimitedReport, NearReport, NotReplayedReport, ReplayReport,
    ReplayedRule,
};
pub use route::{Quantiles, RouteReport, Slash64Report, SumOfPeaks, WarningReport};
pub use rule::{ActedOnReport, ExpectedReport, RuleReport};
pub use survey::{GroupReport, SurveyReport};
pub use traffic::{MethodShare, Share, Spellings, TrafficReport};

/// The version of the JSON. Members may be added without a new one; a member that goes or changes its
/// meaning raises it.
pub const VERSION: u32 = 1;

/// The whole answer of `ratewaf analyze --format json`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "report")]
pub struct Report {
    /// Version of this format: 1.
    pub version: u32,
    /// What was read.
    pub coverage: CoverageReport,
    /// The routes that were asked for, in the order of asking; empty for a survey.
    pub routes: Vec<RouteReport>,
    /// The groups of requests found where no route was asked for, else null.
    pub survey: Option<SurveyReport>,
    /// What the rules of the web ACL did, by name, where the logs are AWS WAF logs, else null.
    pub rules: Option<Vec<RuleReport>>,
}

impl Report {
    /// The view of an analysis.
    #[must_use]
    pub fn new(analysis: &Analysis, words: &dyn Words) -> Self {
        let hours = analysis.coverage.hours.len();
        let routes: Vec<_> = analysis
            .routes
            .iter()
            .map(|route| RouteReport {
                pinned: Pinned::new(route),
                ..RouteReport::new(&route.profile, &route.proposal, hours, words)
            })
            .collect();
        Self {
            version: VERSION,
            coverage: CoverageReport::new(analysis),
            routes,
            rules: (analysis.rules.as_ref())
                .map(|rules| rules.iter().map(RuleReport::new).collect()),
            survey: analysis.survey.as_ref().map(|survey| SurveyReport::new(survey, hours, words)),
        }
    }
}
