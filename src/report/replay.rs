//! How a replay is told: terminal text, Markdown and JSON, all from one view model.

use super::json::{pretty, schema_of};
use super::view::ReplayReport;
use crate::counts::Coverage;
use crate::limiters::Algorithm;
use crate::replay::{NotReplayed, Replayed};
use crate::rules::Network;
use crate::units::plain_json;

/// Everything one `replay` found out.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    /// What was read.
    pub coverage: Coverage,
    /// As which limiter.
    pub algorithm: Algorithm,
    /// Seconds until AWS WAF knows of a request.
    pub lag: u32,
    /// Whose addresses have names.
    pub networks: Vec<Network>,
    /// The rules, in the order in which requests meet them.
    pub rules: Vec<Replayed>,
    /// Rules that were left out, by name.
    pub left_out: Vec<(String, NotReplayed)>,
}

/// The replay as JSON, with a line break at the end. Equal replays give equal bytes, and no control
/// character but the line breaks stands in it.
#[must_use]
pub fn replay_json(replay: &Replay) -> String {
    plain_json(&pretty(&ReplayReport::new(replay)))
}

/// The JSON Schema (draft 2020-12) of [`replay_json`], with a line break at the end.
#[must_use]
pub fn replay_schema() -> String {
    schema_of::<ReplayReport>("What ratewaf replay --format json prints")
}
