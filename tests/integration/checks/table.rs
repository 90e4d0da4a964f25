//! The table of all checks.

use std::fmt::Write as _;

use super::page::{all, not_live};
use crate::golden;

#[test]
fn the_table_of_checks_is_complete() {
    let mut text = String::from(
        "# The checks\n\nWritten by a test from the checks themselves; `UPDATE=1 cargo test` rewrites it. Each page says why, and shows a bad \
         and a good example that the tests run: as Terraform, as a template, and as an account for `--live`. [The gate in CI](../ci.md) says how to \
         use them.\n\n| check | severity | confidence | what it finds | live |\n|---|---|---|---|---|\n",
    );
    let own = &ratewaf::checks::suppress::ABOUT;
    let mut abouts: Vec<_> = all().map(|check| check.about()).chain([own]).collect();
    abouts.sort_by_key(|about| about.id);
    for about in abouts {
        let (severity, confidence) = (about.severity.as_str(), about.confidence.as_str());
        let title = about.title.replace('|', "\\|");
        let live = not_live(about.id).map_or_else(|| "yes".to_owned(), |why| format!("no: {why}"));
        let _ = writeln!(
            text,
            "| [{0}]({0}.md) | {severity} | {confidence} | {title} | {live} |",
            about.id
        );
    }
    golden::check("docs/checks/README.md", &text);
}
