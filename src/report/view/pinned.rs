//! A limit that the policy pins, held against the logs.

use schemars::JsonSchema;
use serde::Serialize;

use crate::profile::{ClientProfile, Label};
use crate::report::RouteAnalysis;
use crate::units::{count, plain, thousands};

/// The limit that is in force whatever the logs propose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "pinned")]
pub struct Pinned {
    /// Requests per window, from the policy.
    pub limit: u32,
    /// Clients of these logs above it, exempt ones left out.
    pub clients_above: usize,
    /// Networks that have to pass but have a client above it.
    pub good_above: Vec<String>,
}

impl Pinned {
    pub(super) fn new(route: &RouteAnalysis) -> Option<Self> {
        let limit = route.pinned?.requests();
        let profile = &route.profile;
        let above = profile.clients.iter().filter(|client| client.peak(profile.window) > limit);
        let above: Vec<&ClientProfile> =
            above.filter(|client| !client.is_labelled(Label::Exempt)).collect();
        let good = above.iter().filter(|client| client.is_labelled(Label::Good));
        let mut good_above: Vec<String> =
            good.filter_map(|client| Some(client.label.as_ref()?.network.clone())).collect();
        good_above.sort();
        good_above.dedup();
        Some(Self { limit, clients_above: above.len(), good_above })
    }

    /// What it does to the clients of these logs.
    pub fn in_words(&self) -> String {
        let mut text = format!(
            "{} in the policy, in force whatever is proposed: {} of these logs above it",
            thousands(self.limit.into()),
            count(self.clients_above as u64, "client", "clients")
        );
        if !self.good_above.is_empty() {
            let names: Vec<_> = self.good_above.iter().map(|name| plain(name)).collect();
            text.push_str(&format!(", among them {}, which has to pass", names.join(", ")));
        }
        text
    }
}
