//! The peaks as bars: both axes logarithmic, with the limit drawn in.

use anstyle::Style as Ansi;

use super::page::Page;
use super::style::paint;
use crate::units::thousands;

/// Rows of bars.
const ROWS: usize = 3;
/// Heights that a row can show.
const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Columns left of the bars, for the largest number of clients.
const MARGIN: usize = 10;
/// Most columns of bars: more only makes the bars thinner.
const MOST: usize = 84;

/// A line across the bars: a limit or a ceiling, with its name.
pub(super) struct Mark {
    pub(super) name: &'static str,
    /// Requests per window: clients with a larger peak are right of the line.
    pub(super) at: u32,
}

/// Where on the page a peak is.
struct Axis {
    start: f64,
    step: f64,
    columns: usize,
}

impl Axis {
    fn new(largest: u32, columns: usize) -> Self {
        let start = 0.5f64.ln();
        // A little room to the right, so that the largest does not touch the edge.
        let end = (f64::from(largest) * 1.15 + 0.5).ln();
        Self { start, step: (end - start) / columns as f64, columns }
    }

    fn column(&self, value: f64) -> usize {
        let at = (value.ln() - self.start) / self.step;
        (at.max(0.0) as usize).min(self.columns - 1)
    }

    /// The columns that show one whole number. Small numbers are several columns wide: else the
    /// distance from 1 to 2 would look like a gap.
    fn columns_of(&self, peak: u32) -> std::ops::RangeInclusive<usize> {
        let peak = f64::from(peak);
        let centre = |value: f64| (value.ln() - self.start) / self.step - 0.5;
        let first = centre(peak - 0.5).ceil().max(0.0) as usize;
        let last = centre(peak + 0.5).ceil() - 1.0;
        if last < first as f64 {
            let only = self.column(peak);
            return only..=only;
        }
        first..=(last as usize).min(self.columns - 1)
    }
}

/// Writes the bars; nothing without a client. `peaks` in any order, each with its number of clients.
pub(super) fn write(page: &mut Page<'_>, peaks: &[(u32, u64)], mark: &Mark) {
    let Some(largest) = peaks.iter().map(|(peak, _)| *peak).max() else { return };
    let columns = page.width.saturating_sub(MARGIN + 2).clamp(30, MOST);
    let axis = Axis::new(largest.max(mark.at), columns);
    let counts = counts(peaks, &axis);
    let most = counts.iter().copied().max().unwrap_or(1);
    let line = axis.column(f64::from(mark.at) + 0.5);

    let name = format!("{} {}", mark.name, thousands(mark.at.into()));
    let start = (MARGIN + line).saturating_sub(name.chars().count() / 2);
    let start = start.min(page.width.saturating_sub(name.chars().count()));
    page.line(&format!("{:start$}{}", "", paint(page.style.strong, name)));

    for row in 0..ROWS {
        let label = if row == 0 { thousands(most) } else { String::new() };
        let mut text = paint(page.style.faint, format!("{label:>width$}  ", width = MARGIN - 2));
        let below = (ROWS - 1 - row) * 8;
        let cells: Vec<(Ansi, char)> = (counts.iter().enumerate())
            .map(|(column, &count)| {
                let block = height(count, most).saturating_sub(below).min(8);
                match (block, column == line) {
                    (0, true) => (page.style.strong, '│'),
                    (0, false) => (Ansi::new(), ' '),
                    _ if column > line => (page.style.bad, BLOCKS[block]),
                    _ => (page.style.good, BLOCKS[block]),
                }
            })
            .collect();
        for run in cells.chunk_by(|a, b| a.0 == b.0) {
            let blocks: String = run.iter().map(|cell| cell.1).collect();
            text.push_str(&paint(run[0].0, blocks));
        }
        page.line(&text);
    }
    let ticks = ticks(&axis, largest.max(mark.at));
    page.line(&paint(page.style.faint, format!("{:<MARGIN$}{ticks}", "    peak")));
}

/// Clients per column.
fn counts(peaks: &[(u32, u64)], axis: &Axis) -> Vec<u64> {
    let mut sorted: Vec<(u32, u64)> = peaks.iter().copied().filter(|&(peak, _)| peak > 0).collect();
    sorted.sort_unstable();
    let mut counts = vec![0; axis.columns];
    for same in sorted.chunk_by(|a, b| a.0 == b.0) {
        let clients: u64 = same.iter().map(|(_, clients)| clients).sum();
        for column in axis.columns_of(same[0].0) {
            counts[column] += clients;
        }
    }
    counts
}

/// Eighths of a row: one for a single client, all of them for the most.
fn height(count: u64, most: u64) -> usize {
    if count == 0 {
        return 0;
    }
    let full = (ROWS * 8 - 1) as f64;
    let part = if most > 1 { (count as f64).ln() / (most as f64).ln() } else { 0.0 };
    1 + (part * full).round() as usize
}

/// `1      10      100`, each number starting at its column.
fn ticks(axis: &Axis, largest: u32) -> String {
    let mut text = String::new();
    let mut tick = 1u32;
    while tick <= largest {
        let column = axis.column(f64::from(tick));
        let label = thousands(tick.into());
        if column + label.len() <= axis.columns {
            text.push_str(&" ".repeat(column.saturating_sub(text.len())));
            text.push_str(&label);
        }
        let Some(next) = tick.checked_mul(10) else { break };
        tick = next;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_client_is_on_the_page_and_small_numbers_leave_no_holes() {
        let axis = Axis::new(7_383, 70);
        let mut last = None;
        for peak in 1..=7_383 {
            let columns = axis.columns_of(peak);
            assert!(columns.start() <= columns.end() && *columns.end() < 70, "{peak}");
            if let Some(last) = last {
                assert!(*columns.start() <= last + 1, "a hole before {peak}");
                assert!(*columns.end() >= last, "{peak} goes back");
            }
            last = Some(*columns.end());
        }
        assert_eq!(counts(&[(1, 1), (1, 2)], &Axis::new(1, 30)).iter().max(), Some(&3));
    }

    #[test]
    fn one_client_is_visible_beside_thousands() {
        assert_eq!(height(0, 5_000), 0);
        assert_eq!(height(1, 5_000), 1);
        assert_eq!(height(5_000, 5_000), ROWS * 8);
        assert_eq!(height(1, 1), 1);
    }
}
