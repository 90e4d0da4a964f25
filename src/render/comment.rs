//! Comments: wrapped lines, and what stands in them in every dialect.

use super::preamble::COMPARE;
use crate::policy::yaml_comment;
use crate::wafv2::RuleAction;

/// Columns that a comment may fill, its indentation left out.
const WIDTH: usize = 96;

/// A paragraph as lines, for every dialect but HCL. Characters that could end a comment or fool a reader are
/// escaped.
pub(super) fn lines(text: &str) -> Vec<String> {
    wrap(&yaml_comment(text), WIDTH)
}

/// What a reader must not overlook: a rule that stops nobody.
pub(super) const fn effect(action: &RuleAction) -> &'static str {
    match action {
        RuleAction::Count(_) => " (counts only, stops nobody)",
        RuleAction::Block(_) | RuleAction::Captcha(_) | RuleAction::Challenge(_) => "",
    }
}

/// Breaks a paragraph at spaces. A longer word stays whole, and so does a command that is to be pasted.
pub(super) fn wrap(text: &str, width: usize) -> Vec<String> {
    if text.starts_with(COMPARE) {
        return vec![text.to_owned()];
    }
    let mut lines = vec![String::new()];
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let columns = word.chars().count();
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() + 1 + columns <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
