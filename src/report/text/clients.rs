//! The clients above the limit and the ones just below.

use anstyle::Style as Ansi;

use super::page::Page;
use super::table::{self, Cell, Column, Narrow, Row};
use crate::report::view::{ClientColumns, RouteReport};
use crate::units::{percent, plain, thousands};

/// Most clients above that are shown; the JSON has all.
const ABOVE: usize = 12;
/// Clients above the limit that are described below the table.
const DESCRIBED: usize = 3;

const COLUMNS: [Column; 8] = [
    Column::number("peak", Narrow::Keep),
    Column::word("client", Narrow::Middle),
    Column::number("a minute", Narrow::Drop(1)),
    Column::number("requests", Narrow::Keep),
    Column::number("hours", Narrow::Drop(2)),
    Column::number("agents", Narrow::Keep),
    Column::number("4xx", Narrow::Drop(0)),
    Column::word("seems to be", Narrow::End),
];

/// So many times the next one's peak makes a giant.
const GIANT: u32 = 3;

/// Writes one table: the clients above, the limit, the ones just below.
pub(super) fn write(page: &mut Page<'_>, route: &RouteReport) {
    let Some(limit) = route.proposal.limit else {
        if !route.busiest.is_empty() {
            page.gap();
            let rows = route.busiest.iter().map(|client| row(page, client, page.style.strong));
            let rows: Vec<_> = rows.collect();
            table::write(page, &COLUMNS, &rows);
        }
        let described = route.busiest.iter().take(DESCRIBED).chain(&route.all_day);
        describe(page, described);
        return;
    };
    // Whoever does not look like a runaway comes first: that is what a reviewer has to judge.
    let (doubtful, rest): (Vec<_>, Vec<_>) =
        route.above.iter().partition(|client| client.needs_a_look());
    page.gap();
    if !doubtful.is_empty() && !rest.is_empty() {
        let order = "above the limit, those that do not clearly look like runaways first";
        page.paragraph(0, page.style.strong, order);
    }
    let mut rows = Vec::new();
    elided(page, &mut rows, &doubtful, ABOVE / 2);
    let taken = rows.len();
    elided(page, &mut rows, &rest, ABOVE - taken);
    rows.push(limit_row(page, limit));
    rows.extend(route.below.iter().map(|client| row(page, client, page.style.good)));
    table::write(page, &COLUMNS, &rows);
    let mut described = doubtful;
    // By peak already: the sort is stable.
    described.sort_by_key(|client| client.signs);
    // A test runner of one's own stands at the very top, far above everybody.
    let giant = giant(&route.above);
    described.truncate(if giant.is_some() { DESCRIBED - 1 } else { DESCRIBED });
    let described = described.into_iter().chain(giant).chain(route.below.first());
    describe(page, described.chain(&route.all_day));
}

/// The client whose peak is several times that of the next one.
fn giant(above: &[ClientColumns]) -> Option<&ClientColumns> {
    let strongest = above.iter().max_by_key(|client| client.peak)?;
    let others = above.iter().filter(|client| client.client != strongest.client);
    let next = others.map(|client| client.peak).max()?;
    (strongest.peak / GIANT >= next).then_some(strongest)
}

/// A line each: what a column cannot hold, and the user agent, which often answers the question who
/// this is.
fn describe<'a>(page: &mut Page<'_>, clients: impl Iterator<Item = &'a ClientColumns>) {
    let mut seen: Vec<&str> = Vec::new();
    for client in clients {
        if seen.contains(&client.client.as_str()) {
            continue;
        }
        let (agents, agent) = client.agents_in_words();
        let agents = format!("{agents} {agent}");
        let parts = [client.details.as_str(), agents.trim()];
        let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        if parts.is_empty() {
            continue;
        }
        if seen.is_empty() {
            page.gap();
        }
        seen.push(&client.client);
        page.hanging(2, 2, &format!("{}: {}", client.client, parts.join("; ")));
    }
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

fn row(page: &Page<'_>, client: &ClientColumns, ink: Ansi) -> Row {
    let head = Cell::new(&client.brief);
    let doubtful = ink == page.style.bad && client.needs_a_look();
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
