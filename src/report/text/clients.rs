//! The clients above the limit and the ones just below.

use super::page::Page;
use super::table::{self, Cell, Column, Narrow};
use crate::report::view::{ClientColumns, RouteReport, TopClient};
use crate::units::{count, percent, plain, thousands};

/// Most clients above that are shown; the JSON has all.
const ABOVE: usize = 12;
/// Clients shown where there is no limit to be above of.
const BUSIEST: usize = 5;

const COLUMNS: [Column; 8] = [
    Column::number("peak", Narrow::Keep),
    Column::word("client", Narrow::Shorten),
    Column::number("a minute", Narrow::Drop(2)),
    Column::number("requests", Narrow::Drop(1)),
    Column::number("hours", Narrow::Drop(3)),
    Column::number("agents", Narrow::Drop(4)),
    Column::number("4xx", Narrow::Drop(0)),
    Column::word("seems to be", Narrow::Shorten),
];

/// Writes both tables.
pub(super) fn write(page: &mut Page<'_>, route: &RouteReport) {
    if route.proposal.limit.is_some() {
        above(page, route);
        if !route.below.is_empty() {
            page.gap();
            heading(page, "just below");
            let rows: Vec<_> = route.below.iter().map(|client| row(page, client, false)).collect();
            table::write(page, &COLUMNS, &rows);
        }
    } else if !route.top.is_empty() {
        page.gap();
        heading(page, "busiest");
        busiest(page, &route.top);
    }
}

fn above(page: &mut Page<'_>, route: &RouteReport) {
    if route.above.is_empty() {
        return;
    }
    // Whoever does not look like a runaway comes first: that is what a reviewer has to judge.
    let (doubtful, rest): (Vec<_>, Vec<_>) =
        route.above.iter().partition(|client| needs_a_look(client));
    page.gap();
    heading(
        page,
        if doubtful.is_empty() || rest.is_empty() {
            "above the limit"
        } else {
            "above the limit, those without a sign of a runaway first"
        },
    );
    let shown: Vec<_> = doubtful.into_iter().chain(rest).take(ABOVE).collect();
    let rows: Vec<_> = shown.iter().map(|client| row(page, client, true)).collect();
    table::write(page, &COLUMNS, &rows);
    let more = route.above.len() - shown.len();
    if more > 0 {
        let line = format!("and {}; --format json lists all", count(more as u64, "more", "more"));
        page.paragraph(2, page.style.faint, &line);
    }
}

/// Its behaviour is known and shows no sign, or somebody called it good.
fn needs_a_look(client: &ClientColumns) -> bool {
    match client.label {
        Some("bad") => false,
        Some(_) => true,
        None => client.referer.is_some() && client.signs == 0,
    }
}

fn heading(page: &mut Page<'_>, text: &str) {
    page.paragraph(0, page.style.strong, text);
}

fn row(page: &Page<'_>, client: &ClientColumns, above: bool) -> Vec<Cell> {
    let ink = if above { page.style.bad } else { page.style.good };
    vec![
        Cell::new(thousands(client.peak.into())).ink(ink),
        Cell::new(name(&client.client, client.network.as_deref())),
        Cell::new(thousands(client.clock_60.into())),
        Cell::new(thousands(client.requests.into())),
        Cell::new(thousands(client.hours.into())),
        Cell::new(client.agents.to_string()),
        Cell::new(percent(client.share_4xx)),
        Cell::new(&client.head),
    ]
}

/// `203.0.113.46 (ssr)`; a network that is the client itself is not named twice.
pub(super) fn name(client: &str, network: Option<&str>) -> String {
    match network {
        Some(network) if network.split('/').next() != Some(client) => {
            format!("{} ({})", plain(client), plain(network))
        }
        _ => plain(client).into_owned(),
    }
}

fn busiest(page: &mut Page<'_>, top: &[TopClient]) {
    const COLUMNS: [Column; 6] = [
        Column::number("in 300 s", Narrow::Keep),
        Column::word("client", Narrow::Shorten),
        Column::number("a minute", Narrow::Drop(2)),
        Column::number("requests", Narrow::Drop(1)),
        Column::number("agents", Narrow::Drop(3)),
        Column::number("4xx", Narrow::Drop(0)),
    ];
    let rows: Vec<_> = top
        .iter()
        .take(BUSIEST)
        .map(|client| {
            vec![
                Cell::new(thousands(client.sliding_300.into())).ink(page.style.strong),
                Cell::new(&client.client),
                Cell::new(thousands(client.clock_60.into())),
                Cell::new(thousands(client.requests.into())),
                Cell::new(client.agents.to_string()),
                Cell::new(percent(client.share_4xx)),
            ]
        })
        .collect();
    table::write(page, &COLUMNS, &rows);
}
