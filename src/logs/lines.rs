//! Blocks of text to lines, wherever the blocks were cut.

use super::carry::Carry;

/// The longest line that is looked at; longer ones are skipped and counted. CloudFront's own bounds
/// (8 KB of URL, 20 KB of headers) stay far below, even with three bytes an escape.
pub(super) const LONGEST: usize = 1 << 20;

/// A record that has no end so far is none of a log: reading on could take for ever.
pub(super) const ENDLESS: u64 = 1 << 30;

/// A line, or the fact that it was too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// Its text without the line end.
    Text(&'a [u8]),
    /// It was over 1 MB.
    TooLong,
}

/// Cuts blocks into lines.
#[derive(Debug, Default)]
pub(super) struct Lines {
    /// The start of a line whose end is still to come.
    carry: Carry<LONGEST>,
    /// Lines so far.
    number: u64,
}

impl Lines {
    /// Forgets everything, for the next file.
    pub(super) fn restart(&mut self) {
        self.carry.clear();
        self.number = 0;
    }

    /// The number of the line that is unfinished, if it is longer than any file should be asked for.
    pub(super) fn endless(&self) -> Option<u64> {
        self.carry.is_endless().then_some(self.number + 1)
    }

    /// Hands over each line that ends in this block, with its number from 1. `false` from the
    /// receiver stops, and so does a line without an end: see [`Self::endless`].
    #[inline]
    pub(super) fn feed(
        &mut self,
        mut block: &[u8],
        mut each: impl FnMut(u64, Line<'_>) -> bool,
    ) -> bool {
        if !self.carry.is_empty() {
            let Some(end) = memchr::memchr(b'\n', block) else {
                self.carry.keep(block);
                return self.endless().is_none();
            };
            self.carry.keep(&block[..end]);
            block = &block[end + 1..];
            if !self.finish(&mut each) {
                return false;
            }
        }
        while let Some(end) = memchr::memchr(b'\n', block) {
            self.number += 1;
            let line = if end > LONGEST { Line::TooLong } else { Line::Text(&block[..end]) };
            if !each(self.number, line) {
                return false;
            }
            block = &block[end + 1..];
        }
        self.carry.keep(block);
        true
    }

    /// Hands over a last line without a line end, if there is one.
    pub(super) fn finish(&mut self, each: &mut impl FnMut(u64, Line<'_>) -> bool) -> bool {
        if self.carry.is_empty() {
            return true;
        }
        self.number += 1;
        let number = self.number;
        self.carry.finish(|line| each(number, line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &[u8], block: usize) -> Vec<(u64, Option<Vec<u8>>)> {
        let mut lines = Lines::default();
        let mut seen = Vec::new();
        let mut each = |number, line: Line<'_>| {
            seen.push((
                number,
                match line {
                    Line::Text(text) => Some(text.to_vec()),
                    Line::TooLong => None,
                },
            ));
            true
        };
        for part in text.chunks(block) {
            lines.feed(part, &mut each);
        }
        lines.finish(&mut each);
        seen
    }

    #[test]
    fn lines_do_not_depend_on_the_cuts() {
        let text = b"one\n\ntwo and a half\nlast";
        let whole = cut(text, text.len());
        assert_eq!(whole.len(), 4);
        assert_eq!(whole[3], (4, Some(b"last".to_vec())));
        for block in 1..text.len() {
            assert_eq!(cut(text, block), whole, "{block}");
        }
    }

    #[test]
    fn a_line_without_an_end_stops_the_reading() {
        let mut lines = Lines::default();
        let block = vec![0; 64 << 20];
        assert!(lines.feed(b"a\nb", |_, _| true));
        let taken = (0..100).take_while(|_| lines.feed(&block, |_, _| true)).count() as u64;
        assert_eq!(taken, ENDLESS / block.len() as u64 - 1);
        assert_eq!(lines.endless(), Some(2));
        lines.restart();
        assert_eq!(lines.endless(), None);
    }

    #[test]
    fn a_line_over_a_megabyte_is_told_not_kept() {
        let mut text = b"a\n".to_vec();
        text.extend(std::iter::repeat_n(b'x', LONGEST + 1));
        text.extend(b"\nb");
        for block in [4_096, text.len()] {
            let seen = cut(&text, block);
            assert_eq!(seen, [(1, Some(b"a".to_vec())), (2, None), (3, Some(b"b".to_vec()))]);
        }
    }
}
