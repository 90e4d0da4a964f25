//! What the rules of a web ACL did, where the logs tell it.

use std::fmt::Write as _;

use super::escape::{code, prose};
use crate::report::view::{RuleReport, requests_in_words};
use crate::units::{count, thousands};

/// Clients of one rule that are listed.
const SHOWN: usize = 30;

pub(super) fn write(out: &mut String, rule: &RuleReport) {
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(out, "## Rule {}\n", code(&rule.name));
    let _ = writeln!(out, "- **did**: {}", prose(&rule.acted_in_words()));
    match &rule.expected {
        Some(expected) => {
            let _ = writeln!(out, "- **expected**: {}", prose(&expected.in_words()));
            for (label, text) in [
                ("missed", expected.missed_in_words()),
                ("unexpected", expected.surprising_in_words()),
            ] {
                if let Some(text) = text {
                    let _ = writeln!(out, "- **{label}**: {}", prose(&text));
                }
            }
        }
        None => {
            let _ = writeln!(out, "- **not compared**: {}", prose(&rule.not_compared));
        }
    }
    out.push('\n');
    if rule.acted_on.is_empty() {
        return;
    }
    let clients = count(rule.acted_on.len() as u64, "client", "clients");
    let _ = writeln!(out, "<details><summary>{clients} it acted on</summary>\n");
    out.push_str("| client | requests | first | last |\n| :-- | :-- | :-- | :-- |\n");
    for acted in rule.acted_on.iter().take(SHOWN) {
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} |",
            code(&acted.client),
            prose(&requests_in_words(&acted.requests)),
            acted.first,
            acted.last,
        );
    }
    out.push('\n');
    if let Some(more) = rule.acted_on.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        let _ = writeln!(out, "And {} more; `--format json` lists all.\n", thousands(more as u64));
    }
    out.push_str("</details>\n\n");
}
