//! How an error is told: what, why, and what to do.

use std::error::Error;

use super::harmless;
use super::styles::Styles;

/// `error: …`, a `caused by: …` line for each cause that says something new, and the hints after an
/// empty line, each once.
pub(super) fn in_words(error: &(dyn Error + 'static), hints: &[String], styles: &Styles) -> String {
    let first = error.to_string();
    let mut text = format!("{}: {}\n", styles.paint(styles.error, "error"), harmless(&first));
    let mut said = first;
    let mut cause = error.source();
    while let Some(error) = cause {
        let words = error.to_string();
        // Many libraries repeat their cause in their own message.
        if !said.contains(&words) {
            let label = styles.paint(styles.error, "caused by");
            text.push_str(&format!("  {label}: {}\n", indented(&harmless(&words))));
        }
        said = words;
        cause = error.source();
    }
    let mut given: Vec<&String> = Vec::new();
    for hint in hints {
        if given.contains(&hint) {
            continue;
        }
        if given.is_empty() {
            text.push('\n');
        }
        let label = styles.paint(styles.hint, "hint");
        text.push_str(&format!("{label}: {}\n", harmless(hint)));
        given.push(hint);
    }
    text
}

fn indented(text: &str) -> String {
    text.replace('\n', "\n    ")
}
