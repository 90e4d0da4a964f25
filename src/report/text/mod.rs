//! A report for a terminal or a log file: one screen a route, the sentence first.

mod clients;
mod coverage;
mod explain;
mod histogram;
mod page;
mod placement;
mod replay;
mod route;
mod rules;
mod style;
mod survey;
mod table;

use super::view::{Report, RouteReport};
use super::{Analysis, Words};
use page::Page;

pub use explain::explain;
pub use placement::placement;
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
    next_steps(&mut page, &report, analysis.only_looks);
    page.finish()
}

fn next_steps(page: &mut Page<'_>, report: &Report, only_looks: bool) {
    let surveyed = report.survey.iter().flat_map(|survey| &survey.groups);
    let routes: Vec<&RouteReport> =
        report.routes.iter().chain(surveyed.filter_map(|group| group.analysis.as_ref())).collect();
    let has = |grade| routes.iter().any(|route| route.proposal.grade == grade);
    // A survey says with each group how to look at it.
    let questions = report.routes.iter().any(|route| !route.proposal.questions.is_empty());
    page.gap();
    let limited = has("weak") || has("clear");
    if only_looks && limited {
        // `emit` goes by policy and lock, and this changed neither.
        let add = "put it into ratewaf.yaml and run ratewaf analyze again, then ratewaf emit";
        page.labelled("next", add);
    } else if has("weak") {
        let emit = "ratewaf emit --out waf.tf (a weak limit only counts, unless --accept weak)";
        page.labelled("next", emit);
    } else if has("clear") {
        page.labelled("next", "ratewaf emit --out waf.tf");
    } else if questions {
        page.labelled("next", "answer a question with --bad, --good or --exempt and run it again");
    }
    if let Some(survey) = &report.survey {
        let command =
            survey.groups.iter().find_map(|group| group.analysis.as_ref().and(group.command()));
        let command = command.unwrap_or_else(|| "ratewaf analyze … --route 'GET /path'".to_owned());
        page.labelled("one route", &format!("{command} shows who called it"));
    }
}
