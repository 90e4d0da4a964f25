//! One request, borrowed from the line it stands in.

use super::fields::{Field, FieldList};

/// How many columns of a line are looked at. Wider logs keep their needed fields in the first 128
/// (CloudFront allows 128 names at most).
pub(super) const MAXIMUM_COLUMNS: usize = 128;

/// Where the columns of one line lie.
#[derive(Debug)]
pub(super) struct Columns {
    /// Where each column ends (its tab, or the end of the line).
    pub(super) ends: [u32; MAXIMUM_COLUMNS],
    /// Columns found.
    pub(super) found: usize,
}

impl Default for Columns {
    fn default() -> Self {
        Self { ends: [0; MAXIMUM_COLUMNS], found: 0 }
    }
}

impl Columns {
    /// The text of a column; `None` if the line has fewer.
    #[inline]
    pub(super) fn get<'a>(&self, line: &'a [u8], column: usize) -> Option<&'a [u8]> {
        if column >= self.found {
            return None;
        }
        let start = if column == 0 { 0 } else { self.ends[column - 1] as usize + 1 };
        line.get(start..self.ends[column] as usize)
    }
}

/// A request as a log line has it. Texts are as logged: percent-escapes of the log are still there.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// Arrival in whole seconds since 1970: the logged end without its fraction, less the whole
    /// seconds it took.
    pub arrival: i64,
    /// The client's address as written.
    pub client: &'a [u8],
    /// The method; empty if the log has none.
    pub method: &'a [u8],
    /// The path without the query, in the log's escaping.
    pub path: &'a [u8],
    pub(super) line: &'a [u8],
    pub(super) columns: &'a Columns,
    pub(super) fields: &'a FieldList,
}

impl<'a> Request<'a> {
    /// A further field; `None` if the log does not have it, or has no value (`-` or nothing).
    #[inline]
    #[must_use]
    pub fn field(&self, field: Field) -> Option<&'a [u8]> {
        let text = self.columns.get(self.line, self.fields.column(field)?)?;
        (text != b"-" && !text.is_empty()).then_some(text)
    }

    /// Whether the log has such a column at all.
    #[inline]
    #[must_use]
    pub fn has(&self, field: Field) -> bool {
        self.fields.column(field).is_some()
    }

    /// The status code; `None` for `-`, `000` (the viewer left before an answer) and nonsense.
    #[inline]
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        let text = self.field(Field::Status)?;
        if text.len() != 3 || !text.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let code = text.iter().fold(0, |code, digit| code * 10 + u16::from(digit - b'0'));
        (code > 0).then_some(code)
    }
}
