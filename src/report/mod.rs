//! How an analysis is told: terminal text, Markdown, JSON, charts and a page, all from one view model.
//!
//! Pure: no I/O, no clock. Whatever comes from a log is escaped for the form it is written in.

mod chart;
mod drift;
mod explained;
mod html;
mod json;
mod markdown;
mod markup;
mod placement;
mod replay;
mod shorten;
mod text;
pub mod view;
mod words;

use crate::counts::Coverage;
use crate::enforcement::RuleRecord;
use crate::profile::RouteProfile;
use crate::proposal::RouteProposal;
use crate::survey::Survey;
use crate::units::Limit;

pub use chart::svg_files;
#[cfg(feature = "png")]
pub use chart::{PngError, png};
pub use drift::{Drift, DriftOf, drift};
pub use explained::{explain_json, explain_schema};
pub use html::html;
pub use json::{json, schema};
pub use markdown::{markdown, placement as placement_markdown, replay as replay_markdown};
pub use placement::{placement_json, placement_schema};
pub use replay::{Replay, replay_json, replay_schema};
pub use text::{
    Style, explain as explain_text, placement as placement_text, replay as replay_text, text,
};
pub use words::{ProposalWords, Subject, Words};

/// Everything one `analyze` found out: named routes, or a survey.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Analysis {
    /// What was read.
    pub coverage: Coverage,
    /// The routes that were asked for, in the order of asking.
    pub routes: Vec<RouteAnalysis>,
    /// The survey, where no route was asked for.
    pub survey: Option<Survey>,
    /// What the rules of a web ACL did, by name; `None` where the logs do not tell.
    pub rules: Option<Vec<RuleRecord>>,
    /// What came of it that `emit` reads.
    pub kept: Kept,
}

/// What of an analysis `emit` will read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Kept {
    /// Policy and lock say it.
    #[default]
    Written,
    /// Nothing, because of --no-write.
    NotWritten,
    /// Nothing, because the policy does not have it yet.
    Missing {
        /// The policy's file, as it was named.
        policy: String,
        /// What to add to it: YAML.
        yaml: String,
    },
}

/// One route: who called it and the limit that follows.
#[derive(Clone, Debug, PartialEq)]
pub struct RouteAnalysis {
    /// Who called it, how hard.
    pub profile: RouteProfile,
    /// The limit and its reasons.
    pub proposal: RouteProposal,
    /// The limit that the policy pins instead.
    pub pinned: Option<Limit>,
}
