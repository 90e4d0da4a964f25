//! Which routes are worth a rule: groups of method and path, ranked by what one client takes of them.

mod advice;
mod build;
mod rank;

pub use build::{ANALYSED, LISTED, survey};

use crate::profile::RouteProfile;
use crate::proposal::RouteProposal;
use crate::rules::Route;
use crate::units::Client;

/// What to do about a group of requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Advice {
    /// Worth a look, perhaps a rule.
    Look,
    /// A webhook: its sender is one machine that has to pass.
    Webhook,
    /// A health check.
    HealthCheck,
    /// A static asset: cheap, cached, asked for in bursts by every page.
    StaticAsset,
}

/// One group of requests: a method and a path with ids and hashes folded to a placeholder.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The route that would protect it; `None` where no statement can tell these requests from others.
    pub route: Option<Route>,
    /// How it reads: `GET /users/{id}/orders`.
    pub title: String,
    /// Requests.
    pub requests: u64,
    /// Distinct clients.
    pub clients: u64,
    /// Largest sliding peak of one client in the survey's window.
    pub peak: u32,
    /// The same of one IPv6 network of 64 bits, if that is more; else equal to `peak`.
    pub peak_slash64: u32,
    /// Whose `peak` is.
    pub busiest: Client,
    /// What to do.
    pub advice: Advice,
    /// For the first ten groups worth a look: the whole analysis.
    pub analysis: Option<(RouteProfile, RouteProposal)>,
}

/// The survey of all that was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Survey {
    /// By `peak_slash64`, highest first, ties by title; at most 100.
    pub groups: Vec<Group>,
    /// Groups that are not listed.
    pub more_groups: u64,
    /// Requests of those.
    pub more_requests: u64,
}
