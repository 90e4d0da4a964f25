//! Workflow commands of GitHub Actions, which make annotations.
//!
//! Data escapes `%`, carriage returns and line breaks; properties also `:` and `,` (actions/toolkit,
//! packages/core/src/command.ts). What could not be seen is a notice: a gate that did not look says so.

use super::Report;
use super::text::whereabouts;
use crate::checks::check::Severity;
use crate::checks::model::Item;
use crate::checks::suppress::Located;
use crate::units::plain;

/// One command a finding, one for each thing that could not be seen, and the summary as the last line.
#[must_use]
pub fn github(report: &Report<'_>) -> String {
    let mut out: String = report.told().map(command).collect();
    out.extend(report.context.deployment.blind.iter().map(|(item, what)| not_seen(item, what)));
    // A line that does not begin with `::` is only printed; ours never does.
    out.push_str(&format!("{} in {}\n", report.counts().in_words(), report.looked_at()));
    out
}

fn command(located: &Located) -> String {
    let finding = &located.finding;
    let name = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let mut properties = Vec::new();
    if let Some(spot) = &located.spot {
        properties.push(format!("file={}", property(&spot.file)));
        properties.push(format!("line={}", spot.line));
        properties.push(format!("col={}", spot.column));
    }
    properties.push(format!("title={}", property(&format!("ratewaf {}", finding.check))));
    let mut message = finding.message.clone();
    if let Some(help) = &finding.help {
        message.push_str(". ");
        message.push_str(&super::words::sentence(help));
    }
    if located.spot.is_none() {
        message.push_str(&format!(" ({})", whereabouts(&finding.place)));
    }
    format!("::{name} {}::{}\n", properties.join(","), data(&message))
}

fn not_seen(item: &Item, what: &str) -> String {
    let file = item.file.as_ref();
    let file = file.map(|file| format!("file={},", property(file))).unwrap_or_default();
    let message = data(&format!("{}: {what}", item.address));
    format!("::notice {file}title={}::{message}\n", property("ratewaf: not seen"))
}

fn data(text: &str) -> String {
    plain(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
