//! Tables that give up columns, then letters, before they break a line.

use anstyle::Style as Ansi;

use super::page::{Page, cut};
use super::style::paint;
use crate::report::shorten::{agent, shorten};
use crate::units::plain;

/// What may happen to a column on a narrow page.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Narrow {
    /// It stays whole.
    Keep,
    /// It goes; the highest number goes first.
    Drop(u8),
    /// Its texts lose their middle, after all that may go has gone: names are known by both ends.
    Middle,
    /// Its texts lose their end, after all that may go has gone.
    End,
    /// As [`Self::End`], for user agents, which keep what tells their kind.
    Agent,
}

/// One column.
#[derive(Clone, Copy)]
pub(super) struct Column {
    pub(super) head: &'static str,
    /// Numbers stand right, words left.
    pub(super) right: bool,
    pub(super) narrow: Narrow,
}

impl Column {
    pub(super) const fn number(head: &'static str, narrow: Narrow) -> Self {
        Self { head, right: true, narrow }
    }

    pub(super) const fn word(head: &'static str, narrow: Narrow) -> Self {
        Self { head, right: false, narrow }
    }
}

/// One cell.
#[derive(Clone)]
pub(super) struct Cell {
    text: String,
    ink: Ansi,
}

impl Cell {
    /// A cell; the text is made harmless here.
    pub(super) fn new(text: impl AsRef<str>) -> Self {
        Self { text: plain(text.as_ref()).into_owned(), ink: Ansi::new() }
    }

    pub(super) const fn ink(mut self, ink: Ansi) -> Self {
        self.ink = ink;
        self
    }
}

/// One line of a table.
pub(super) enum Row {
    /// As many cells as there are columns.
    Cells(Vec<Cell>),
    /// A line across all columns.
    Note(String, Ansi),
}

const INDENT: usize = 2;
const BETWEEN: usize = 2;
/// Fewest characters of a shortened column: an address, and the words of a client.
const LEAST: usize = 16;

/// Writes a table: a faint head, then the rows.
pub(super) fn write(page: &mut Page<'_>, columns: &[Column], rows: &[Row]) {
    let mut shown: Vec<(usize, usize)> = columns
        .iter()
        .enumerate()
        .map(|(place, column)| {
            let cells = rows.iter().filter_map(|row| match row {
                Row::Cells(cells) => Some(cells[place].text.chars().count()),
                Row::Note(..) => None,
            });
            (place, cells.chain([column.head.chars().count()]).max().unwrap_or_default())
        })
        .collect();
    let total = |shown: &[(usize, usize)]| {
        INDENT + shown.iter().map(|(_, width)| width + BETWEEN).sum::<usize>() - BETWEEN
    };
    while total(&shown) > page.width {
        let next = (0..shown.len())
            .filter_map(|at| match columns[shown[at].0].narrow {
                Narrow::Drop(order) => Some((order, at)),
                Narrow::Keep | Narrow::Middle | Narrow::End | Narrow::Agent => None,
            })
            .max();
        let Some((_, at)) = next else { break };
        shown.remove(at);
    }
    let mut excess = total(&shown).saturating_sub(page.width);
    // Words lose their end before names lose their middle.
    for kind in [Narrow::End, Narrow::Agent, Narrow::Middle] {
        for (place, width) in &mut shown {
            if columns[*place].narrow == kind {
                let given = excess.min(width.saturating_sub(LEAST));
                *width -= given;
                excess -= given;
            }
        }
    }

    let faint = page.style.faint;
    let head: Vec<Cell> = columns.iter().map(|column| Cell::new(column.head).ink(faint)).collect();
    page.line(&line(columns, &shown, &head));
    for row in rows {
        match row {
            Row::Cells(cells) => page.line(&line(columns, &shown, cells)),
            Row::Note(text, ink) => page.paragraph(INDENT, *ink, text),
        }
    }
}

fn line(columns: &[Column], shown: &[(usize, usize)], row: &[Cell]) -> String {
    let mut line = " ".repeat(INDENT);
    for (number, &(place, width)) in shown.iter().enumerate() {
        let cell = &row[place];
        let text = match columns[place].narrow {
            Narrow::End => cut(&cell.text, width),
            Narrow::Agent => agent(&cell.text, width),
            _ => shorten(&cell.text, width),
        };
        let pad = " ".repeat(width - text.chars().count());
        let text = if text.is_empty() { text } else { paint(cell.ink, text) };
        let last = number + 1 == shown.len();
        match (columns[place].right, last) {
            (true, _) => line.extend([pad.as_str(), &text]),
            (false, true) => line.push_str(&text),
            (false, false) => line.extend([text.as_str(), &pad]),
        }
        if !last {
            line.push_str(&" ".repeat(BETWEEN));
        }
    }
    line
}
