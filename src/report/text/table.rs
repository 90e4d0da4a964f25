//! Tables that give up columns, then letters, before they break a line.

use anstyle::Style as Ansi;

use super::page::{Page, shorten};
use super::style::paint;
use crate::units::plain;

/// What may happen to a column on a narrow page.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Narrow {
    /// It stays whole.
    Keep,
    /// It goes; the highest number goes first.
    Drop(u8),
    /// Its texts lose their middle, after all that may go has gone.
    Shorten,
}

/// One column.
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

const INDENT: usize = 2;
const BETWEEN: usize = 2;
/// Fewest characters of a shortened column.
const LEAST: usize = 16;

/// Writes a table: a faint head, then the rows.
pub(super) fn write(page: &mut Page<'_>, columns: &[Column], rows: &[Vec<Cell>]) {
    let mut shown: Vec<(usize, usize)> = columns
        .iter()
        .enumerate()
        .map(|(place, column)| {
            let cells = rows.iter().map(|row| row[place].text.chars().count());
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
                Narrow::Keep | Narrow::Shorten => None,
            })
            .max();
        let Some((_, at)) = next else { break };
        shown.remove(at);
    }
    let mut excess = total(&shown).saturating_sub(page.width);
    while excess > 0 {
        let widest = shown
            .iter_mut()
            .filter(|(place, width)| columns[*place].narrow == Narrow::Shorten && *width > LEAST)
            .max_by_key(|(_, width)| *width);
        let Some((_, width)) = widest else { break };
        *width -= 1;
        excess -= 1;
    }

    let faint = page.style.faint;
    let head: Vec<Cell> = columns.iter().map(|column| Cell::new(column.head).ink(faint)).collect();
    for row in std::iter::once(&head).chain(rows) {
        let mut line = " ".repeat(INDENT);
        for (number, &(place, width)) in shown.iter().enumerate() {
            let cell = &row[place];
            let text = shorten(&cell.text, width);
            let pad = " ".repeat(width - text.chars().count());
            let last = number + 1 == shown.len();
            match (columns[place].right, last) {
                (true, _) => line.extend([pad.as_str(), &paint(cell.ink, text)]),
                (false, true) => line.push_str(&paint(cell.ink, text)),
                (false, false) => line.extend([paint(cell.ink, text).as_str(), &pad]),
            }
            if !last {
                line.push_str(&" ".repeat(BETWEEN));
            }
        }
        page.line(&line);
    }
}
