//! One route: the sentence, the figures behind it, the bars, the clients, what to watch out for.

use super::clients;
use super::histogram::{self, Mark};
use super::page::{LABEL, Page};
use super::style::paint;
use crate::profile::{Label, RouteProfile};
use crate::report::shorten::shorten;
use crate::report::view::{CoverageReport, Labelled, RouteReport};
use crate::units::{count, plain, ratio, thousands};

/// Good and exempt clients shown; the JSON has all.
const LABELLED: usize = 3;
/// Characters of their user agents.
const AGENT: usize = 48;

pub(super) fn write(
    page: &mut Page<'_>,
    route: &RouteReport,
    profile: &RouteProfile,
    coverage: &CoverageReport,
) {
    title(page, route);
    page.paragraph(0, page.style.strong, &route.proposal.headline);
    let facts = format!(
        "{}; peaks are in any {} s{}",
        route.totals_in_words(),
        route.proposal.window,
        match coverage.days {
            0 => String::new(),
            days => format!(" of {}", count(days.into(), "day", "days")),
        }
    );
    page.paragraph(0, page.style.faint, &facts);
    page.gap();
    if let Some(pinned) = &route.pinned {
        page.labelled("pinned", &pinned.in_words());
    }
    figures(page, route);
    if page.style.bars {
        // A tester is not limited by this limit and would only stretch the page.
        let peaks: Vec<(u32, u64)> = (profile.everybody())
            .filter(|(client, _)| !client.is_labelled(Label::Exempt))
            .map(|(client, number)| (client.peak(profile.window), number.into()))
            .collect();
        let mark = match route.proposal.limit {
            Some(limit) => Mark { name: "limit", at: limit },
            None => Mark { name: "ceiling", at: route.proposal.ceiling },
        };
        histogram::write(page, &peaks, &mark);
    }
    clients::write(page, route);
    page.gap();
    caveats(page, route);
}

fn title(page: &mut Page<'_>, route: &RouteReport) {
    let grade = route.proposal.grade;
    let room = page.width.saturating_sub(grade.len() + 2);
    let title = shorten(&plain(&route.route), room);
    let line =
        format!("{}  {}", paint(page.style.strong, title), paint(page.style.grade(grade), grade));
    page.line(&line);
}

/// One line of figures: a number, whose it is, what it means.
struct Figure {
    label: &'static str,
    number: String,
    name: String,
    text: String,
    alarming: bool,
}

fn figures(page: &mut Page<'_>, route: &RouteReport) {
    let mut figures = Vec::new();
    edges(route, &mut figures);
    labelled("good", &route.good, &mut figures);
    labelled("exempt", &route.exempt, &mut figures);
    write_figures(page, &figures);
    let proposal = &route.proposal;
    if proposal.limit.is_some() {
        let share = format!(
            "{}, {}",
            count(route.above.len() as u64, "client", "clients"),
            route.share_above_in_words()
        );
        page.labelled("above", &share);
    }
    if let Some(evidence) = proposal.evidence {
        page.labelled("evidence", &format!("{evidence:.1}: {}", proposal.evidence_words));
    }
    let quantiles = route.quantiles;
    if route.clients > route.exempt.len() {
        page.labelled(
            "peaks",
            &format!(
                "up to {} for half of the clients{}, {} for 90 %, {} for 99 %; largest {}",
                thousands(quantiles.half.into()),
                if route.exempt.is_empty() { "" } else { " that are not exempt" },
                thousands(quantiles.p90.into()),
                thousands(quantiles.p99.into()),
                thousands(quantiles.largest.into())
            ),
        );
    }
    limits(page, route);
}

/// Numbers end and names begin in the same column.
fn write_figures(page: &mut Page<'_>, figures: &[Figure]) {
    let widest = |text: fn(&Figure) -> &str| {
        figures.iter().map(|figure| text(figure).chars().count()).max().unwrap_or_default()
    };
    let numbers = widest(|figure| &figure.number);
    let room = page.width.saturating_sub(LABEL + numbers + 2);
    let names = widest(|figure| &figure.name).min(room).min(40);
    for figure in figures {
        let ink = if figure.alarming { page.style.bad } else { page.style.faint };
        let name = shorten(&figure.name, names);
        let line = match figure.name.as_str() {
            "" => format!("{:>numbers$}  {}", figure.number, figure.text),
            _ => format!("{:>numbers$}  {name:<names$}  {}", figure.number, figure.text),
        };
        // Not `labelled`: breaking at spaces would undo the alignment.
        let label = paint(ink, format!("{:<width$}", figure.label, width = LABEL - 2));
        if line.chars().count() + LABEL <= page.width {
            page.line(&format!("  {label}{line}"));
        } else {
            page.line(&format!("  {label}{:>numbers$}  {name}", figure.number));
            page.paragraph(LABEL + numbers + 2, anstyle::Style::new(), &figure.text);
        }
    }
}

fn edges(route: &RouteReport, figures: &mut Vec<Figure>) {
    let proposal = &route.proposal;
    if let (Some(below), Some(headroom)) = (&proposal.busiest_below, proposal.headroom) {
        let clock = (route.below.iter().map(|client| (&client.client, client.clock_300)))
            .chain(route.top.iter().map(|client| (&client.client, client.clock_300)))
            .find(|(client, _)| **client == below.client && proposal.window == 300)
            .map(|(_, clock)| format!(" ({} in clock-aligned windows)", thousands(clock.into())));
        figures.push(Figure {
            label: "busiest below",
            number: thousands(below.peak.into()),
            name: plain(&below.client).into_owned(),
            text: format!("{} room{}", ratio(headroom), clock.unwrap_or_default()),
            alarming: false,
        });
    }
    if let (Some(above), Some(margin)) = (&proposal.weakest_above, proposal.margin) {
        let strongest = proposal.limit.zip(route.above.first()).map(|(limit, strongest)| {
            format!(
                "; strongest {}, {}",
                thousands(strongest.peak.into()),
                ratio(f64::from(strongest.peak) / f64::from(limit))
            )
        });
        figures.push(Figure {
            label: "weakest above",
            number: thousands(above.peak.into()),
            name: plain(&above.client).into_owned(),
            text: format!("{} over{}", ratio(margin), strongest.unwrap_or_default()),
            alarming: false,
        });
    }
}

fn labelled(label: &'static str, clients: &[Labelled], figures: &mut Vec<Figure>) {
    let exempt = label == "exempt";
    for client in clients.iter().take(LABELLED) {
        let blocked = client.room.is_some_and(|room| room < 1.0) && !exempt;
        let text = match client.room {
            _ if exempt => "left out; the rule does not count it".to_owned(),
            Some(_) if blocked => "above the limit: needs an exempt rule".to_owned(),
            Some(room) => format!("{} room", ratio(room)),
            None => "has to pass".to_owned(),
        };
        let text = match client.agent_within(AGENT) {
            Some(agent) => format!("{text}; {}", plain(&agent)),
            None => text,
        };
        figures.push(Figure {
            label,
            number: thousands(client.peak.into()),
            name: clients::name(&client.client, &client.network),
            text,
            alarming: blocked,
        });
    }
    if clients.len() > LABELLED {
        let more = thousands((clients.len() - LABELLED) as u64);
        figures.push(Figure {
            label,
            number: String::new(),
            name: String::new(),
            text: format!("and {more} more"),
            alarming: false,
        });
    }
}

/// Other limits: the ladder, the careful one, another window, by /64.
fn limits(page: &mut Page<'_>, route: &RouteReport) {
    let proposal = &route.proposal;
    if !proposal.ladder.is_empty() {
        page.labelled("other limits", &proposal.ladder_in_words());
    }
    if let (Some(cautious), Some(limit)) = (proposal.cautious_limit, proposal.limit) {
        let between: Vec<_> = (route.above.iter())
            .filter(|client| client.peak > limit && client.peak <= cautious)
            .map(|client| client.client.as_str())
            .collect();
        let spared = match between.len() {
            0 => String::new(),
            few @ 1..=3 => format!(": spares {}", between[..few].join(", ")),
            many => format!(": spares {} and {} more", between[..3].join(", "), many - 3),
        };
        let text = format!("{}{spared}", thousands(cautious.into()));
        page.labelled_in(page.style.careful, "careful limit", &text);
    }
    if let Some(other) = &route.other_window {
        let text = match other.limit {
            Some(limit) => {
                format!(
                    "{} s gives {} per window, {}",
                    other.window,
                    thousands(limit.into()),
                    other.grade
                )
            }
            None => format!("{} s gives no limit", other.window),
        };
        page.labelled("other window", &text);
    }
    if let Some(slash64) = &route.slash64 {
        let text = match slash64.proposal.limit {
            Some(limit) => format!(
                "{}; {} per window, {}, {} above",
                count(slash64.clients as u64, "client", "clients"),
                thousands(limit.into()),
                slash64.proposal.grade,
                thousands(slash64.proposal.clients_above_limit as u64)
            ),
            None => format!(
                "{}; no limit ({})",
                count(slash64.clients as u64, "client", "clients"),
                slash64.proposal.reason
            ),
        };
        page.labelled("by /64", &text);
    }
}

fn caveats(page: &mut Page<'_>, route: &RouteReport) {
    page.labelled("statement", &route.traffic.in_words());
    for question in &route.proposal.questions {
        page.labelled_in(page.style.careful, "question", &question.words);
    }
    for warning in &route.warnings {
        page.labelled_in(page.style.careful, warning.id, &warning.text);
    }
}
