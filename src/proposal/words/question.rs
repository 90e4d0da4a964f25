//! Questions with names, and the limit that follows from a yes.

use super::client::{hours, near_days};
use super::{by_figure, some_of};
use crate::profile::{ClientProfile, Label};
use crate::proposal::result::{Proposal, Question, QuestionKind};
use crate::proposal::signs::RUNAWAY;
use crate::units::{Client, count, plain, plural, rate_in_words, thousands};

/// Clients that a question names; the rest is counted.
const NAMED: usize = 3;

/// A question of a proposal in one or two sentences, with names and the limit that would follow.
///
/// # Panics
/// If `clients` is not the list that the proposal was made from.
#[must_use]
pub fn question_in_words(
    question: &Question,
    proposal: &Proposal,
    clients: &[ClientProfile],
) -> String {
    let peak = |client: &ClientProfile| client.peak(proposal.window);
    let places = by_figure(clients, question.clients.iter().copied(), peak);
    let many = question.number_of_clients();
    let names = places.iter().map(|&place| named(question.kind, proposal, &clients[place]));
    let names = some_of(names, question.more, NAMED);
    let limit = format!(
        "the limit would then be {} per {} ({}).",
        thousands(question.limit.requests().into()),
        proposal.window,
        rate_in_words(question.limit, proposal.window)
    );
    let answer = |condition: &str, verb: &str, flag: &str| match flags(&places, clients, flag) {
        Some(flags) => format!("{condition}, {verb} {flags}; {limit}"),
        None => format!("{condition}, {limit}"),
    };
    let unwanted =
        || answer(plural(many, "If it is unwanted", "If they are unwanted"), "say", "--bad");
    match question.kind {
        QuestionKind::Exempt => format!(
            "{names} {} in the way of a gap{}. {}",
            plural(many, "stands", "stand"),
            runaways_below(proposal, clients, &places),
            answer(
                plural(many, "If it has to pass", "If they have to pass"),
                plural(
                    many,
                    "give it a rule of its own with",
                    "give them a rule of their own with",
                ),
                "--exempt",
            ),
        ),
        QuestionKind::Regular => format!(
            "{names} {} coming and {} like {}; a partner's job looks exactly like that. {}",
            plural(many, "keeps", "keep"),
            plural(many, "looks", "look"),
            plural(many, "a machine", "machines"),
            unwanted(),
        ),
        QuestionKind::Unwanted => format!(
            "{names} {} apart from the clients below, which proves nothing by itself. {}",
            plural(many, "stands", "stand"),
            unwanted(),
        ),
    }
}

/// `--bad 203.0.113.7`: the flags of the busiest clients, three at most, ready to be typed. A client
/// that is no address, such as a mask, cannot be named; `None` if there are only such.
fn flags(places: &[usize], clients: &[ClientProfile], flag: &str) -> Option<String> {
    let named = |&&place: &&usize| !matches!(clients[place].client, Client::Text(_));
    let flags: Vec<String> = (places.iter().filter(named).take(NAMED))
        .map(|&place| format!("{flag} {}", clients[place].client))
        .collect();
    let more = places.len() - flags.len();
    match flags.len() {
        0 => None,
        _ if more == 0 => Some(flags.join(" ")),
        _ => Some(format!(
            "{} and so on for the other{}",
            flags.join(" "),
            if more == 1 { String::new() } else { format!(" {}", thousands(more as u64)) }
        )),
    }
}

/// `203.0.113.7 (peak 500, near its peak on 7 of 7 days)`: what matters for the kind of question.
fn named(kind: QuestionKind, proposal: &Proposal, client: &ClientProfile) -> String {
    let mut facts = vec![format!("peak {}", thousands(client.peak(proposal.window).into()))];
    if client.known && kind != QuestionKind::Unwanted {
        facts.push(near_days(proposal, client));
        facts.push(hours(client));
    }
    format!("{} ({})", plain(&client.client.to_string()), facts.join(", "))
}

/// Whom the busiest of the clients in the way hides.
fn runaways_below(proposal: &Proposal, clients: &[ClientProfile], places: &[usize]) -> String {
    let peak = |place: usize| clients[place].peak(proposal.window);
    let Some(highest) = places.iter().map(|&place| peak(place)).max() else {
        return String::new();
    };
    let exempt = |place: usize| clients[place].is_labelled(Label::Exempt);
    let runaways = (0..clients.len())
        .filter(|&place| proposal.signs[place] >= RUNAWAY && !proposal.established[place])
        .filter(|&place| !exempt(place) && peak(place) < highest && !places.contains(&place))
        .count() as u64;
    if runaways == 0 {
        return String::new();
    }
    format!(
        ", above {} that {} like {}",
        count(runaways, "client", "clients"),
        plural(runaways, "looks", "look"),
        plural(runaways, "a runaway", "runaways"),
    )
}
