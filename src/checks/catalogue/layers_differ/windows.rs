//! What clients are told: the limit's name and window in `RateLimit-Policy`.

use super::Difference;
use crate::checks::layers::{Outer, Site};
use crate::policy::{Answer, Policy};

/// How windows that clients are told behind a rule differ from its own.
pub(super) fn behind(site: &Site<'_>, outer: &Outer<'_>, name: &str) -> Vec<Difference> {
    let own = outer.rate.window().filter(|_| site.policy.response.tells_policy);
    let Some(own) = own else { return Vec::new() };
    let edge = site.edge(name).and(site.policy.layers.edge.as_ref());
    let edge = edge.map(|edge| ("the edge".to_owned(), vec![edge.window]));
    let told = edge.into_iter().chain(application(site.policy, name));
    let other = told.filter(|(_, windows)| windows.iter().all(|one| i64::from(*one) != own));
    other
        .map(|(who, windows)| {
            let what = format!(
                "tells clients a window of {own} seconds, and {who} one of {} for the same route",
                in_words(&windows)
            );
            (what, "give both one window, or leave `rate_limit_policy` out of AWS WAF's response")
        })
        .collect()
}

/// How the windows differ that edge and application tell.
pub(super) fn inside(site: &Site<'_>, name: &str) -> Vec<Difference> {
    let edge = site.edge(name).and(site.policy.layers.edge.as_ref());
    let Some(edge) = edge else { return Vec::new() };
    application(site.policy, name)
        .into_iter()
        .filter(|(_, windows)| !windows.contains(&edge.window))
        .map(|(who, windows)| {
            let what = format!(
                "the edge tells clients a window of {} seconds for `{name}`, and {who} one of {}: the edge's headers \
                 take the place of the application's",
                edge.window,
                in_words(&windows)
            );
            (what, "give both one window, or the application's limit a name of its own")
        })
        .collect()
}

/// Who tells windows inside the application, and which, in seconds; nobody does where the answer is silent.
fn application(policy: &Policy, name: &str) -> Option<(String, Vec<u32>)> {
    let app = &policy.layers.app;
    let mut table = app.dynamodb.iter().flat_map(|table| &table.limits);
    if let Some(one) = table.find(|one| one.name == name) {
        return Some(("the application's limit".to_owned(), vec![one.window]));
    }
    let mut scenarios = app.redis.iter().flat_map(|redis| &redis.scenarios);
    let scenario = scenarios.find(|one| one.name == name && one.answer == Answer::Refuse)?;
    let windows = scenario.dimensions.iter().map(|one| one.window).collect();
    Some(("the application's scenario".to_owned(), windows))
}

fn in_words(windows: &[u32]) -> String {
    let words: Vec<String> = windows.iter().map(u32::to_string).collect();
    words.join(" or ")
}
