//! Names in a policy become parts of AWS names.

use super::problem::{Problem, Span};
use super::reader::{Reader, short};

/// Most characters of a name in a policy. Rule names join three of them; their length is checked as a
/// whole.
pub const MOST_CHARACTERS: usize = 64;
/// What a name may be, for the JSON Schema.
pub const PATTERN: &str = "^[A-Za-z0-9_-]{1,64}$";

/// A name of a policy, a route, a network or an environment.
pub fn check(text: &str, span: Span, reader: &mut Reader<'_>) -> Option<String> {
    if crate::rules::is_name(text) && text.len() <= MOST_CHARACTERS {
        return Some(text.to_owned());
    }
    let short = short(text);
    let problem = Problem::new(format!("`{short}` is no name that AWS takes"));
    reader.refuse(
        problem
            .at(span)
            .found(if text.len() > MOST_CHARACTERS {
                "it is too long"
            } else {
                "a character is not allowed, or there is none"
            })
            .help(format!(
                "allowed: 1 to {MOST_CHARACTERS} letters, digits, `-` and `_`, because names become parts of the names of rules, metrics and IP sets"
            )),
    )
}
