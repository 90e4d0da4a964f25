//! How far this week is from the one that a lock remembers: whether the limit in force still lies between
//! the busiest normal client and the weakest abusive one.

use super::{Analysis, RouteAnalysis};
use crate::policy::{Lock, LockRoute, route_text};
use crate::profile::Label;
use crate::units::{Limit, percent, ratio, thousands};

/// Normal clients that come so close to the limit have no room for a busy day.
const NEAR: f64 = 0.7;
/// A gap that lost more than this share of its width (as a ratio) is closing.
const CLOSING: f64 = 0.75;

/// What changed, route by route.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drift {
    /// In the order of the analysis.
    pub routes: Vec<DriftOf>,
}

/// What changed for one route.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DriftOf {
    /// The route as written.
    pub route: String,
    /// What somebody has to look at; empty if all is well.
    pub findings: Vec<Finding>,
    /// The old week beside the new one.
    pub summary: String,
}

/// One thing to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// `over-the-limit`, `near-the-limit`, `under-the-limit`, `gap-closing`, `no-gap`, `not-in-lock` or
    /// `not-in-logs`: a promise to scripts.
    pub id: &'static str,
    /// In words.
    pub text: String,
}

/// Compares an analysis with an older lock. The limit in force is the policy's pinned one, else the
/// lock's.
#[must_use]
pub fn drift(analysis: &Analysis, old: &Lock) -> Drift {
    Drift { routes: analysis.routes.iter().map(|route| of(route, old)).collect() }
}

impl Drift {
    /// Whether anything has to be looked at.
    #[must_use]
    pub fn has_findings(&self) -> bool {
        self.routes.iter().any(|route| !route.findings.is_empty())
    }

    pub(super) fn of(&self, route: &str) -> Option<&DriftOf> {
        self.routes.iter().find(|own| own.route == route)
    }
}

fn of(new: &RouteAnalysis, lock: &Lock) -> DriftOf {
    let route = new.profile.route.to_string();
    let text = route_text(&new.profile.route);
    let old = lock.routes.iter().find(|old| old.route == text && old.window == new.profile.window);
    let mut findings = Vec::new();
    let mut find = |id, text| findings.push(Finding { id, text });
    let summary = match old {
        None => {
            find("not-in-lock", "the lock knows no such route with this window".to_owned());
            "nothing to compare with".to_owned()
        }
        Some(_) if new.profile.requests == 0 => {
            find("not-in-logs", "nobody called it".to_owned());
            "nothing to compare".to_owned()
        }
        Some(old) => {
            compare(new, old, &mut find);
            summary(new, old)
        }
    };
    DriftOf { route, findings, summary }
}

fn compare(new: &RouteAnalysis, old: &LockRoute, find: &mut impl FnMut(&'static str, String)) {
    let proposal = &new.proposal.proposal;
    if old.limit.is_some() && proposal.limit.is_none() && above(new, old.limit) > 0 {
        let reason = proposal.reason.map_or("no gap", |reason| reason.as_str());
        find("no-gap", format!("these logs give no limit any more: {reason}"));
    }
    if let (Some(before), Some(now)) =
        (gap(old.lower, old.upper), gap(proposal.lower, proposal.upper))
        && now < before * CLOSING
    {
        find("gap-closing", format!("the gap was {} wide and is {}", ratio(before), ratio(now)));
    }
    let Some(limit) = new.pinned.or(old.limit) else { return };
    let number = limit.requests();
    if let Some(busiest) = busiest_normal(new) {
        let words = thousands(busiest.into());
        let limit = thousands(number.into());
        if busiest > number {
            find(
                "over-the-limit",
                format!(
                    "the busiest client that is not above a gap came to {words}, the limit is {limit}"
                ),
            );
        } else if f64::from(busiest) >= NEAR * f64::from(number) {
            let share = percent(f64::from(busiest) / f64::from(number));
            find(
                "near-the-limit",
                format!(
                    "the busiest client that is not above a gap came to {words}, {share} of the limit {limit}"
                ),
            );
        }
    }
    if let Some(weakest) = proposal.upper.filter(|upper| *upper <= number) {
        find(
            "under-the-limit",
            format!(
                "the weakest abusive client came to {} only, and the limit {} lets it through",
                thousands(weakest.into()),
                thousands(number.into())
            ),
        );
    }
}

/// The busiest below the gap or called good; where there is no gap, the busiest of all.
fn busiest_normal(new: &RouteAnalysis) -> Option<u32> {
    let (profile, proposal) = (&new.profile, &new.proposal.proposal);
    let counted = profile.clients.iter().filter(|client| !client.is_labelled(Label::Exempt));
    let normal = counted.filter(|client| {
        client.is_labelled(Label::Good)
            || (!client.is_labelled(Label::Bad)
                && proposal.lower.is_none_or(|lower| client.peak(profile.window) <= lower))
    });
    normal.map(|client| client.peak(profile.window)).max()
}

/// Clients above a limit, testers left out.
fn above(new: &RouteAnalysis, limit: Option<Limit>) -> usize {
    let Some(limit) = limit else { return 0 };
    let clients = new.profile.clients.iter().filter(|client| !client.is_labelled(Label::Exempt));
    clients.filter(|client| client.peak(new.profile.window) > limit.requests()).count()
}

/// How wide a gap is.
fn gap(lower: Option<u32>, upper: Option<u32>) -> Option<f64> {
    Some(f64::from(upper?) / f64::from(lower?.max(1)))
}

/// `limit 300; busiest normal client 180 before, 190 now; weakest abusive one 468 before, 500 now`.
fn summary(new: &RouteAnalysis, old: &LockRoute) -> String {
    let proposal = &new.proposal.proposal;
    let number =
        |value: Option<u32>| value.map_or("none".to_owned(), |value| thousands(value.into()));
    let in_force = new.pinned.or(old.limit).map(Limit::requests);
    let is_pinned = if new.pinned.is_some() { " (pinned)" } else { "" };
    format!(
        "limit in force {}{is_pinned}, these logs propose {}; largest peak below the gap {} before, {} now; smallest above it {} before, {} now",
        number(in_force),
        number(proposal.limit.map(Limit::requests)),
        number(old.lower),
        number(proposal.lower),
        number(old.upper),
        number(proposal.upper),
    )
}
