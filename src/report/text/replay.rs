//! A replay for a terminal or a log file.

use super::page::Page;
use super::style::paint;
use super::table::{self, Cell, Column, Narrow, Row};
use super::{Style, WIDTHS};
use crate::report::Replay;
use crate::report::shorten::shorten;
use crate::report::view::{GRID, ReplayReport, ReplayedRule};
use crate::units::{plain, thousands};

/// Clients of one list that are shown; the JSON has all.
const SHOWN: usize = 12;

const LIMITED: [Column; 8] = [
    Column::word("client", Narrow::Middle),
    Column::word("network", Narrow::Drop(1)),
    Column::number("peak", Narrow::Keep),
    Column::word("first limited", Narrow::Drop(3)),
    Column::word("last", Narrow::Drop(4)),
    Column::word("limited for", Narrow::Drop(2)),
    Column::number("let through", Narrow::Drop(0)),
    Column::number("acted on", Narrow::Keep),
];

const NEAR: [Column; 4] = [
    Column::word("near the limit", Narrow::Middle),
    Column::word("network", Narrow::Drop(0)),
    Column::number("peak", Narrow::Keep),
    Column::number("requests", Narrow::Keep),
];

const CELLS: [Column; 5] = [
    Column::number("limit", Narrow::Keep),
    Column::word("60 s", Narrow::Keep),
    Column::word("120 s", Narrow::Keep),
    Column::word("300 s", Narrow::Keep),
    Column::word("600 s", Narrow::Keep),
];

/// The replay as text for `width` columns. Holds no control characters but line breaks and, if the style
/// has colours, its own.
#[must_use]
pub fn replay(replay: &Replay, style: &Style, width: usize) -> String {
    let report = ReplayReport::new(replay);
    let mut page = Page::new(style, width.clamp(*WIDTHS.start(), *WIDTHS.end()));
    page.paragraph(0, style.faint, &report.head_in_words());
    for rule in &report.rules {
        page.gap();
        write_rule(&mut page, rule);
    }
    for left in &report.left_out {
        page.gap();
        page.line(&format!("rule {}", paint(style.strong, plain(&left.name))));
        page.labelled_in(style.careful, "not replayed", &left.why);
    }
    page.finish()
}

/// What a rule would have done to the one client that was looked at.
pub(super) fn write_for_one(page: &mut Page<'_>, rule: &ReplayedRule) {
    let style = page.style;
    let title = shorten(&plain(&rule.name), page.width.saturating_sub("rule ".len()));
    page.line(&format!("rule {}", paint(style.strong, title)));
    page.labelled("route", &rule.route);
    page.labelled("limit", &rule.limit_in_words());
    let (ink, text) = match (rule.limited.first(), rule.near.first()) {
        (Some(one), _) => (style.bad, one.in_words(rule)),
        (None, Some(near)) => {
            (style.careful, format!("near it: its peak is {}", thousands(near.peak.into())))
        }
        (None, None) => (
            style.good,
            format!("not limited; the rule saw {} of its requests", thousands(rule.requests)),
        ),
    };
    page.labelled_in(ink, "this client", &text);
    for careful in &rule.careful {
        page.labelled_in(style.careful, "careful", careful);
    }
}

fn write_rule(page: &mut Page<'_>, rule: &ReplayedRule) {
    let style = page.style;
    let title = shorten(&plain(&rule.name), page.width.saturating_sub("rule ".len()));
    page.line(&format!("rule {}", paint(style.strong, title)));
    page.labelled("route", &rule.route);
    page.labelled("limit", &rule.limit_in_words());
    let ink = if rule.limited.is_empty() { style.good } else { style.bad };
    page.labelled_in(ink, "limited", &rule.limited_in_words());
    let warnings = [rule.wronged_in_words(), rule.too_many_in_words()].into_iter().flatten();
    for warning in warnings.chain(rule.careful.iter().cloned()) {
        page.labelled_in(style.careful, "careful", &warning);
    }
    page.labelled("near", &rule.near_in_words());
    if let Some(text) = rule.days_in_words() {
        page.labelled("day by day", &text);
    }
    if !rule.limited.is_empty() {
        page.gap();
        let rows = rule.limited.iter().take(SHOWN).map(|one| {
            Row::Cells(vec![
                Cell::new(&one.client),
                Cell::new(one.network.as_deref().unwrap_or_default()),
                Cell::new(thousands(one.peak.into())).ink(style.bad),
                Cell::new(&one.first),
                Cell::new(&one.last),
                Cell::new(one.time_in_words()),
                Cell::new(thousands(one.requests - one.acted_on)),
                Cell::new(thousands(one.acted_on)),
            ])
        });
        let rows: Vec<Row> = rows.chain(more(page, rule.limited.len())).collect();
        table::write(page, &LIMITED, &rows);
    }
    if !rule.near.is_empty() {
        page.gap();
        let rows = rule.near.iter().take(SHOWN).map(|one| {
            Row::Cells(vec![
                Cell::new(&one.client),
                Cell::new(one.network.as_deref().unwrap_or_default()),
                Cell::new(thousands(one.peak.into())),
                Cell::new(thousands(one.requests)),
            ])
        });
        let rows: Vec<Row> = rows.chain(more(page, rule.near.len())).collect();
        table::write(page, &NEAR, &rows);
    }
    if let Some(words) = rule.empty_grid_in_words() {
        page.labelled("other limits", &words);
    } else if !rule.grid.is_empty() {
        page.gap();
        let rows = rule.grid.iter().map(|row| {
            let own = row.limit == rule.limit;
            let ink = if own { style.strong } else { anstyle::Style::new() };
            let cells = row.windows.iter().map(|cell| {
                let ink = if cell.hit > 0 { style.careful } else { style.good };
                Cell::new(cell.in_words()).ink(ink)
            });
            let limit = Cell::new(thousands(row.limit.into())).ink(ink);
            Row::Cells([limit].into_iter().chain(cells).collect())
        });
        let rows: Vec<Row> = rows.chain([Row::Note(GRID.to_owned(), style.faint)]).collect();
        table::write(page, &CELLS, &rows);
    }
}

fn more(page: &Page<'_>, all: usize) -> Option<Row> {
    let more = all.checked_sub(SHOWN).filter(|more| *more > 0)?;
    let text = format!("and {} more; --format json lists them", thousands(more as u64));
    Some(Row::Note(text, page.style.faint))
}
