//! The table of all checks.

use std::fmt::Write as _;

use super::page::all;
use crate::golden;

#[test]
fn the_table_of_checks_is_complete() {
    let mut text = String::from(
        "# The checks\n\nWritten by a test from the checks themselves; `UPDATE=1 cargo test` rewrites it. Each page says why, and shows a bad \
         and a good example that the tests run. [The gate in CI](../ci.md) says how to use them.\n\n\
         | check | severity | confidence | what it finds |\n|---|---|---|---|\n",
    );
    let own = &ratewaf::checks::suppress::ABOUT;
    let mut abouts: Vec<_> = all().map(|check| check.about()).chain([own]).collect();
    abouts.sort_by_key(|about| about.id);
    for about in abouts {
        let (severity, confidence) = (about.severity.as_str(), about.confidence.as_str());
        let title = about.title.replace('|', "\\|");
        let _ = writeln!(text, "| [{0}]({0}.md) | {severity} | {confidence} | {title} |", about.id);
    }
    golden::check("docs/checks/README.md", &text);
}
