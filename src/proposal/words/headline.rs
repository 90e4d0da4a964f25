//! The sentence that comes first, and the figures in it.

use crate::proposal::caps::Cap;
use crate::proposal::gap::{ENOUGH_EVIDENCE, LABEL_WEIGHT, SMALL_LIST, SMALL_LIST_RATIO};
use crate::proposal::result::{Grade, Proposal, QuestionKind, Reason};
use crate::proposal::weakness::Weakness;
use crate::rules::Route;
use crate::units::{Limit, Window, count, plain, plural, rate_in_words, ratio, thousands};

/// The sentence to begin with: the limit with its room to both sides, or why there is none, what
/// could be decided, and the ceiling.
#[must_use]
pub fn headline(proposal: &Proposal, route: &Route) -> String {
    match (proposal.limit, proposal.lower, proposal.upper) {
        (Some(limit), Some(lower), Some(upper)) => {
            let above = if proposal.grade == Grade::Clear {
                "the weakest abusive one"
            } else {
                // Weak: who is above may still be a visitor.
                "the weakest one above it"
            };
            format!(
                "{}: {} above the busiest normal client ({}), {} below {above} ({}){}",
                limit_in_words(limit, proposal.window),
                ratio(proposal.headroom.unwrap_or(f64::NAN)),
                thousands(lower.into()),
                ratio(proposal.margin.unwrap_or(f64::NAN)),
                thousands(upper.into()),
                why_weak(proposal),
            )
        }
        _ => without_limit(proposal, route),
    }
}

/// Why a proposal is weak; empty if it is not.
fn why_weak(proposal: &Proposal) -> String {
    let own: Vec<String> = proposal.weaknesses.iter().map(Weakness::in_words).collect();
    if own.is_empty() {
        return at_most_weak(proposal);
    }
    let caps = proposal.caps.iter().map(Cap::in_words);
    let reasons: Vec<String> = own.into_iter().chain(caps).collect();
    format!(". Weak, because {}", reasons.join("; and because "))
}

/// Why no proposal from this log can be more than weak; empty if nothing is in the way.
fn at_most_weak(proposal: &Proposal) -> String {
    let reasons: Vec<String> = proposal.caps.iter().map(Cap::in_words).collect();
    if reasons.is_empty() {
        return String::new();
    }
    format!(". No more than weak, because {}", reasons.join("; and because "))
}

fn without_limit(proposal: &Proposal, route: &Route) -> String {
    // A ceiling over such clients means nothing either.
    if let Some(cap) = proposal.caps.iter().find(|cap| cap.grade() == Grade::None) {
        return format!("No limit for {}: {}", plain(&route.to_string()), cap.in_words());
    }
    let reason = proposal.reason.map_or("no gap", in_words);
    let choices: Vec<String> = proposal
        .questions
        .iter()
        .map(|question| {
            let many = question.number_of_clients();
            let limit = thousands(question.limit.requests().into());
            let clients = count(many, "client", "clients");
            match question.kind {
                QuestionKind::Exempt => format!(
                    "{limit} if {clients} {} of {} own",
                    plural(many, "gets a rule", "get rules"),
                    plural(many, "its", "their"),
                ),
                QuestionKind::Regular => format!(
                    "{limit} if {} {} unwanted",
                    count(many, "machine that keeps coming", "machines that keep coming"),
                    plural(many, "is", "are"),
                ),
                QuestionKind::Unwanted => {
                    format!("{limit} if {clients} {} unwanted", plural(many, "is", "are"))
                }
            }
        })
        .collect();
    let choices = if choices.is_empty() {
        String::new()
    } else {
        format!(" Yours to decide: {}.", choices.join("; "))
    };
    format!(
        "No limit for {}: {reason}.{choices} Ceiling {}: blocks nobody of these logs; not derived from abuse{}",
        plain(&route.to_string()),
        limit_in_words(proposal.ceiling, proposal.window),
        at_most_weak(proposal),
    )
}

const fn in_words(reason: Reason) -> &'static str {
    match reason {
        Reason::TooFewClients => "too few clients to compare one with the others",
        Reason::NearlyEverybody => {
            "nearly everybody is shared or established, so there is nobody to compare with"
        }
        Reason::InTheWay => "a client that has to pass is in the way of the gap",
        Reason::TwoClasses => {
            "two classes of clients, and the upper one is too large to be called abuse unasked"
        }
        Reason::Undecided => "undecided, as some clients stand apart but could well be visitors",
        Reason::EdgeAddresses => "the clients are CloudFront's own machines",
        Reason::OnlyRefused => "no request that passed is logged",
        Reason::NoGap => "no gap, as the peaks rise to the highest without a break",
    }
}

/// `300 requests per 300 s (1 per second)`.
fn limit_in_words(limit: Limit, window: Window) -> String {
    format!(
        "{} requests per {window} ({})",
        thousands(limit.requests().into()),
        rate_in_words(limit, window)
    )
}

/// What the evidence of a proposal means; empty without evidence. Where a label or looks add to it or
/// speak against it, the parts are told, and what chance does is said of the gap's own part only.
#[must_use]
pub fn evidence_in_words(proposal: &Proposal) -> String {
    let Some(evidence) = proposal.evidence else {
        return String::new();
    };
    let weight = proposal.weight;
    // A sum of logarithms does not meet the threshold to its last bit.
    if (evidence - ENOUGH_EVIDENCE).abs() < f64::EPSILON {
        return by_rule(proposal);
    }
    if weight == 0.0 {
        return by_chance(evidence);
    }
    let own = evidence - weight;
    let why = if weight >= LABEL_WEIGHT {
        "because you called clients bad"
    } else {
        "for how those above look"
    };
    format!("{own:.1} from the gap, {weight} {why}; by the gap alone, {}", by_chance(own))
}

/// Few clients with a wide gap: a threshold, and no odds.
fn by_rule(proposal: &Proposal) -> String {
    let edges = proposal.upper.zip(proposal.lower);
    let gap = match edges.map(|(upper, lower)| f64::from(upper) / f64::from(lower)) {
        Some(gap) if gap >= SMALL_LIST_RATIO => ratio(gap),
        // Somebody who has to pass stands inside it.
        _ => format!("{SMALL_LIST_RATIO}x or more"),
    };
    format!("by rule: fewer than {SMALL_LIST} clients and a gap of {gap}")
}

/// How often a gap with so much evidence comes up by itself.
fn by_chance(evidence: f64) -> String {
    // The sum of 1/j^2 over all places tried is 1.64.
    let weeks = evidence.exp() / 1.64;
    let often = if weeks > 10_000.0 {
        "less than once in 10,000 weeks".to_owned()
    } else if weeks < 1.5 {
        "nearly every week".to_owned()
    } else {
        format!("about once in {}", count(two_digits(weeks), "week", "weeks"))
    };
    format!("a tail like this one shows such a gap by chance {often}")
}

/// A number with at most two digits that are not zero.
fn two_digits(number: f64) -> u64 {
    let mut unit = 1.0;
    while number / unit >= 99.5 {
        unit *= 10.0;
    }
    (((number / unit).round() * unit) as u64).max(1)
}

/// A window that does better than the route's own, if there is one: to be printed beside it.
#[must_use]
pub fn other_window_in_words(other: &Proposal) -> Option<String> {
    let limit = limit_in_words(other.limit?, other.window);
    Some(format!("a window of {} does better: {limit}, {}", other.window, other.grade.as_str()))
}
