//! One comment for a pull request, in people's words.

use super::Report;
use super::words::{ChangeInWords, changes};
use crate::checks::check::Severity;
use crate::checks::suppress::Located;
use crate::units::{count, is_plain};

/// Findings that are listed before the rest is only counted.
const LISTED: usize = 50;

/// What the deployment does to limits, what the logs say to that, and the findings.
#[must_use]
pub fn markdown(report: &Report<'_>) -> String {
    let counts = report.counts();
    let sign = if counts.errors > 0 {
        "❌"
    } else if counts.warnings > 0 {
        "⚠️"
    } else {
        "✅"
    };
    let mut out = format!("## {sign} Rate limits: {}\n", counts.in_words());
    let changes = changes(&report.context);
    if !changes.is_empty() {
        out.push_str("\n### What changes\n\n");
        for change in &changes {
            out.push_str(&sentence(change));
        }
    }
    let mut told: Vec<&Located> = report.told().collect();
    told.sort_by_key(|one| std::cmp::Reverse(one.finding.severity));
    if !told.is_empty() {
        out.push_str("\n### Findings\n\n");
        for located in told.iter().take(LISTED) {
            out.push_str(&item(report, located));
        }
        if told.len() > LISTED {
            out.push_str(&format!("- and {} more\n", told.len() - LISTED));
        }
    }
    let blind = &report.context.deployment.blind;
    if !blind.is_empty() {
        out.push_str("\n### Not seen\n\n");
        for (item, what) in blind.iter().take(LISTED) {
            out.push_str(&format!("- {}: {}\n", code(&item.address), prose(what)));
        }
        if blind.len() > LISTED {
            out.push_str(&format!("- and {} more\n", blind.len() - LISTED));
        }
    }
    if !report.sorted.suppressed.is_empty() {
        let number = count(report.sorted.suppressed.len() as u64, "finding is", "findings are");
        out.push_str(&format!("\n<details><summary>{number} suppressed</summary>\n\n"));
        for (located, by) in report.sorted.suppressed.iter().take(LISTED) {
            out.push_str(&format!(
                "- {}: {} (until {})\n",
                code(located.finding.check),
                prose(&by.reason),
                by.until.date_text()
            ));
        }
        out.push_str("\n</details>\n");
    }
    out.push_str(&format!("\n{} looked at by `ratewaf check`.\n", report.looked_at()));
    out
}

fn sentence(change: &ChangeInWords) -> String {
    let mut out = format!("- {} {}{}", change.verb, code(&change.subject), escaped(&change.rest));
    if !change.evidence.is_empty() {
        out.push_str(". ");
        out.push_str(&prose(&super::words::sentence(&change.evidence.join("; "))));
    }
    out.push('\n');
    out
}

fn item(report: &Report<'_>, located: &Located) -> String {
    let finding = &located.finding;
    let sign = match finding.severity {
        Severity::Error => "❌",
        Severity::Warning => "⚠️",
        Severity::Note => "ℹ️",
    };
    let place = match &located.spot {
        Some(spot) => format!("{}:{}", spot.file, spot.line),
        None => finding.place.item.address.clone(),
    };
    let title = report.about(finding.check).map_or("", |about| about.title);
    let mut out =
        format!("- {sign} **{}** ({}): {}", title, code(finding.check), prose(&finding.message));
    out.push_str(&format!(", in {}", code(&place)));
    if let Some(help) = &finding.help {
        out.push_str(&format!(". {}", prose(&super::words::sentence(help))));
    }
    out.push('\n');
    out
}

/// A foreign value as a code span: the one place where Markdown interprets nothing.
fn code(text: &str) -> String {
    let mut out = String::from("`");
    for character in text.chars() {
        if is_plain(character) && !matches!(character, '`' | '|') {
            out.push(character);
        } else {
            out.extend(character.escape_unicode());
        }
    }
    if text.trim().is_empty() {
        out.push('.');
    }
    out.push('`');
    out
}

/// A sentence with foreign words in it: what stands in backticks becomes a code span, and everything else
/// that Markdown or HTML could take for something is escaped.
fn prose(text: &str) -> String {
    let mut out = String::new();
    let spans = text.matches('`').count();
    for (place, part) in text.split('`').enumerate() {
        // An odd one at the end is no span.
        let is_span = place % 2 == 1 && spans > place;
        if is_span {
            out.push_str(&code(part));
        } else {
            out.push_str(&escaped(part));
        }
    }
    out
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        match character {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\\' | '*' | '_' | '[' | ']' | '#' | '|' | '~' | '!' | '`' => {
                out.push('\\');
                out.push(character);
            }
            // A mention needs its letters right behind it.
            '@' => out.push_str("`@`"),
            character if is_plain(character) => out.push(character),
            character => out.extend(character.escape_unicode()),
        }
    }
    // A link needs its scheme, or its `www.`.
    out.replace("://", ":\\/\\/").replace("www.", "www\\.")
}
