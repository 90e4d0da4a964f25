//! Who a client seems to be, from its own columns.

use crate::profile::{ClientProfile, Label};
use crate::proposal::result::Proposal;
use crate::proposal::signs::RUNAWAY;
use crate::units::{count, percent, plain, thousands};

/// Who the client at `place` of the list the proposal was made from seems to be, in a few words:
/// its label, else its habit, else what its signs say.
///
/// # Panics
/// If `clients` is not the list that the proposal was made from.
#[must_use]
pub fn head(proposal: &Proposal, clients: &[ClientProfile], place: usize) -> String {
    let client = &clients[place];
    if let Some(labelled) = &client.label {
        let label = match labelled.label {
            Label::Exempt => "exempt",
            Label::Good => "good",
            Label::Bad => "bad",
        };
        return format!("labelled {label} ({})", plain(&labelled.network));
    }
    let words = if proposal.established[place] {
        if client.browser() < 0.5 {
            "a habit: looks like a machine that belongs here"
        } else {
            "a habit: looks like people at a busy address"
        }
    } else if proposal.shared[place] {
        "looks shared"
    } else if !client.known {
        "behaviour not known"
    } else {
        match proposal.signs[place] {
            0 if client.peak(proposal.window) <= proposal.ordinary_peak => "looks like a visitor",
            0 => "an outlier that looks like a visitor",
            1 => "one sign of a runaway",
            RUNAWAY.. => "looks like a runaway",
        }
    };
    words.to_owned()
}

/// What the head rests on: habits and signs. Empty if nothing is known.
///
/// # Panics
/// If `clients` is not the list that the proposal was made from.
#[must_use]
pub fn details(proposal: &Proposal, clients: &[ClientProfile], place: usize) -> String {
    let client = &clients[place];
    let mut parts = Vec::new();
    if client.known {
        parts.push(habit(proposal, client));
    }
    if proposal.shared[place] {
        parts.push(agents(client));
    }
    let signs: Vec<&str> =
        proposal.sign_sets[place].iter().map(crate::proposal::Sign::in_words).collect();
    if !signs.is_empty() {
        parts.push(signs.join(", "));
    } else if !client.known && client.errors > 0 {
        parts.push(format!("{} of its requests answered 4xx", percent(client.share_4xx())));
    }
    parts.join("; ")
}

/// The whole sentence about a client: peak, head and details.
///
/// # Panics
/// If `clients` is not the list that the proposal was made from.
#[must_use]
pub fn sentence(proposal: &Proposal, clients: &[ClientProfile], place: usize) -> String {
    let peak = thousands(u64::from(clients[place].peak(proposal.window)));
    let head = head(proposal, clients, place);
    let details = details(proposal, clients, place);
    let comma = if details.is_empty() { "" } else { "; " };
    format!("peak {peak}: {head}{comma}{details}")
}

/// `near its peak on 5 of 7 days`.
pub(super) fn near_days(proposal: &Proposal, client: &ClientProfile) -> String {
    let near = client.habits[proposal.window.index()].near_days;
    match proposal.days {
        0 => format!("near its peak on {}", count(near.into(), "day", "days")),
        days => format!(
            "near its peak on {} of {}",
            thousands(near.into()),
            count(days.into(), "day", "days")
        ),
    }
}

/// `there in 52 hours`.
pub(super) fn hours(client: &ClientProfile) -> String {
    format!("there in {}", count(client.hours.into(), "hour", "hours"))
}

fn habit(proposal: &Proposal, client: &ClientProfile) -> String {
    let middle = client.habits[proposal.window.index()].middle;
    format!(
        "{}, {}, half of its busy windows at {} or under",
        near_days(proposal, client),
        hours(client),
        thousands(middle.into())
    )
}

fn agents(client: &ClientProfile) -> String {
    count(client.agents.into(), "user agent", "user agents")
}
