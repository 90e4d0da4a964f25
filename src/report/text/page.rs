//! Lines on a page of a given width.

use anstyle::Style as Ansi;

use super::style::{Style, paint};
use crate::units::plain;

/// Columns from the left edge to the text of a labelled line.
pub(super) const LABEL: usize = 18;
/// Most columns of a sentence.
const PROSE: usize = 120;

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

    /// Columns for sentences: longer lines are hard to read, however wide the tables are.
    fn prose(&self) -> usize {
        self.width.min(PROSE)
    }

    /// Foreign text or a sentence, made harmless and broken at spaces.
    pub(super) fn paragraph(&mut self, indent: usize, style: Ansi, text: &str) {
        for line in wrap(&plain(text), self.prose().saturating_sub(indent)) {
            self.line(&format!("{:indent$}{}", "", paint(style, line)));
        }
    }

    /// A paragraph whose lines but the first stand further right.
    pub(super) fn hanging(&mut self, indent: usize, more: usize, text: &str) {
        let lines = wrap(&plain(text), self.prose().saturating_sub(indent + more));
        for (number, line) in lines.into_iter().enumerate() {
            let indent = if number == 0 { indent } else { indent + more };
            self.line(&format!("{:indent$}{line}", ""));
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
        for line in wrap(&plain(text), self.prose().saturating_sub(LABEL)) {
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
    fn long_words_lose_their_end() {
        assert_eq!(cut("looks like a runaway", 12), "looks like…");
    }
}
