//! A replay for a pull request.

use std::fmt::Write as _;

use super::escape::{code, prose};
use crate::report::Replay;
use crate::report::view::{GRID, ReplayReport, ReplayedRule};
use crate::units::{Window, count, thousands};

/// Clients of one list: it has to fit into one comment.
const SHOWN: usize = 30;

/// The replay as Markdown (GitHub's kind), whose foreign text cannot be anything but text.
#[must_use]
pub fn replay(replay: &Replay) -> String {
    let report = ReplayReport::new(replay);
    let mut out = String::new();
    for rule in &report.rules {
        write_rule(&mut out, rule);
    }
    // Writing to a string cannot fail, here and below.
    for left in &report.left_out {
        let _ =
            writeln!(out, "## Rule {}\n\nNot replayed: {}.\n", code(&left.name), prose(&left.why));
    }
    let _ = writeln!(out, "{}.", prose(&report.head_in_words()));
    out
}

fn write_rule(out: &mut String, rule: &ReplayedRule) {
    let _ = writeln!(out, "## Rule {}\n", code(&rule.name));
    let _ = writeln!(out, "- **route**: {}", code(&rule.route));
    for (label, text) in [
        ("limit", Some(rule.limit_in_words())),
        ("limited", Some(rule.limited_in_words())),
        ("careful", rule.wronged_in_words()),
        ("careful", rule.too_many_in_words()),
        ("near", Some(rule.near_in_words())),
        ("day by day", rule.days_in_words()),
    ] {
        if let Some(text) = text {
            let _ = writeln!(out, "- **{label}**: {}", prose(&text));
        }
    }
    for text in &rule.careful {
        let _ = writeln!(out, "- **careful**: {}", prose(text));
    }
    out.push('\n');
    if !rule.limited.is_empty() {
        let clients = count(rule.limited.len() as u64, "client", "clients");
        let _ = writeln!(out, "<details><summary>{clients} limited</summary>\n");
        out.push_str("| client | network | peak | first limited | last | limited for | let through | acted on |\n");
        out.push_str("| :-- | :-- | --: | :-- | :-- | :-- | --: | --: |\n");
        for one in rule.limited.iter().take(SHOWN) {
            let _ = writeln!(
                out,
                "| {} | {} | {} | {} | {} | {} | {} | {} |",
                code(&one.client),
                one.network.as_deref().map(code).unwrap_or_default(),
                thousands(one.peak.into()),
                one.first,
                one.last,
                one.time_in_words(),
                thousands(one.requests - one.acted_on),
                thousands(one.acted_on),
            );
        }
        if let Some(more) = rule.limited.len().checked_sub(SHOWN).filter(|more| *more > 0) {
            let more = thousands(more as u64);
            let _ = writeln!(out, "\nAnd {more} more; `--format json` lists all.");
        }
        out.push_str("\n</details>\n\n");
    }
    if let Some(words) = rule.empty_grid_in_words() {
        let _ = writeln!(out, "Other limits: {words}.\n");
    } else if !rule.grid.is_empty() {
        let _ = writeln!(out, "<details><summary>Other limits and windows</summary>\n");
        let heads = Window::ALL.map(|window| format!("{} s", window.seconds())).join(" | ");
        let _ = writeln!(out, "| limit | {heads} |\n| --: | :-- | :-- | :-- | :-- |");
        for row in &rule.grid {
            let cells: Vec<String> =
                row.windows.iter().map(|cell| cell.in_words().replace('*', "\\*")).collect();
            let _ = writeln!(out, "| {} | {} |", thousands(row.limit.into()), cells.join(" | "));
        }
        let _ = writeln!(out, "\n{}.\n\n</details>\n", GRID.replace('*', "\\*"));
    }
}
