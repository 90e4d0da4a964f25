//! Which layer for which problem, for a pull request or a design document.

use std::fmt::Write as _;

use super::escape::{code, prose};
use crate::placement::Placement;
use crate::report::view::PlacementReport;
use crate::wafv2::dollars;

/// The advice as Markdown (GitHub's kind), whose foreign text cannot be anything but text.
#[must_use]
pub fn placement(placement: &Placement) -> String {
    let report = PlacementReport::new(placement);
    let mut out = String::new();
    // Writing to a string cannot fail, here and below.
    for route in &report.routes {
        let _ = writeln!(out, "## Route {}\n", code(&route.name));
        let _ = writeln!(out, "- **route**: {}", code(&route.route));
        let _ = writeln!(out, "- **looks like**: {}; {}", route.purpose, route.requests_in_words());
        for layer in &route.layers {
            let _ = writeln!(out, "- **{}**: {}", layer.title, prose(&layer.in_words()));
        }
        out.push('\n');
    }
    if !report.never_limited.is_empty() {
        out.push_str("## Never limited\n\n");
        for spared in &report.never_limited {
            let _ = writeln!(out, "- {}: {}", code(&spared.path), prose(&spared.why));
        }
        out.push('\n');
    }
    let _ = writeln!(out, "{}.\n", prose(&report.traffic_in_words()));
    if !report.costs.is_empty() {
        out.push_str(
            "| layer | in the policy | a month | of which | |\n| :-- | :-- | --: | :-- | :-- |\n",
        );
        for bill in &report.costs {
            let _ = writeln!(
                out,
                "| {} | {} | {} | {} | {} |",
                bill.title,
                if bill.in_policy { "yes" } else { "no" },
                dollars(bill.cents),
                prose(&bill.posts_in_words()),
                prose(bill.note),
            );
        }
        let _ = writeln!(out, "\nPrices: {}.", prose(&report.prices));
    }
    out
}
