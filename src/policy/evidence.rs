//! The lines beside a rule that say where its limit comes from. They hold no addresses.

use super::lock::{Grade, Lock, LockQuestion, LockRoute};
use super::model::{PolicyRoute, Twin};
use super::value::{LimitChoice, TwinLimit};
use crate::units::{Limit, Window, count, percent, plain, ratio, thousands};

/// Evidence for a main rule.
pub fn main(
    route: &PolicyRoute,
    limit: Limit,
    locked: Option<&LockRoute>,
    lock: Option<&Lock>,
) -> Vec<String> {
    let pinned = match route.limit {
        LimitChoice::Pinned(_) => {
            Some(format!("Pinned in the policy: {}.", limit_text(limit, route.window)))
        }
        LimitChoice::Auto => None,
    };
    let mut lines = Vec::new();
    let Some(locked) = locked else {
        lines.extend(pinned);
        lines.push("The lock has no figures for this route.".to_owned());
        return lines;
    };
    lines.extend(pinned.map(|pinned| match locked.limit {
        Some(proposed) => {
            format!("{pinned} The logs propose {} ({}).", number(proposed), locked.grade.as_str())
        }
        None => format!("{pinned} The logs propose no limit."),
    }));
    if route.limit == LimitChoice::Auto {
        lines.extend(sentences(&locked.sentence));
    }
    lines.push(format!(
        "Grade {}; {} and {}{}{}.",
        locked.grade.as_str(),
        count(locked.clients, "client", "clients"),
        count(locked.requests, "request", "requests"),
        if locked.exempt_peaks.is_empty() { "" } else { " without the exempt ones" },
        period(lock)
    ));
    if let Some(peaks) = locked.distribution.get(&route.window.seconds()) {
        let peaks = peaks.sliding;
        lines.push(format!(
            "Peaks in any {}: half of the clients at most {}, 90 % {}, 99 % {}, largest {}.",
            route.window,
            thousands(peaks.p50.into()),
            thousands(peaks.p90.into()),
            thousands(peaks.p99.into()),
            thousands(peaks.max.into())
        ));
    }
    lines.extend(gap(locked));
    for (peaks, words) in
        [(&locked.near_misses.below, "just below"), (&locked.near_misses.above, "just above")]
    {
        let peaks: Vec<String> =
            peaks.iter().take(5).map(|peak| thousands(peak.peak.into())).collect();
        if !peaks.is_empty() {
            lines.push(format!("Peaks {words} the proposed limit: {}.", peaks.join(", ")));
        }
    }
    let warnings = locked.warnings.iter();
    lines.extend(
        warnings.map(|warning| {
            plain(&format!("Warning {}: {}", warning.id, warning.text)).into_owned()
        }),
    );
    lines
}

/// A limit's number for people.
pub fn number(limit: Limit) -> String {
    thousands(limit.requests().into())
}

/// A limit never stands without its window.
fn limit_text(limit: Limit, window: Window) -> String {
    format!("{} requests per {window}", number(limit))
}

fn sentences(text: &str) -> impl Iterator<Item = String> {
    text.lines().map(|line| plain(line).into_owned()).filter(|line| !line.is_empty())
}

fn period(lock: Option<&Lock>) -> String {
    match lock.map(|lock| (lock.inputs.first, lock.inputs.last)) {
        Some((Some(first), Some(last))) => {
            format!(", {} to {}", first.date_text(), last.date_text())
        }
        _ => String::new(),
    }
}

fn gap(locked: &LockRoute) -> Option<String> {
    let (lower, upper) = (locked.lower?, locked.upper?);
    let mut line = format!(
        "The gap: busiest client below it {}, weakest above it {}",
        thousands(lower.into()),
        thousands(upper.into())
    );
    if let (Some(headroom), Some(margin)) = (locked.headroom, locked.margin) {
        line.push_str(&format!("; headroom {}, margin {}", ratio(headroom), ratio(margin)));
    }
    line.push_str(&format!(
        "; {} above it; clients above the proposed limit sent {} of the requests.",
        count(locked.clients_above_cut, "client", "clients"),
        percent(locked.share_above)
    ));
    Some(line)
}

/// Evidence for a twin.
pub fn twin(twin: &Twin, limit: Limit, main: Limit, peak: Option<u32>) -> Vec<String> {
    let network = &twin.network;
    let why = match twin.limit {
        TwinLimit::Pinned(_) => "pinned in the policy".to_owned(),
        TwinLimit::Times(times) => format!("{times}x the main limit {}", number(main)),
        TwinLimit::Auto => {
            format!("the larger of 10x the main limit {} and twice its busiest peak", number(main))
        }
    };
    let mut lines = vec![format!("Counts the network `{network}` only. {}: {why}.", number(limit))];
    lines.push(match peak {
        Some(peak) => format!(
            "Its busiest address peaked at {} in the logs.",
            count(peak.into(), "request", "requests")
        ),
        None => "It does not occur in the logs of this route.".to_owned(),
    });
    lines
}

/// What to know about a pinned limit.
pub fn pinned_notes(name: &str, pinned: Limit, locked: Option<&LockRoute>) -> Vec<String> {
    let limit = number(pinned);
    let Some(locked) = locked else {
        return vec![format!(
            "Route `{name}`: the limit {limit} is pinned, and the lock has no figures for the route."
        )];
    };
    let mut notes = Vec::new();
    if let Some(lower) = locked.lower.filter(|lower| pinned.requests() <= *lower) {
        notes.push(format!(
            "Route `{name}`: the pinned limit {limit} is not above the busiest normal client, which peaked at {}. It would be limited.",
            count(lower.into(), "request", "requests")
        ));
    }
    if locked.grade == Grade::None {
        notes.push(format!(
            "Route `{name}`: the limit {limit} is pinned; the logs give none ({}).",
            plain(&locked.reason)
        ));
    }
    notes
}

/// Why there is no rule.
pub fn no_limit_note(locked: &LockRoute) -> String {
    let mut note = format!(
        "Route `{}`: no rule, because the logs give no limit ({}). A limit above everybody of these logs: {}.",
        locked.name,
        plain(&locked.reason),
        number(locked.ceiling)
    );
    if let Some(question) = locked.questions.first() {
        note.push(' ');
        note.push_str(&question_text(question));
    }
    plain(&note).into_owned()
}

fn question_text(question: &LockQuestion) -> String {
    let clients = count(question.clients, "client", "clients");
    let limit = number(question.limit);
    match question.kind.as_str() {
        "exempt" => {
            format!("If {clients} in the way had a rule of their own, it could be {limit}.")
        }
        "regular" => format!(
            "If {clients} that keep coming and look like machines were unwanted, it could be {limit}."
        ),
        _ => format!("If {clients} at the top were unwanted, it could be {limit}."),
    }
}
