//! One request, borrowed from the line it stands in.

use super::fields::{Field, FieldList};
use super::rule_matches::{RuleMatch, RuleMatches};
use super::source::Source;
use super::stamp::whole_seconds;
use super::tabs::{WINDOW, tabs_of};

/// How many columns of a line are looked at. Wider logs keep their needed fields in the first 128
/// (CloudFront allows 128 names at most).
pub(super) const MAXIMUM_COLUMNS: usize = 128;

/// Where the columns of one line lie, as far as anybody asked.
#[derive(Debug)]
pub(super) struct Columns {
    /// Where each column starts, and behind the last one found where the next would: one byte after the
    /// tab, or after the end of the line.
    starts: [u32; MAXIMUM_COLUMNS + 1],
    /// Columns found.
    found: usize,
    /// The tabs of the window before `next` that are still to be noted, one bit each.
    tabs: u64,
    /// Where the next window starts.
    next: usize,
    /// There is no next window.
    last: bool,
}

impl Default for Columns {
    fn default() -> Self {
        Self { starts: [0; MAXIMUM_COLUMNS + 1], found: 0, tabs: 0, next: 0, last: false }
    }
}

impl Columns {
    /// Forgets the last line.
    #[inline]
    pub(super) fn restart(&mut self) {
        self.found = 0;
        self.tabs = 0;
        self.next = 0;
        self.last = false;
    }

    /// Adds a column that ends here, and nothing is to be looked for in between.
    pub(super) fn push(&mut self, end: usize) {
        if self.found < MAXIMUM_COLUMNS {
            self.found += 1;
            self.starts[self.found] = end as u32 + 1;
        }
    }

    /// There are no more columns than were found or added.
    pub(super) fn complete(&mut self) {
        self.tabs = 0;
        self.last = true;
    }

    /// The text of a column; `None` if the line has fewer. Most lines are of no route, and nobody asks
    /// for their later columns: these are not looked for before somebody does.
    #[inline]
    pub(super) fn get<'a>(&mut self, line: &'a [u8], column: usize) -> Option<&'a [u8]> {
        if column >= self.found {
            self.find_more(line, column + 1);
        }
        self.at(line, column)
    }

    /// As [`Self::find`], for whoever finds most of what is asked for found already.
    #[inline(never)]
    fn find_more(&mut self, line: &[u8], wanted: usize) {
        self.find(line, wanted);
    }

    /// The text of a column that was found; `None` of any other.
    #[inline]
    pub(super) fn at<'a>(&self, line: &'a [u8], column: usize) -> Option<&'a [u8]> {
        if column >= self.found {
            return None;
        }
        let [start, next] = *self.starts.get(column..)?.first_chunk()?;
        line.get(start as usize..next as usize - 1)
    }

    /// Finds columns until there are so many, or the line ends.
    #[inline]
    pub(super) fn find(&mut self, line: &[u8], wanted: usize) {
        let wanted = wanted.min(MAXIMUM_COLUMNS);
        let Self { starts, found: all, tabs: left, next: after, last } = self;
        let (mut found, mut tabs, mut next) = (*all, *left, *after);
        while found < wanted {
            while tabs == 0 {
                if *last {
                    (*all, *left, *after) = (found, tabs, next);
                    return;
                }
                let rest = line.get(next..).unwrap_or_default();
                tabs = match rest.first_chunk() {
                    Some(window) => tabs_of(window),
                    None => {
                        *last = true;
                        tabs_of_end(rest)
                    }
                };
                next += WINDOW;
            }
            found += 1;
            starts[found] = (next - WINDOW + 1) as u32 + tabs.trailing_zeros();
            tabs &= tabs - 1;
        }
        (*all, *left, *after) = (found, tabs, next);
    }
}

/// The tabs of what is left of a line, shorter than a window, and one more where it ends.
#[cold]
fn tabs_of_end(rest: &[u8]) -> u64 {
    let mut window = [0; WINDOW];
    window[..rest.len()].copy_from_slice(rest);
    window[rest.len()] = b'\t';
    tabs_of(&window)
}

/// A longer request is none; its duration is nonsense.
const LONGEST_SECONDS: i64 = 30 * 86_400;

/// A request as a log line has it. Texts are as logged: percent-escapes of the log are still there.
#[derive(Debug)]
pub struct Request<'a> {
    /// The time the log gives, in whole seconds since 1970: the end of the response.
    pub ended: i64,
    /// The client's address as written.
    pub client: &'a [u8],
    /// The method; empty if the log has none.
    pub method: &'a [u8],
    /// The path without the query, in the log's escaping.
    pub path: &'a [u8],
    /// The arrival, if the log gives it itself.
    pub(super) arrived: Option<i64>,
    /// What the rules of a web ACL did, if the log tells it.
    pub(super) rules: Option<&'a RuleMatches>,
    pub(super) line: &'a [u8],
    pub(super) columns: &'a mut Columns,
    pub(super) fields: &'a FieldList,
}

impl<'a> Request<'a> {
    /// Arrival in whole seconds since 1970: as logged, or else the logged end without its fraction, less
    /// the whole seconds it took.
    #[inline]
    #[must_use]
    pub fn arrival(&mut self) -> i64 {
        if let Some(arrived) = self.arrived {
            return arrived;
        }
        let taken = self.field(Field::TimeTaken).and_then(whole_seconds).unwrap_or(0);
        if taken <= LONGEST_SECONDS { (self.ended - taken).max(0) } else { self.ended }
    }

    /// A further field; `None` if the log does not have it, or has no value (`-` or nothing).
    #[inline]
    #[must_use]
    pub fn field(&mut self, field: Field) -> Option<&'a [u8]> {
        let text = self.columns.get(self.line, self.fields.column(field)?)?;
        (text != b"-" && !text.is_empty()).then_some(text)
    }

    /// Whether the log has such a column at all.
    #[inline]
    #[must_use]
    pub fn has(&self, field: Field) -> bool {
        self.fields.column(field).is_some()
    }

    /// The rules of a web ACL that matched; none where the log does not tell.
    pub fn rule_matches(&self) -> impl Iterator<Item = RuleMatch<'a>> + use<'a> {
        self.rules.into_iter().flat_map(RuleMatches::iter)
    }

    /// What wrote the log.
    #[inline]
    #[must_use]
    pub const fn source(&self) -> Source {
        self.fields.source
    }

    /// The status code; `None` for `-`, `000` (the viewer left before an answer) and nonsense.
    #[inline]
    #[must_use]
    pub fn status(&mut self) -> Option<u16> {
        let text = self.field(Field::Status)?;
        if text.len() != 3 || !text.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let code = text.iter().fold(0, |code, digit| code * 10 + u16::from(digit - b'0'));
        (code > 0).then_some(code)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn columns_are_those_between_tabs(
            line in "([a-z]{0,3}\t|[a-z]{40,90}\t|\t{1,150}){0,40}[a-z]{0,100}",
            asked in prop::collection::vec(0..MAXIMUM_COLUMNS, 1..8),
        ) {
            let line = line.as_bytes();
            let expected: Vec<&[u8]> = line.split(|&byte| byte == b'\t').collect();
            let mut columns = Columns::default();
            columns.find(line, asked[0]);
            for column in asked {
                prop_assert_eq!(columns.get(line, column), expected.get(column).copied());
            }
        }
    }
}
