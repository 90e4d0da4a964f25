//! Lines on a page of a given width.

use anstyle::Style as Ansi;

use super::style::{Style, paint};
use crate::units::plain;

/// Columns from the left edge to the text of a labelled line.
pub(super) const LABEL: usize = 18;

/// A page that is being written.
pub(super) struct Page<'a> {
    out: String,
    /// Columns.
    pub(super) width: usize,
    /// How it looks.
    pub(super) style: &'a Style,
}

impl<'a> Page<'a> {
    pub(super) const fn new(style: &'a Style, width: usize) -> Self {
        Self { out: String::new(), width, style }
    }

    pub(super) fn finish(self) -> String {
        self.out
    }

    /// A line as it is, without spaces at its end.
    pub(super) fn line(&mut self, text: &str) {
        self.out.push_str(text.trim_end());
        self.out.push('\n');
    }

    /// An empty line, never two in a row and none at the top.
    pub(super) fn gap(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    /// Foreign text or a sentence, made harmless and broken at spaces.
    pub(super) fn paragraph(&mut self, indent: usize, style: Ansi, text: &str) {
        for line in wrap(&plain(text), self.width.saturating_sub(indent)) {
            self.line(&format!("{:indent$}{}", "", paint(style, line)));
        }
    }

    /// `  label   text`, with the text broken at spaces and kept to the right of the label.
    pub(super) fn labelled(&mut self, label: &str, text: &str) {
        self.labelled_in(self.style.faint, label, text);
    }

    /// The same with a colour for the label.
    pub(super) fn labelled_in(&mut self, mut ink: Ansi, label: &str, text: &str) {
        let wide = LABEL - 2;
        let mut label = format!("{label:<wide$}");
        for line in wrap(&plain(text), self.width.saturating_sub(LABEL)) {
            self.line(&format!("  {}{line}", paint(ink, &label)));
            label = " ".repeat(wide);
            ink = Ansi::new();
        }
    }
}

/// Lines of at most so many characters, broken at spaces; a longer word is broken where it has to be.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    // A number and its per cent sign stay together.
    let text = text.replace(" %", "\u{a0}%");
    let width = width.max(20);
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut length = 0;
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let mut word = word;
        let mut left = word.chars().count();
        if length > 0 && length + 1 + left > width {
            lines.push(std::mem::take(&mut line));
            length = 0;
        }
        while left > width {
            let cut = word.char_indices().nth(width).map_or(word.len(), |(place, _)| place);
            lines.push(word[..cut].to_owned());
            word = &word[cut..];
            left -= width;
        }
        if length > 0 {
            line.push(' ');
            length += 1;
        }
        line.push_str(word);
        length += left;
    }
    if !line.is_empty() {
        lines.push(line);
    }
    for line in &mut lines {
        *line = line.replace("\u{a0}%", " %");
    }
    lines
}

/// At most so many characters, with `…` in the middle of what was longer: a path is known by both ends.
pub(super) fn shorten(text: &str, most: usize) -> String {
    let length = text.chars().count();
    if length <= most {
        return text.to_owned();
    }
    let kept = most.saturating_sub(1);
    let front = kept.div_ceil(2);
    let start: String = text.chars().take(front).collect();
    let end: String = text.chars().skip(length - (kept - front)).collect();
    format!("{start}…{end}")
}

/// At most so many characters, with `…` at the end of what was longer.
pub(super) fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let start: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", start.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_spaces_and_long_words_where_they_must() {
        assert_eq!(wrap("one two three four five six", 20), ["one two three four", "five six"]);
        assert_eq!(
            wrap("a 123456789012345678901234567890 b", 20),
            ["a", "12345678901234567890", "1234567890 b"]
        );
        assert_eq!(wrap("one two three four 5 %", 20), ["one two three four", "5 %"]);
        assert!(wrap("", 20).is_empty());
    }

    #[test]
    fn long_text_keeps_both_ends() {
        assert_eq!(shorten("/a/b", 10), "/a/b");
        assert_eq!(shorten("/api/v1/customers/orders", 11), "/api/…rders");
        assert_eq!(shorten("äöüäöüäöü", 4).chars().count(), 4);
        assert_eq!(cut("looks like a runaway", 12), "looks like…");
    }
}
