//! JUnit XML: a test case a check, a failure a finding, a skipped case what could not be seen. GitLab shows it
//! beside a merge request.

use super::Report;
use super::text::whereabouts;
use crate::checks::suppress::Located;
use crate::units::plain;

/// The checks as test cases, and what could not be seen as skipped ones.
#[must_use]
pub fn junit(report: &Report<'_>) -> String {
    let told: Vec<&Located> = report.told().collect();
    let of = |id: &str| told.iter().filter(|one| one.finding.check == id).count();
    let failed = report.checks.iter().filter(|about| of(about.id) > 0).count();
    let blind = &report.context.deployment.blind;
    let skipped = blind.len();
    let tests = report.checks.len() + skipped;
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out.push_str(&format!(
        "<testsuites tests=\"{tests}\" failures=\"{failed}\" errors=\"0\" skipped=\"{skipped}\">\n"
    ));
    out.push_str(&format!(
        "  <testsuite name=\"ratewaf check\" tests=\"{tests}\" failures=\"{failed}\" errors=\"0\" skipped=\"{skipped}\">\n"
    ));
    for about in report.checks {
        let name = escaped(about.id);
        let head = format!("    <testcase classname=\"ratewaf\" name=\"{name}\"");
        let findings: Vec<&&Located> =
            told.iter().filter(|one| one.finding.check == about.id).collect();
        let Some(first) = findings.first() else {
            out.push_str(&format!("{head}/>\n"));
            continue;
        };
        let lines: Vec<String> = findings.iter().map(|one| line(one)).collect();
        out.push_str(&format!(
            "{head}>\n      <failure type=\"{}\" message=\"{}\">{}</failure>\n    </testcase>\n",
            first.finding.severity.as_str(),
            escaped(&first.finding.message),
            escaped_text(&lines.join("\n")),
        ));
    }
    for (item, what) in blind {
        out.push_str(&format!(
            "    <testcase classname=\"ratewaf\" name=\"not seen: {}\">\n      <skipped message=\"{}\"/>\n    </testcase>\n",
            escaped(&item.address),
            escaped(what),
        ));
    }
    out.push_str("  </testsuite>\n</testsuites>\n");
    out
}

fn line(located: &Located) -> String {
    let finding = &located.finding;
    let place = match &located.spot {
        Some(spot) => format!("{}:{}:{}", plain(&spot.file), spot.line, spot.column),
        None => whereabouts(&finding.place),
    };
    let help = finding
        .help
        .as_ref()
        .map(|help| format!(". {}", plain(&super::words::sentence(help))))
        .unwrap_or_default();
    format!("{}: {place}: {}{help}", finding.severity.as_str(), plain(&finding.message))
}

fn escaped(text: &str) -> String {
    escaped_text(&plain(text))
}

/// Line breaks stay; what XML cannot hold has been made visible before.
fn escaped_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            // No characters of XML 1.0.
            '\u{fffe}' | '\u{ffff}' => out.extend(character.escape_unicode()),
            other => out.push(other),
        }
    }
    out
}
