//! What was read, and how the numbers came about.

use crate::quotas::MINIMUM_LIMIT;
use crate::report::markup::escape;
use crate::report::view::{CoverageReport, DAYS, Report};
use crate::units::{count, thousands};

/// `; 114,144 lines`.
pub(super) fn lines_in_words(coverage: &CoverageReport) -> String {
    let lines = count(coverage.lines, "line", "lines");
    let lead = if coverage.period.is_some() { "; " } else { "" };
    format!("{lead}{lines}")
}

/// The end of the page.
pub(super) fn write(out: &mut String, report: &Report) {
    let coverage = &report.coverage;
    out.push_str("<footer>\n<h2>How it was computed</h2>\n<ul>\n");
    let mut item = |text: &str| out.push_str(&format!("<li>{}</li>\n", escape(text)));
    item(&format!(
        "Read: {} of {} with a request on {}; {} without any between them.",
        count(coverage.lines, "line", "lines"),
        count(coverage.hours, "hour", "hours"),
        count(coverage.days.into(), "day", "days"),
        count(coverage.missing_hours, "hour", "hours"),
    ));
    if let (Some(first), Some(last)) = (&coverage.first, &coverage.last) {
        item(&format!("The first request came {first}, the last one {last}."));
    }
    if let Some(asked) = &coverage.asked {
        item(&format!("Requests {asked} were counted."));
    }
    for (reason, lines) in &coverage.skipped {
        item(&format!("Skipped: {}: {reason}.", count(*lines, "line", "lines")));
    }
    if coverage.duplicates > 0 {
        item(&format!("Copies dropped: {}.", thousands(coverage.duplicates)));
    }
    item(
        "A client is an address that connected. Its peak is its most requests in any window of the route's length, looked at every 10 s as AWS WAF does; a limit acts on a client whose peak is above it.",
    );
    item(
        "The limit is a round number in the widest gap between peaks that is no chance and whose upper side looks like runaways; ratewaf's page “How limits are chosen” tells the whole method.",
    );
    item(&format!(
        "The slider counts the clients whose peak is above a limit, in the route's own window, each route by itself and testers left out: those that ratewaf replay --limit limits. Its steps are all numbers of two digits from {MINIMUM_LIMIT}, and the route's own."
    ));
    item(&format!(
        "Times are UTC. The heat map shows {DAYS} days at most. Of many clients only the busiest and those around the limit are named; all are counted."
    ));
    out.push_str("</ul>\n");
    out.push_str(&format!(
        "<p>ratewaf {}. This page fetches nothing.</p>\n</footer>\n",
        env!("CARGO_PKG_VERSION")
    ));
}
