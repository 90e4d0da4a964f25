//! A report for a terminal or a log file: one screen a route, the sentence first.

mod clients;
mod coverage;
mod explain;
mod histogram;
mod page;
mod replay;
mod route;
mod rules;
mod style;
mod survey;
mod table;

use super::view::{Report, RouteReport};
use super::{Analysis, Kept, Words};
use crate::units::plain;
use page::Page;

pub use explain::explain;
pub use replay::replay;
pub use style::Style;

/// Narrowest and widest page: a table needs some room and gains nothing from more.
const WIDTHS: std::ops::RangeInclusive<usize> = 60..=160;

/// The analysis as text for `width` columns. Holds no control characters but line breaks and, if the
/// style has colours, its own.
#[must_use]
pub fn text(analysis: &Analysis, words: &dyn Words, style: &Style, width: usize) -> String {
    let report = Report::new(analysis, words);
    let mut page = Page::new(style, width.clamp(*WIDTHS.start(), *WIDTHS.end()));
    coverage::write(&mut page, &analysis.coverage, &report.coverage);
    for (route, found) in report.routes.iter().zip(&analysis.routes) {
        page.gap();
        route::write(&mut page, route, &found.profile, &report.coverage);
    }
    if let Some(survey) = &report.survey {
        page.gap();
        survey::write(&mut page, survey);
    }
    for rule in report.rules.iter().flatten() {
        page.gap();
        rules::write(&mut page, rule);
    }
    next_steps(&mut page, &report, &analysis.kept);
    page.finish()
}

/// How every page ends that says to emit: rules count first.
const EMIT: &str = "ratewaf emit --count-mode --out waf.tf";

fn next_steps(page: &mut Page<'_>, report: &Report, kept: &Kept) {
    let surveyed = report.survey.iter().flat_map(|survey| &survey.groups);
    let routes: Vec<&RouteReport> =
        report.routes.iter().chain(surveyed.filter_map(|group| group.analysis.as_ref())).collect();
    let has = |grade| routes.iter().any(|route| route.proposal.grade == grade);
    // A survey says with each group how to look at it.
    let questions = report.routes.iter().any(|route| !route.proposal.questions.is_empty());
    page.gap();
    let limited = has("weak") || has("clear");
    let weak =
        if has("weak") { "; a weak limit goes on counting, unless --accept weak" } else { "" };
    if let (Kept::Missing { policy, yaml }, true) = (kept, limited || !questions) {
        add(page, policy, yaml);
    } else if *kept == Kept::NotWritten && limited {
        let text = format!(
            "without --no-write it writes policy and lock; then {EMIT}: every rule counts at first{weak}"
        );
        page.labelled("next", &text);
    } else if limited {
        page.labelled("next", &format!("{EMIT}: every rule counts at first{weak}"));
    } else if questions {
        page.labelled("next", "answer a question with --bad, --good or --exempt and run it again");
    }
    if let (Kept::Missing { policy, yaml }, false, true) = (kept, limited, questions) {
        add(page, policy, yaml);
    }
    if let Some(survey) = &report.survey {
        let command =
            survey.groups.iter().find_map(|group| group.analysis.as_ref().and(group.command()));
        let command = command.unwrap_or_else(|| "ratewaf analyze … --route 'GET /path'".to_owned());
        page.labelled("one route", &format!("{command} shows who called it"));
    }
}

/// What to add to the policy, as it has to stand there: nothing before or within its lines, so that it can be
/// copied.
fn add(page: &mut Page<'_>, policy: &str, yaml: &str) {
    if yaml.is_empty() {
        let text =
            format!("--route 'GET /path' looks at one of them, and prints what to add to {policy}");
        page.labelled("next", &text);
        return;
    }
    let text = format!(
        "add this to {policy} (to the lists that are there), run ratewaf analyze on the logs again, then {EMIT}"
    );
    page.labelled("next", &text);
    page.gap();
    yaml.lines().for_each(|line| page.line(&plain(line)));
}
