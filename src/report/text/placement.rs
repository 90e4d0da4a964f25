//! Which layer for which problem, for a terminal or a log file.

use super::page::Page;
use super::style::paint;
use super::table::{self, Cell, Column, Narrow, Row};
use super::{Style, WIDTHS};
use crate::placement::Placement;
use crate::report::shorten::shorten;
use crate::report::view::PlacementReport;
use crate::units::plain;
use crate::wafv2::dollars;

const COSTS: [Column; 4] = [
    Column::word("layer", Narrow::Keep),
    Column::word("in policy", Narrow::Keep),
    Column::number("a month", Narrow::Keep),
    Column::word("of which", Narrow::End),
];

/// The advice as text for `width` columns. Holds no control characters but line breaks and, if the style has
/// colours, its own.
#[must_use]
pub fn placement(placement: &Placement, style: &Style, width: usize) -> String {
    let report = PlacementReport::new(placement);
    let mut page = Page::new(style, width.clamp(*WIDTHS.start(), *WIDTHS.end()));
    for route in &report.routes {
        page.gap();
        let head = format!("{}  {}", plain(&route.name), plain(&route.route));
        page.line(&paint(style.strong, shorten(&head, page.width)));
        page.labelled("looks like", &format!("{}; {}", route.purpose, route.requests_in_words()));
        for layer in &route.layers {
            let ink = if layer.in_policy { style.good } else { style.careful };
            page.labelled_in(ink, layer.layer, &layer.in_words());
        }
    }
    if !report.never_limited.is_empty() {
        page.gap();
        page.line(&paint(style.strong, "never limited"));
        for spared in &report.never_limited {
            page.labelled(&shorten(&plain(&spared.path), 15), &spared.why);
        }
    }
    page.gap();
    page.paragraph(0, style.faint, &report.traffic_in_words());
    if !report.costs.is_empty() {
        page.gap();
        let rows: Vec<Row> = report
            .costs
            .iter()
            .map(|bill| {
                Row::Cells(vec![
                    Cell::new(bill.layer),
                    Cell::new(if bill.in_policy { "yes" } else { "no" }),
                    Cell::new(dollars(bill.cents)),
                    Cell::new(bill.posts_in_words()),
                ])
            })
            .collect();
        table::write(&mut page, &COSTS, &rows);
        page.gap();
        for bill in &report.costs {
            page.labelled(bill.layer, bill.note);
        }
        page.gap();
        page.paragraph(0, style.faint, &format!("prices: {}", report.prices));
    }
    page.finish()
}
