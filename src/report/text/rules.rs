//! What the rules of a web ACL did, where the logs tell it.

use super::page::Page;
use super::style::paint;
use super::table::{self, Cell, Column, Narrow, Row};
use crate::report::shorten::shorten;
use crate::report::view::{RuleReport, requests_in_words};
use crate::units::{plain, thousands};

/// Clients of one rule that are shown; the JSON has all.
const SHOWN: usize = 10;

const COLUMNS: [Column; 4] = [
    Column::word("client", Narrow::Middle),
    Column::word("requests", Narrow::Keep),
    Column::word("first", Narrow::Drop(1)),
    Column::word("last", Narrow::Drop(0)),
];

pub(super) fn write(page: &mut Page<'_>, rule: &RuleReport) {
    let title = shorten(&plain(&rule.name), page.width.saturating_sub("rule ".len()));
    page.line(&format!("rule {}", paint(page.style.strong, title)));
    page.labelled("did", &rule.acted_in_words());
    match &rule.expected {
        Some(expected) => {
            page.labelled("expected", &expected.in_words());
            for (label, text) in [
                ("missed", expected.missed_in_words()),
                ("unexpected", expected.surprising_in_words()),
            ] {
                if let Some(text) = text {
                    page.labelled_in(page.style.careful, label, &text);
                }
            }
        }
        None => page.labelled("not compared", &rule.not_compared),
    }
    if rule.acted_on.is_empty() {
        return;
    }
    page.gap();
    let mut rows: Vec<Row> = (rule.acted_on.iter().take(SHOWN))
        .map(|acted| {
            Row::Cells(vec![
                Cell::new(&acted.client),
                Cell::new(requests_in_words(&acted.requests)),
                Cell::new(&acted.first),
                Cell::new(&acted.last),
            ])
        })
        .collect();
    if let Some(more) = rule.acted_on.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        let more = format!("and {} more; --format json lists them", thousands(more as u64));
        rows.push(Row::Note(more, page.style.faint));
    }
    table::write(page, &COLUMNS, &rows);
}
