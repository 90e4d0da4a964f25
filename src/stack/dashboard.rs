//! A CloudWatch dashboard: what the rules did.

use super::Given;
use super::acl::Acl;
use super::alarms::{WafMetric, metric};
use crate::rules::Action;

/// A dashboard with one graph for each kind of thing that rules do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dashboard {
    /// Its name.
    pub name: String,
    /// From the top, each as wide as the page.
    pub graphs: Vec<Graph>,
}

/// A graph of the sum a minute, one line a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// What it shows.
    pub title: String,
    /// The Region of the metrics.
    pub region: String,
    /// Seconds between two points.
    pub period: u32,
    /// The lines, each with its name.
    pub metrics: Vec<(String, WafMetric)>,
}

impl Graph {
    /// Columns of a graph, of the 24 that a dashboard has.
    pub const WIDTH: u32 = 24;
    /// Rows of a graph.
    pub const HEIGHT: u32 = 6;
}

/// WAF sends a figure a minute.
const PERIOD: u32 = 60;

pub(super) fn build(given: &Given<'_>, acl: &Acl) -> Option<Dashboard> {
    // AWS refuses a dashboard without anything on it.
    if !given.set.around.dashboard || given.rules.is_empty() {
        return None;
    }
    let kinds = [
        (Action::Block, "Blocked requests"),
        (Action::Count, "Counted requests: over the limit of a rule that stops nobody"),
        (Action::Challenge, "Challenged requests"),
        (Action::Captcha, "Requests given a CAPTCHA"),
    ];
    let graphs = kinds
        .into_iter()
        .filter_map(|(action, title)| {
            let rules = given.rules.iter().filter(|rule| rule.action == action);
            let metrics: Vec<(String, WafMetric)> =
                rules.map(|rule| (rule.name.clone(), metric(given, acl, rule))).collect();
            (!metrics.is_empty()).then(|| Graph {
                title: title.to_owned(),
                region: given.home.region.clone(),
                period: PERIOD,
                metrics,
            })
        })
        .collect();
    Some(Dashboard { name: format!("{}-limits", given.set.name), graphs })
}
