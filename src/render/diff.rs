//! What is committed against what would be emitted.

use std::fmt::Write as _;

use similar::TextDiff;

use crate::units::{count, is_plain, plain};

/// A longer file is no output of ours: ten rules with their evidence are a thousand lines.
const MOST_LINES: usize = 50_000;

/// A unified diff from what is committed to what is wanted; `None` if they are equal, byte for byte.
/// Control characters and direction marks of the committed file are shown escaped.
#[must_use]
pub fn diff(committed: &str, wanted: &str, name: &str) -> Option<String> {
    if committed == wanted {
        return None;
    }
    let name = plain(name);
    let lines = committed.lines().count();
    if lines > MOST_LINES {
        // Nothing that was ever emitted is so long, and comparing it would take minutes.
        return Some(format!(
            "--- {name} (committed)\n+++ {name} (wanted)\n# {} were committed: another file, too long to compare line by line\n",
            count(lines as u64, "line", "lines")
        ));
    }
    let raw = TextDiff::from_lines(committed, wanted)
        .unified_diff()
        .context_radius(3)
        .header(&format!("{name} (committed)"), &format!("{name} (wanted)"))
        .to_string();
    let mut out = String::with_capacity(raw.len());
    for character in raw.chars() {
        if character == '\n' || character == '\t' || is_plain(character) {
            out.push(character);
        } else {
            // Writing to a string cannot fail.
            let _ = write!(out, "{}", character.escape_unicode());
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_line_is_shown_with_its_surroundings() {
        let lines = |limit: &str| format!("a\nb\nc\nd\nlimit = {limit}\ne\n");
        let text = diff(&lines("200"), &lines("300"), "waf.tf").unwrap();
        let wanted = "--- waf.tf (committed)\n+++ waf.tf (wanted)\n@@ -2,5 +2,5 @@\n b\n c\n d\n\
                      -limit = 200\n+limit = 300\n e\n";
        assert_eq!(text, wanted);
    }

    #[test]
    fn equal_is_none_and_a_lost_last_newline_is_something() {
        assert_eq!(diff("a\n", "a\n", "waf.tf"), None);
        assert!(diff("a", "a\n", "waf.tf").is_some());
    }

    #[test]
    fn a_huge_foreign_file_is_not_compared_line_by_line() {
        let text = diff(&"x\n".repeat(MOST_LINES + 1), "a\n", "waf\n.tf").unwrap();
        assert!(text.contains("50,001 lines were committed"), "{text}");
        assert!(text.starts_with("--- waf\\u{a}.tf (committed)\n"), "{text}");
    }

    #[test]
    fn what_is_committed_cannot_run_in_a_terminal() {
        let text = diff("a\u{1b}[2J\r\n", "a\n", "waf.tf").unwrap();
        assert!(text.contains("-a\\u{1b}[2J\\u{d}\n"), "{text}");
    }
}
