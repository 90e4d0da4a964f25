//! The lines beside a rule that say where its limit comes from. They hold no addresses.

use std::cmp::Ordering;

use super::lock::{Lock, LockQuestion, LockRoute};
use super::model::{PolicyRoute, Twin};
use super::standing::{Standing, Then};
use super::value::{LimitChoice, TwinLimit};
use crate::rules::{NetworkKind, RateRule};
use crate::units::{
    Limit, Window, count, listed, percent, plain, plural, rate_in_words, ratio, thousands,
};

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
    lines.extend(gap(locked, limit));
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

/// The two sides of the gap, and how far the limit that is emitted is from each: a pinned one is another than
/// the one proposed.
fn gap(locked: &LockRoute, limit: Limit) -> Option<String> {
    let (lower, upper) = (locked.lower?, locked.upper?);
    let mut line = format!(
        "The gap: busiest client below it {}, weakest above it {}",
        thousands(lower.into()),
        thousands(upper.into())
    );
    let own = f64::from(limit.requests());
    if lower > 0 {
        let (headroom, margin) = (own / f64::from(lower), f64::from(upper) / own);
        line.push_str(&format!("; headroom {}, margin {}", ratio(headroom), ratio(margin)));
        if locked.limit != Some(limit) {
            line.push_str(" at the pinned limit");
        }
    }
    line.push_str(&format!(
        "; {} above it; clients above the proposed limit sent {} of the requests.",
        count(locked.clients_above_cut, "client", "clients"),
        percent(locked.share_above)
    ));
    Some(line)
}

/// Evidence for a twin, whose network had this busiest peak on the route.
pub fn twin(
    twin: &Twin,
    limit: Limit,
    main: &RateRule,
    peak: Option<u32>,
    then: Then,
) -> Vec<String> {
    let network = &twin.network;
    let rate = rate_in_words(limit, main.window);
    let why = match twin.limit {
        TwinLimit::Pinned(_) => "pinned in the policy".to_owned(),
        TwinLimit::Times(times) => format!("{times}x the main limit {}", number(main.limit)),
        TwinLimit::Auto => auto_twin(limit, main.limit, peak),
    };
    let mut lines =
        vec![format!("Counts the network `{network}` only. {} ({rate}): {why}.", number(limit))];
    let changed = then == Then::Changed;
    lines.push(match peak {
        Some(peak) => format!(
            "Its busiest address peaked at {} {}.",
            count(peak.into(), "request", "requests"),
            if changed { "before the network changed" } else { "in the logs" }
        ),
        None if then == Then::Absent => {
            "The logs were read without this network, so its peak is not known.".to_owned()
        }
        None if changed => {
            "Before it changed, it did not occur in the logs of this route.".to_owned()
        }
        None => "It does not occur in the logs of this route.".to_owned(),
    });
    lines
}

/// Where the number of an `auto` twin comes from: the one of its two sources that won.
fn auto_twin(limit: Limit, main: Limit, peak: Option<u32>) -> String {
    let requests = u64::from(limit.requests());
    let peak = match peak.map(u64::from) {
        Some(peak) if requests != 10 * u64::from(main.requests()) => peak,
        _ => return format!("10x the main limit {}", number(main)),
    };
    let twice =
        format!("twice its busiest peak (2 x {} = {})", thousands(peak), thousands(2 * peak));
    match requests.cmp(&(2 * peak)) {
        Ordering::Equal => twice,
        Ordering::Greater => format!("the next round number at or above {twice}"),
        // AWS WAF takes no larger limit.
        Ordering::Less => format!("the largest limit there is, less than {twice}"),
    }
}

/// What the logs say about a pinned limit.
pub fn pinned_note(
    route: &PolicyRoute,
    pinned: Limit,
    locked: Option<&LockRoute>,
    standing: &Standing<'_>,
) -> Option<String> {
    let start = format!("Route `{}`: pinned {}", route.route.name, number(pinned));
    let Some(locked) = locked else {
        return Some(format!("{start}; the lock has no figures for the route."));
    };
    let limit = pinned.requests();
    let largest = locked.distribution.get(&route.window.seconds()).map(|peaks| peaks.sliding.max);
    let edges = locked.lower.zip(locked.upper);
    let figure = |peak: u32| thousands(peak.into());
    let mut note = match (edges, largest) {
        (Some((lower, _)), _) if limit <= lower => format!(
            "{start}: at or below the busiest normal client ({}): it would limit it.",
            figure(lower)
        ),
        (_, Some(largest)) if limit >= largest => format!(
            "{start}: at or above every peak of these logs (largest {}): it never acts.",
            figure(largest)
        ),
        (Some((lower, upper)), _) if limit < upper => format!(
            "{start}: above the busiest normal client ({}) and below the weakest one above the gap ({}).",
            figure(lower),
            figure(upper)
        ),
        (Some((lower, upper)), _) => {
            format!(
                "{start}: above the busiest normal client ({}), but not below the weakest one above the gap ({}){}.",
                figure(lower),
                figure(upper),
                passing(limit, locked)
            )
        }
        (None, Some(largest)) => {
            format!("{start}: below the largest peak of these logs ({}).", figure(largest))
        }
        (None, None) => format!("{start}: the lock has no peaks of the route."),
    };
    note.push_str(&limited_good(limit, locked, standing));
    note.push_str(&match locked.limit {
        Some(proposed) => {
            format!(" The logs propose {} ({}).", number(proposed), locked.grade.as_str())
        }
        None => format!(" The logs give no limit ({}).", plain(&locked.reason)),
    });
    Some(note)
}

/// Which networks that have to pass a pinned limit would stop, by name.
fn limited_good(limit: u32, locked: &LockRoute, standing: &Standing<'_>) -> String {
    let good = standing.current.iter().filter(|network| network.kind == NetworkKind::KnownGood);
    let limited: Vec<String> = good
        .filter_map(|network| {
            let peak = locked.good_peaks.get(&network.name).filter(|peak| **peak > limit)?;
            Some(format!("`{}` (peak {})", plain(&network.name), thousands((*peak).into())))
        })
        .collect();
    match limited.as_slice() {
        [] => String::new(),
        [only] => format!(" It would limit the known-good network {only}."),
        several => format!(" It would limit the known-good networks {}.", listed(several)),
    }
}

/// How many of the peaks that the proposed limit would stop go through below a pinned one.
fn passing(limit: u32, locked: &LockRoute) -> String {
    let near = &locked.near_misses.above;
    let through = near.iter().filter(|near| near.peak <= limit).count();
    if near.is_empty() {
        return String::new();
    }
    format!(
        ": {} of the {} just above the proposed limit would pass",
        thousands(through as u64),
        count(near.len() as u64, "peak", "peaks")
    )
}

/// Why there is no rule.
pub fn no_limit_note(locked: &LockRoute) -> String {
    let mut note = format!(
        "Route `{}`: no rule, because the logs give no limit ({}). A limit above everybody of these logs: {}.",
        locked.name,
        plain(&locked.reason),
        limit_text(locked.ceiling, locked.window)
    );
    if let Some(question) = locked.questions.first() {
        note.push(' ');
        note.push_str(&question_text(question, locked.window));
    }
    plain(&note).into_owned()
}

fn question_text(question: &LockQuestion, window: Window) -> String {
    let many = question.clients;
    let clients = count(many, "client", "clients");
    let limit = format!(
        "the limit would then be {} per {window} ({}).",
        number(question.limit),
        rate_in_words(question.limit, window)
    );
    let are = plural(many, "is", "are");
    let them = plural(many, "it", "them");
    match question.kind.as_str() {
        "exempt" => format!(
            "If {clients} in the way {} to pass, make {them} a network of kind `tester` and run `ratewaf analyze` again; {limit}",
            plural(many, "has", "have")
        ),
        "regular" => format!(
            "If {} and {} like {} {are} unwanted, make {them} a network of kind `known-bad` and run `ratewaf analyze` again; {limit}",
            count(many, "client that keeps coming", "clients that keep coming"),
            plural(many, "looks", "look"),
            plural(many, "a machine", "machines"),
        ),
        _ => format!(
            "If {clients} at the top {are} unwanted, make {them} a network of kind `known-bad` and run `ratewaf analyze` again; {limit}"
        ),
    }
}
