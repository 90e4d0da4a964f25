//! How many clients came how high, and where the limit stands among them.

use std::fmt::Write as _;

use super::{Anchor, Axis, Chart, line, named, number, rect, text};
use crate::report::markup::escape;
use crate::report::view::{Bin, Dot, Kind, Picture};
use crate::units::{count, plain, thousands};

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 374.0;
const LEFT: f64 = 58.0;
const RIGHT: f64 = 606.0;
const TOP: f64 = 48.0;
const BASE: f64 = 204.0;
/// Columns of a digit on the scale, with some air.
const LETTER: f64 = 8.5;
/// The first lane of dots.
const LANE: f64 = 218.0;
const LANES: usize = 6;
const LANE_HEIGHT: f64 = 11.0;
const BOTTOM: f64 = 286.0;
/// Half a dot.
const SIZE: f64 = 4.6;

/// The distribution of the peaks.
pub(in crate::report) fn peaks(route: &str, picture: &Picture) -> Chart {
    let largest = picture.bins.last().map_or(0, |bin| bin.to);
    let busiest = picture.dots.iter().map(|dot| dot.columns.peak).max().unwrap_or_default();
    let limit = picture.limit.requests();
    let axis = Axis::new(LEFT, RIGHT, largest.min(busiest.max(1)).max(limit));
    let mut out = String::new();
    gap(&mut out, &axis, picture);
    bars(&mut out, &axis, picture);
    scale(&mut out, &axis, picture);
    limit_line(&mut out, &axis, picture);
    dots(&mut out, &axis, picture);
    legend(&mut out, picture);
    let gap = picture.gap.map(|(lower, upper)| {
        format!(" The gap reaches from {} to {}.", thousands(lower.into()), thousands(upper.into()))
    });
    Chart {
        name: "peaks",
        width: WIDTH as u32,
        height: HEIGHT as u32,
        title: format!("Peaks of the clients of {}", named(route)),
        description: format!(
            "Clients by their most requests in any {} s, on a log axis. {}.{} The table below names the clients.",
            picture.window.seconds(),
            picture.hit_in_words(),
            gap.unwrap_or_default()
        ),
        body: out,
        attributes: format!(
            " data-start=\"{}\" data-end=\"{}\" data-most=\"{}\"",
            number(axis.start),
            number(axis.end),
            axis.most()
        ),
    }
}

fn gap(out: &mut String, axis: &Axis, picture: &Picture) {
    let Some((lower, upper)) = picture.gap else { return };
    let (from, to) = (axis.at(lower), axis.at(upper));
    let words =
        format!("gap: nobody between {} and {}", thousands(lower.into()), thousands(upper.into()));
    rect(out, "gap", [from, TOP - 12.0, to - from, BOTTOM - TOP + 12.0], Some(&words));
    text(out, (middle_in(f64::midpoint(from, to)), 16.0), Anchor::Middle, "note", &words);
}

/// A place where a word of usual length is not cut off.
fn middle_in(place: f64) -> f64 {
    place.clamp(LEFT + 150.0, RIGHT - 150.0)
}

fn bars(out: &mut String, axis: &Axis, picture: &Picture) {
    let most = picture.bins.iter().map(|bin| bin.clients).max().unwrap_or(1).max(10);
    // One client is a bar, too.
    let height = |clients: u64| {
        ((clients.max(1) as f64).log10() + 0.25) / ((most as f64).log10() + 0.25) * (BASE - TOP)
    };
    let mut tick = 1;
    while tick <= most {
        let y = BASE - height(tick);
        line(out, "rule", [LEFT, y, RIGHT, y]);
        text(out, (LEFT - 6.0, y + 4.0), Anchor::End, "tick", &short(tick));
        tick *= 10;
    }
    for bin in &picture.bins {
        let (from, to) = beside_gap(bin, picture.gap);
        let (from, to) = (axis.at(from), axis.at(to));
        let clients = count(bin.clients, "client", "clients");
        let tip = if bin.from == bin.to {
            format!("{clients}: {} at most", thousands(bin.from.into()))
        } else {
            let (from, to) = (thousands(bin.from.into()), thousands(bin.to.into()));
            format!("{clients}: {from} to {to} at most")
        };
        let tall = height(bin.clients);
        rect(out, "bar", [from + 0.5, BASE - tall, (to - from - 1.0).max(1.5), tall], Some(&tip));
    }
    line(out, "axis", [LEFT, BASE, RIGHT, BASE]);
    text(out, (LEFT - 44.0, TOP - 16.0), Anchor::Start, "tick", "clients");
}

/// Where a bar begins and ends: none reaches into the gap, where nobody is.
fn beside_gap(bin: &Bin, gap: Option<(u32, u32)>) -> (u32, u32) {
    let (from, to) = (bin.from, bin.to.saturating_add(1));
    match gap {
        Some((lower, upper)) if from <= lower && upper < to => (from, to),
        Some((lower, _)) if from <= lower && lower < to => (from, lower.max(from + 1)),
        Some((_, upper)) if from < upper && upper < to => (upper, to),
        _ => (from, to),
    }
}

/// `1M` for a million.
fn short(tick: u64) -> String {
    match tick {
        1_000_000.. => format!("{}M", thousands(tick / 1_000_000)),
        _ => thousands(tick),
    }
}

fn scale(out: &mut String, axis: &Axis, picture: &Picture) {
    line(out, "axis", [LEFT, BOTTOM, RIGHT, BOTTOM]);
    let wide = axis.most() > 20_000.0;
    let powers = axis.ticks().into_iter().filter(|(_, is_power)| *is_power);
    let mut placed: Vec<(f64, f64)> = powers
        .map(|(tick, _)| {
            let half = LETTER * thousands(tick.into()).len() as f64 / 2.0;
            (axis.at(tick) - half, axis.at(tick) + half)
        })
        .collect();
    for (tick, is_power) in axis.ticks() {
        let x = axis.at(tick);
        line(out, "axis", [x, BOTTOM, x, BOTTOM + if is_power { 6.0 } else { 4.0 }]);
        // Numbers in between only where they have room.
        let half = LETTER * thousands(tick.into()).len() as f64 / 2.0;
        let is_free = placed.iter().all(|(from, to)| x + half < *from || *to < x - half);
        if is_power || (!wide && is_free) {
            placed.push((x - half, x + half));
            let class = if is_power { "tick" } else { "tick minor" };
            text(out, (x, BOTTOM + 19.0), Anchor::Middle, class, &thousands(tick.into()));
        }
    }
    let words = format!("most requests in any {} s, log scale", picture.window.seconds());
    text(out, (f64::midpoint(LEFT, RIGHT), BOTTOM + 37.0), Anchor::Middle, "tick", &words);
}

/// A limit is drawn as one; a ceiling, which nobody proposes, otherwise and with its own word.
fn limit_line(out: &mut String, axis: &Axis, picture: &Picture) {
    let limit = picture.limit.requests();
    let (class, word) = match picture.limit_is {
        "ceiling" => ("limit ceiling", "ceiling"),
        _ => ("limit", "limit"),
    };
    let x = number(axis.at(limit));
    let _ = writeln!(
        out,
        "<g class=\"{class}\" transform=\"translate({x} 0)\">\n<line x1=\"0\" y1=\"{}\" x2=\"0\" y2=\"{}\"/>",
        number(TOP - 10.0),
        number(BOTTOM)
    );
    let place = (0.0, TOP - 15.0);
    text(out, place, Anchor::Middle, "limit-words", &format!("{word} {}", thousands(limit.into())));
    out.push_str("</g>\n");
}

fn dots(out: &mut String, axis: &Axis, picture: &Picture) {
    let mut lanes = [f64::NEG_INFINITY; LANES];
    out.push_str("<g class=\"dots\">\n");
    for dot in picture.dots.iter().rev() {
        let x = axis.at(dot.columns.peak);
        let free = lanes.iter().position(|last| *last + 2.0 * SIZE + 1.0 <= x);
        let lane = free.unwrap_or_else(|| {
            let least = lanes.iter().enumerate().min_by(|(_, a), (_, b)| a.total_cmp(b));
            least.map_or(0, |(lane, _)| lane)
        });
        lanes[lane] = x;
        let y = LANE + lane as f64 * LANE_HEIGHT;
        let _ = writeln!(
            out,
            "<path class=\"dot {}\" data-peak=\"{}\"{} d=\"{}\"><title>{}</title></path>",
            kind_class(dot.kind),
            dot.columns.peak,
            if dot.kind == Kind::Exempt { " data-exempt=\"\"" } else { "" },
            shape(dot.kind, x, y),
            escape(&tip(dot))
        );
    }
    out.push_str("</g>\n");
    if picture.dots.is_empty() {
        let place = (f64::midpoint(LEFT, RIGHT), LANE + 24.0);
        text(out, place, Anchor::Middle, "tick", "no client with a name");
    }
}

/// What is shown of a client that is pointed at.
fn tip(dot: &Dot) -> String {
    let columns = &dot.columns;
    format!(
        "{}: {} at most, {}",
        plain(&columns.client),
        thousands(columns.peak.into()),
        plain(&columns.brief)
    )
}

fn shape(kind: Kind, x: f64, y: f64) -> String {
    let at = |dx: f64, dy: f64| format!("{} {}", number(x + dx), number(y + dy));
    let s = SIZE;
    match kind {
        Kind::Visitor => {
            let r = number(s - 0.6);
            let (from, to) = (at(0.6 - s, 0.0), at(s - 0.6, 0.0));
            format!("M{from}A{r} {r} 0 1 1 {to}A{r} {r} 0 1 1 {from}Z")
        }
        Kind::Regular => {
            let q = s - 0.9;
            format!("M{}L{}L{}L{}Z", at(-q, -q), at(q, -q), at(q, q), at(-q, q))
        }
        Kind::Runaway => {
            format!("M{}L{}L{}L{}Z", at(0.0, -s), at(s, 0.0), at(0.0, s), at(-s, 0.0))
        }
        Kind::Good => format!("M{}L{}L{}Z", at(0.0, -s), at(s, s - 1.0), at(-s, s - 1.0)),
        Kind::Exempt => format!("M{}L{}M{}L{}", at(-s, 0.0), at(s, 0.0), at(0.0, -s), at(0.0, s)),
    }
}

const KINDS: [Kind; 5] = [Kind::Visitor, Kind::Regular, Kind::Runaway, Kind::Good, Kind::Exempt];

fn legend(out: &mut String, picture: &Picture) {
    let occur = KINDS.into_iter().filter(|kind| picture.dots.iter().any(|dot| dot.kind == *kind));
    for (place, kind) in occur.enumerate() {
        let x = LEFT + (place % 3) as f64 * 190.0;
        let y = HEIGHT - 26.0 + (place / 3) as f64 * 19.0;
        let class = kind_class(kind);
        let shape = shape(kind, x + SIZE, y - 4.0);
        let _ = writeln!(out, "<path class=\"dot {class}\" d=\"{shape}\"/>");
        text(out, (x + 15.0, y), Anchor::Start, "tick", kind_in_words(kind));
    }
}

/// The class that gives a kind its colour.
const fn kind_class(kind: Kind) -> &'static str {
    match kind {
        Kind::Visitor => "visitor",
        Kind::Regular => "regular",
        Kind::Runaway => "runaway",
        Kind::Good => "good",
        Kind::Exempt => "exempt",
    }
}

/// For a legend.
pub(in crate::report) const fn kind_in_words(kind: Kind) -> &'static str {
    match kind {
        Kind::Visitor => "like a visitor",
        Kind::Regular => "habit or shared",
        Kind::Runaway => "runaway",
        Kind::Good => "has to pass",
        Kind::Exempt => "tester",
    }
}
