//! What of a proposal goes into the lock: figures and sentences, no addresses in any text.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::{Grade, Proposal, RouteProposal, headline, twin_floor};
use crate::counts::Coverage;
use crate::policy::{
    self, Inputs, LockCap, LockQuestion, LockRoute, LockWarning, NearMisses, Peak,
};
use crate::profile::{ClientProfile, Label, RouteProfile, at_rank, ranked};
use crate::rules::{Network, NetworkKind, without_addresses};
use crate::units::Window;

/// The method, as the lock names it.
pub const METHOD: &str = "tail-gap+behaviour/2";

/// Near misses kept to each side.
const NEAR: usize = 5;

/// What was read, for the lock, and the networks that labels came from.
#[must_use]
pub fn lock_inputs(coverage: &Coverage, networks: &[Network]) -> Inputs {
    let skipped = coverage.skipped.iter();
    Inputs {
        digest: format!("{:016x}", coverage.digest as u64),
        from: coverage.period.from,
        to: coverage.period.to,
        lines: coverage.lines,
        first: coverage.first,
        last: coverage.last,
        days: coverage.days(),
        hours: coverage.hours.len() as u64,
        missing_hours: coverage.missing_hours(),
        skipped: skipped.map(|(reason, skip)| ((*reason).to_owned(), skip.lines)).collect(),
        networks: Some(policy::lock_networks(networks)),
    }
}

/// What the logs said about one route, for the lock. Tester networks that called it get the floor of a
/// twin's limit each.
#[must_use]
pub fn lock_route(
    profile: &RouteProfile,
    found: &RouteProposal,
    networks: &[Network],
) -> LockRoute {
    let proposal = &found.proposal;
    let exempt_peaks = busiest_peaks(profile, Label::Exempt);
    // The main rule's figures are about those whom it counts.
    let counted = || profile.everybody().filter(|(client, _)| !client.is_labelled(Label::Exempt));
    let testers = networks.iter().filter(|network| network.kind == NetworkKind::Tester);
    let twin_floors = testers
        .filter_map(|tester| {
            let peak = *exempt_peaks.get(&tester.name)?;
            Some((tester.name.clone(), twin_floor(peak, profile.window)))
        })
        .collect();
    LockRoute {
        name: profile.route.name.clone(),
        route: policy::route_text(&profile.route),
        spelling: profile.route.spelling,
        window: profile.window,
        clients: counted().map(|(_, number)| u64::from(number)).sum(),
        requests: counted()
            .map(|(client, number)| u64::from(client.requests) * u64::from(number))
            .sum(),
        distribution: distribution(counted),
        grade: locked_grade(proposal.grade),
        limit: proposal.limit,
        reason: proposal.reason.map(|reason| reason.as_str().to_owned()).unwrap_or_default(),
        ceiling: proposal.ceiling,
        lower: proposal.lower,
        upper: proposal.upper,
        headroom: proposal.headroom,
        margin: proposal.margin,
        evidence: proposal.evidence,
        range: proposal.range,
        clients_above_cut: proposal.clients_above_cut as u64,
        share_above: proposal.share_above,
        sentence: headline(proposal, &profile.route),
        near_misses: near_misses(profile, proposal),
        exempt_peaks,
        twin_floors,
        good_peaks: busiest_peaks(profile, Label::Good),
        questions: proposal
            .questions
            .iter()
            .map(|question| LockQuestion {
                kind: question.kind.as_str().to_owned(),
                clients: question.number_of_clients(),
                limit: question.limit,
            })
            .collect(),
        warnings: found
            .warnings
            .iter()
            .map(|warning| LockWarning {
                id: warning.id.to_owned(),
                text: without_addresses(&warning.text),
            })
            .collect(),
        caps: proposal
            .caps
            .iter()
            .map(|cap| LockCap {
                id: cap.id().to_owned(),
                grade: locked_grade(cap.grade()),
                text: cap.in_words(),
            })
            .collect(),
    }
}

const fn locked_grade(grade: Grade) -> policy::Grade {
    match grade {
        Grade::Clear => policy::Grade::Clear,
        Grade::Weak => policy::Grade::Weak,
        Grade::None => policy::Grade::None,
    }
}

/// The busiest peak of each network that gave a label.
fn busiest_peaks(profile: &RouteProfile, wanted: Label) -> BTreeMap<String, u32> {
    let mut peaks = BTreeMap::new();
    for client in &profile.clients {
        if let Some(labelled) = client.label.as_ref().filter(|own| own.label == wanted) {
            let peak = peaks.entry(labelled.network.clone()).or_default();
            *peak = client.peak(profile.window).max(*peak);
        }
    }
    peaks
}

fn near_misses(profile: &RouteProfile, proposal: &Proposal) -> NearMisses {
    let peak = |&place: &usize| {
        let client = &profile.clients[place];
        Peak { client: Some(client.client.to_string()), peak: client.peak(profile.window) }
    };
    NearMisses {
        below: proposal.below.iter().take(NEAR).map(peak).collect(),
        above: proposal.above.iter().rev().take(NEAR).map(peak).collect(),
    }
}

fn distribution<'a, I>(clients: impl Fn() -> I) -> BTreeMap<u32, policy::Peaks>
where
    I: Iterator<Item = (Cow<'a, ClientProfile>, u32)>,
{
    let of = |column: &dyn Fn(&ClientProfile) -> u32| {
        quantiles(clients().map(|(client, number)| (column(&client), u64::from(number))))
    };
    Window::ALL
        .into_iter()
        .map(|window| {
            let place = window.index();
            let peaks = policy::Peaks {
                sliding: of(&|client| client.sliding[place]),
                clock: of(&|client| client.clock[place]),
            };
            (window.seconds(), peaks)
        })
        .collect()
}

/// The value at rank `ceil(share * n)`, of values each with their number.
fn quantiles(values: impl Iterator<Item = (u32, u64)>) -> policy::Quantiles {
    let (ranked, all) = ranked(values);
    let at = |hundredths: u64| at_rank(&ranked, (all * hundredths).div_ceil(100));
    policy::Quantiles { p50: at(50), p90: at(90), p99: at(99), max: at(100) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_values_at_ranks() {
        let found = quantiles((1..=200).map(|value| (value, 1)));
        assert_eq!((found.p50, found.p90, found.p99, found.max), (100, 180, 198, 200));
        assert_eq!(quantiles(std::iter::empty()), policy::Quantiles::default());
        let found = quantiles([(7, 1), (1, 989), (2, 10)].into_iter());
        assert_eq!((found.p50, found.p90, found.p99, found.max), (1, 1, 2, 7));
    }
}
