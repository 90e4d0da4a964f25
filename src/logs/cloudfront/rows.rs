//! Blocks of a real-time log to records, with line ends between them or without: Firehose puts records
//! one after another as they come.

use crate::logs::lines::{ENDLESS, LONGEST, Line};

/// `1607374321.541`
const TIMESTAMP: usize = 14;

/// Cuts blocks into records of a known number of columns, of which the first is a time.
#[derive(Debug, Default)]
pub(in crate::logs) struct Rows {
    columns: usize,
    carry: Vec<u8>,
    overflow: bool,
    unfinished: u64,
    number: u64,
    glued: bool,
}

impl Rows {
    /// Forgets everything, for the next file.
    pub(in crate::logs) fn restart(&mut self) {
        *self = Self::default();
    }

    /// The records of this file have so many columns.
    pub(in crate::logs) fn expect(&mut self, columns: u16) {
        self.columns = columns.into();
    }

    /// Whether any two records had no line end between them.
    pub(in crate::logs) fn glued(&self) -> bool {
        self.glued
    }

    /// See [`Lines::endless`](crate::logs::lines::Lines::endless).
    pub(in crate::logs) fn endless(&self) -> Option<u64> {
        (self.unfinished > ENDLESS).then_some(self.number + 1)
    }

    /// Seconds with three decimals.
    pub(super) fn is_timestamp(text: &[u8]) -> bool {
        text.len() == TIMESTAMP
            && text.iter().enumerate().all(|(place, byte)| match place {
                10 => *byte == b'.',
                _ => byte.is_ascii_digit(),
            })
    }

    /// Hands over each record that ends in this block, with its number from 1.
    pub(in crate::logs) fn feed(
        &mut self,
        block: &[u8],
        mut each: impl FnMut(u64, Line<'_>) -> bool,
    ) -> bool {
        let mut carry = std::mem::take(&mut self.carry);
        let text = if carry.is_empty() {
            block
        } else {
            carry.extend_from_slice(block);
            &carry
        };
        let mut start = 0;
        let mut tabs = 0;
        let mut last = 0;
        let mut go_on = true;
        for at in memchr::memchr2_iter(b'\t', b'\n', text) {
            let end = if text[at] == b'\n' {
                at
            } else {
                tabs += 1;
                let begun = at.saturating_sub(TIMESTAMP);
                let glued = tabs == self.columns
                    && begun >= last
                    && begun > start
                    && Self::is_timestamp(&text[begun..at]);
                last = at + 1;
                if !glued {
                    continue;
                }
                self.glued = true;
                begun
            };
            if !self.end(&text[start..end], &mut each) {
                go_on = false;
                break;
            }
            let line_end = text[at] == b'\n';
            start = if line_end { at + 1 } else { end };
            last = at + 1;
            tabs = usize::from(!line_end);
        }
        self.keep(text[start..].to_vec());
        go_on && self.endless().is_none()
    }

    /// Hands over a last record without a line end.
    pub(in crate::logs) fn finish(&mut self, each: &mut impl FnMut(u64, Line<'_>) -> bool) -> bool {
        let rest = std::mem::take(&mut self.carry);
        (rest.is_empty() && !self.overflow) || self.end(&rest, each)
    }

    fn end(&mut self, text: &[u8], each: &mut impl FnMut(u64, Line<'_>) -> bool) -> bool {
        self.number += 1;
        self.unfinished = 0;
        let too_long = std::mem::take(&mut self.overflow) || text.len() > LONGEST;
        each(self.number, if too_long { Line::TooLong } else { Line::Text(text) })
    }

    fn keep(&mut self, rest: Vec<u8>) {
        self.overflow = self.overflow || rest.len() > LONGEST;
        if self.overflow {
            self.unfinished += rest.len() as u64;
            self.carry.clear();
        } else {
            self.carry = rest;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str, block: usize) -> (Vec<String>, bool) {
        let mut rows = Rows::default();
        rows.expect(3);
        let mut seen = Vec::new();
        let mut each = |_, line: Line<'_>| {
            seen.push(match line {
                Line::Text(text) => String::from_utf8_lossy(text).into_owned(),
                Line::TooLong => "too long".to_owned(),
            });
            true
        };
        for part in text.as_bytes().chunks(block) {
            rows.feed(part, &mut each);
        }
        rows.finish(&mut each);
        (seen, rows.glued())
    }

    #[test]
    fn records_are_found_with_and_without_line_ends() {
        let records = ["1607374321.541\ta\tb", "1607374322.000\tc\t99", "1607374323.999\t\t-"];
        for (glue, glued) in [("\n", false), ("", true)] {
            let text = records.join(glue);
            for block in 1..=text.len() {
                assert_eq!(
                    cut(&text, block),
                    (records.map(str::to_owned).to_vec(), glued),
                    "{block}"
                );
            }
        }
    }

    #[test]
    fn what_is_no_time_begins_no_record() {
        let text = "1607374321.541\ta\tb\t\n1607374321.541\ta\t-1607374321.54\tx\n";
        let seen = cut(text, text.len()).0;
        assert_eq!(seen, ["1607374321.541\ta\tb\t", "1607374321.541\ta\t-1607374321.54\tx"]);
    }

    #[test]
    fn a_record_over_a_megabyte_is_told_not_kept() {
        let text = format!("1607374321.541\ta\t{}\n1607374321.541\ta\tb\n", "x".repeat(LONGEST));
        for block in [4_096, text.len()] {
            assert_eq!(cut(&text, block).0, ["too long", "1607374321.541\ta\tb"], "{block}");
        }
    }
}
