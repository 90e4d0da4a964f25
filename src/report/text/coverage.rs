//! What was read, in a few lines at the top.

use super::page::Page;
use crate::counts::Coverage;
use crate::report::view::CoverageReport;
use crate::units::{count, thousands};

/// Files named for one kind of trouble.
const NAMED: usize = 3;

pub(super) fn write(page: &mut Page<'_>, coverage: &Coverage, report: &CoverageReport) {
    let mut parts = vec![format!(
        "{} in {}",
        count(coverage.lines, "request line", "request lines"),
        count(coverage.files, "file", "files")
    )];
    parts.extend(report.period.clone());
    let missing = report.missing_hours;
    parts.push(if missing == 0 {
        count(report.hours, "hour", "hours")
    } else {
        format!("{} of {} hours", thousands(report.hours), thousands(report.hours + missing))
    });
    parts.extend(report.asked.clone());
    page.paragraph(0, page.style.faint, &parts.join(", "));

    for (reason, skipped) in &coverage.skipped {
        let example = match &skipped.example {
            Some((file, line)) => format!(", such as {file}:{line}"),
            None => String::new(),
        };
        let lines = count(skipped.lines, "line", "lines");
        let text = format!("skipped {lines}: {reason}{example}");
        page.paragraph(0, page.style.careful, &text);
    }
    let partial = coverage.partial_files.iter();
    let partial = partial.map(|(file, reason)| format!("{file} ({reason})")).collect();
    named(page, "read only in part", partial);
    let repeated = coverage.repeated_files.iter();
    let repeated = repeated.map(|(file, other)| format!("{file} (is {other})")).collect();
    named(page, "left out, same content as another file", repeated);
    if coverage.masked_clients > 0 {
        let masked = count(coverage.masked_clients, "client has", "clients have");
        let text = format!("{masked} a masked address: each may be many, and no label fits them");
        page.paragraph(0, page.style.careful, &text);
    }
}

fn named(page: &mut Page<'_>, what: &str, files: Vec<String>) {
    if files.is_empty() {
        return;
    }
    let mut text = format!("{what}: {}", files[..files.len().min(NAMED)].join(", "));
    if files.len() > NAMED {
        text.push_str(&format!(" and {} more", thousands((files.len() - NAMED) as u64)));
    }
    page.paragraph(0, page.style.careful, &text);
}
