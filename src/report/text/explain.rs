//! One client for a terminal or a log file.

use super::page::Page;
use super::replay;
use super::style::paint;
use super::table::{self, Cell, Column, Narrow, Row};
use super::{Style, WIDTHS};
use crate::explain::Explained;
use crate::report::shorten::shorten;
use crate::report::view::{ExplainReport, TallyReport};
use crate::units::{Timestamp, listed, percent, plain, thousands};

/// Values of one list that are shown.
const SHOWN: usize = 6;
/// Cells of a day's line: 20 minutes each.
const CELLS: usize = 72;
const OF_A_CELL: u32 = 86_400 / CELLS as u32;
/// Days that are drawn.
const DAYS: usize = 31;
/// From few to many requests, and nothing before them.
const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const LETTERS: [char; 8] = ['.', ':', '-', '=', '+', '*', '%', '#'];

/// The client as text for `width` columns; `around` is the network around it. Holds no control characters
/// but line breaks and, if the style has colours, its own.
#[must_use]
pub fn explain(found: &Explained, around: Option<String>, style: &Style, width: usize) -> String {
    let report = ExplainReport::new(found, around);
    let mut page = Page::new(style, width.clamp(*WIDTHS.start(), *WIDTHS.end()));
    page.line(&paint(style.strong, shorten(&plain(&report.client), page.width)));
    let why = report.reasons.join("; ");
    page.labelled("looks like", &format!("{}: {why}", report.looks_like));
    for network in &report.networks {
        page.labelled("network", &format!("{} ({})", network.name, network.kind));
    }
    if !report.located.is_empty() {
        page.labelled("located", &report.located.join("; "));
    }
    page.labelled("came", &report.came_in_words());
    page.labelled("busiest", &report.busiest_in_words());
    if let Some(text) = report.rhythm_in_words() {
        page.labelled("rhythm", &text);
    }
    for (label, tally) in [
        ("statuses", &report.statuses),
        ("protocols", &report.protocols),
        ("countries", &report.countries),
        ("operators (ASN)", &report.operators),
    ] {
        if let Some(text) = report.shares_in_words(tally) {
            page.labelled(label, &text);
        }
    }
    if let Some(text) = report.around_in_words() {
        page.labelled(report.around_label(), &text);
    }
    page.gap();
    days(&mut page, found);
    page.gap();
    list(&mut page, Column::word("path", Narrow::End), &report.paths, report.requests);
    page.gap();
    list(&mut page, Column::word("user agent", Narrow::Agent), &report.agents, report.requests);
    let (seeing, blind): (Vec<_>, Vec<_>) = report.rules.iter().partition(|rule| rule.requests > 0);
    for rule in seeing {
        page.gap();
        replay::write_for_one(&mut page, rule);
    }
    if !blind.is_empty() {
        page.gap();
        let names: Vec<_> = blind.iter().map(|rule| plain(&rule.name)).collect();
        page.labelled("see nothing", &format!("of its requests: {}", listed(&names)));
    }
    page.finish()
}

/// The week as a strip of a line a day.
fn days(page: &mut Page<'_>, found: &Explained) {
    let cells = &found.rhythm.five_minutes;
    let most = cells.values().copied().max().unwrap_or_default();
    let marks = if page.style.bars { BLOCKS } else { LETTERS };
    let mark = |requests: u32| match requests {
        0 => ' ',
        // Each mark stands for the same factor: a few requests stay visible beside thousands.
        _ => {
            let height = f64::from(requests).ln() / f64::from(most).ln().max(1e-9);
            marks[((height * 7.0).round() as usize).min(7)]
        }
    };
    let day = |time: i64| time.div_euclid(86_400);
    let (first, last) = (day(found.first.0), day(found.last.0));
    page.paragraph(
        2,
        page.style.faint,
        &format!(
            "requests in 5 minutes, the most of each 20 minutes, by UTC day: {} is 1, {} is {}",
            mark(1),
            marks[7],
            thousands(most.into())
        ),
    );
    let head: String = (0..24).step_by(3).map(|hour| format!("{hour:<9}")).collect();
    page.line(&format!("  {:10}  {}", "", paint(page.style.faint, head.trim_end())));
    for day in (first..=last).take(DAYS) {
        let start = day * 86_400;
        let line: String = (0..CELLS as i64)
            .map(|cell| {
                let from = (start + cell * i64::from(OF_A_CELL)).max(0) as u32;
                let within = cells.range(from..from + OF_A_CELL).map(|(_, requests)| *requests);
                mark(within.max().unwrap_or_default())
            })
            .collect();
        let date = Timestamp(start).date_text();
        page.line(&format!("  {date}  {line}"));
    }
    let left = (last - first + 1) as u64;
    if let Some(more) = left.checked_sub(DAYS as u64).filter(|more| *more > 0) {
        let more = format!("and {} more days; --format json has them", thousands(more));
        page.paragraph(2, page.style.faint, &more);
    }
}

fn list(page: &mut Page<'_>, texts: Column, tally: &TallyReport, all: u64) {
    let columns =
        [Column::number("requests", Narrow::Keep), Column::number("share", Narrow::Keep), texts];
    let rows = tally.top.iter().take(SHOWN).map(|one| {
        Row::Cells(vec![
            Cell::new(thousands(one.requests)),
            Cell::new(percent(one.requests as f64 / all as f64)),
            Cell::new(&one.text),
        ])
    });
    let more = tally.distinct.saturating_sub(SHOWN) as u64;
    let note =
        (more > 0).then(|| Row::Note(format!("and {} more", thousands(more)), page.style.faint));
    table::write(page, &columns, &rows.chain(note).collect::<Vec<_>>());
}
