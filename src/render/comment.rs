//! Comments of every dialect but HCL: wrapped lines of harmless characters.

use crate::policy::yaml_comment;

/// Columns that a comment may fill, its indentation left out.
const WIDTH: usize = 96;

/// A paragraph as lines. Characters that could end a comment or fool a reader are escaped.
pub(super) fn lines(text: &str) -> Vec<String> {
    let text = yaml_comment(text);
    let mut lines = vec![String::new()];
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let columns = word.chars().count();
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() + 1 + columns <= WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
