//! The clients above the limit and the ones just below.

use anstyle::Style as Ansi;

use super::page::Page;
use super::table::{self, Cell, Column, Narrow, Row};
use crate::report::view::{ClientColumns, RouteReport};
use crate::units::{percent, plain, thousands};

/// Most clients above that are shown; the JSON has all.
const ABOVE: usize = 12;

const COLUMNS: [Column; 8] = [
    Column::number("peak", Narrow::Keep),
    Column::word("client", Narrow::Middle),
    Column::number("a minute", Narrow::Drop(2)),
    Column::number("requests", Narrow::Drop(1)),
    Column::number("hours", Narrow::Drop(3)),
    Column::number("agents", Narrow::Drop(4)),
    Column::number("4xx", Narrow::Drop(0)),
    Column::word("seems to be", Narrow::End),
];

/// Writes one table: the clients above, the limit, the ones just below.
pub(super) fn write(page: &mut Page<'_>, route: &RouteReport) {
    let Some(limit) = route.proposal.limit else {
        if !route.busiest.is_empty() {
            page.gap();
            let rows = route.busiest.iter().map(|client| row(page, client, page.style.strong));
            let rows: Vec<_> = rows.collect();
            table::write(page, &COLUMNS, &rows);
        }
        return;
    };
    // Whoever does not look like a runaway comes first: that is what a reviewer has to judge.
    let (doubtful, rest): (Vec<_>, Vec<_>) =
        route.above.iter().partition(|client| needs_a_look(client));
    page.gap();
    if !doubtful.is_empty() && !rest.is_empty() {
        let order = "above the limit, those without a sign of a runaway first";
        page.paragraph(0, page.style.strong, order);
    }
    let mut rows = Vec::new();
    elided(page, &mut rows, &doubtful, ABOVE / 2);
    let taken = rows.len();
    elided(page, &mut rows, &rest, ABOVE - taken);
    rows.push(limit_row(page, limit));
    rows.extend(route.below.iter().map(|client| row(page, client, page.style.good)));
    table::write(page, &COLUMNS, &rows);
}

/// The clients, or the strongest and the weakest of many with a line for the others.
fn elided(page: &Page<'_>, rows: &mut Vec<Row>, clients: &[&ClientColumns], most: usize) {
    let red = |client: &&ClientColumns| row(page, client, page.style.bad);
    if clients.len() <= most {
        rows.extend(clients.iter().map(red));
        return;
    }
    let last = (most - 1) / 2;
    let first = most - 1 - last;
    rows.extend(clients[..first].iter().map(red));
    let more = thousands((clients.len() - first - last) as u64);
    let more = format!("and {more} more; --format json lists them");
    rows.push(Row::Note(more, page.style.faint));
    rows.extend(clients[clients.len() - last..].iter().map(red));
}

fn limit_row(page: &Page<'_>, limit: u32) -> Row {
    let rule = if page.style.bars { "─── limit ───" } else { "--- limit ---" };
    let strong = |text: &str| Cell::new(text).ink(page.style.strong);
    let mut cells = vec![strong(&thousands(limit.into())), strong(rule)];
    cells.resize(COLUMNS.len(), Cell::new(""));
    Row::Cells(cells)
}

/// Its behaviour is known and shows no sign, or somebody called it good.
fn needs_a_look(client: &ClientColumns) -> bool {
    match client.label {
        Some("bad") => false,
        Some(_) => true,
        None => client.referer.is_some() && client.signs == 0,
    }
}

fn row(page: &Page<'_>, client: &ClientColumns, ink: Ansi) -> Row {
    let head = Cell::new(&client.head);
    let doubtful = ink == page.style.bad && needs_a_look(client);
    Row::Cells(vec![
        Cell::new(thousands(client.peak.into())).ink(ink),
        Cell::new(&client.client),
        Cell::new(thousands(client.clock_60.into())),
        Cell::new(thousands(client.requests.into())),
        Cell::new(thousands(client.hours.into())),
        Cell::new(client.agents.to_string()),
        Cell::new(percent(client.share_4xx)),
        if doubtful { head.ink(page.style.careful) } else { head },
    ])
}

/// `203.0.113.46 (ssr)`; a network that is the client itself is not named twice.
pub(super) fn name(client: &str, network: &str) -> String {
    if network.split('/').next() == Some(client) {
        plain(client).into_owned()
    } else {
        format!("{} ({})", plain(client), plain(network))
    }
}
