//! The survey: which groups of requests are worth a rule.

use super::page::Page;
use super::table::{self, Cell, Column, Narrow, Row};
use crate::report::view::{GroupReport, SurveyReport};
use crate::units::{count, thousands};

/// Most groups shown; the JSON has up to a hundred.
const SHOWN: usize = 25;

const COLUMNS: [Column; 6] = [
    Column::number("peak", Narrow::Keep),
    Column::word("group", Narrow::Middle),
    Column::number("requests", Narrow::Keep),
    Column::number("clients", Narrow::Keep),
    Column::number("limit", Narrow::Keep),
    Column::word("grade", Narrow::End),
];

pub(super) fn write(page: &mut Page<'_>, survey: &SurveyReport) {
    if survey.groups.is_empty() {
        page.line("nothing that a rule could protect");
        return;
    }
    page.paragraph(
        0,
        page.style.strong,
        "what a single client takes, by method and path (peak in any 300 s)",
    );
    page.gap();
    let rows: Vec<_> = survey.groups.iter().take(SHOWN).map(|group| row(page, group)).collect();
    table::write(page, &COLUMNS, &rows);
    let hidden = &survey.groups[survey.groups.len().min(SHOWN)..];
    let groups = hidden.len() as u64 + survey.more_groups;
    if groups > 0 {
        let requests = hidden.iter().map(|group| group.requests).sum::<u64>();
        let text = format!(
            "and {} with {}",
            count(groups, "more group", "more groups"),
            count(requests + survey.more_requests, "request", "requests")
        );
        page.paragraph(2, page.style.faint, &text);
    }
    headlines(page, survey);
}

fn row(page: &Page<'_>, group: &GroupReport) -> Row {
    let proposal = group.analysis.as_ref().map(|route| &route.proposal);
    let limit = proposal.and_then(|proposal| proposal.limit);
    let (words, ink) = match (group.advice, proposal) {
        ("look", Some(proposal)) if limit.is_none() => {
            (format!("none: {}", proposal.reason), page.style.faint)
        }
        ("look", Some(proposal)) => (proposal.grade.to_owned(), page.style.grade(proposal.grade)),
        ("look", None) => (String::new(), page.style.faint),
        ("webhook", _) => ("webhook".to_owned(), page.style.faint),
        ("health-check", _) => ("health check".to_owned(), page.style.faint),
        _ => ("static".to_owned(), page.style.faint),
    };
    Row::Cells(vec![
        Cell::new(thousands(group.peak.into())),
        Cell::new(&group.title),
        Cell::new(thousands(group.requests)),
        Cell::new(thousands(group.clients)),
        Cell::new(limit.map_or_else(String::new, |limit| thousands(limit.into())))
            .ink(page.style.strong),
        Cell::new(words).ink(ink),
    ])
}

/// The sentence of each limit that was found.
fn headlines(page: &mut Page<'_>, survey: &SurveyReport) {
    let limits = survey.groups.iter().filter_map(|group| {
        let route = group.analysis.as_ref()?;
        route.proposal.limit.is_some().then_some((group, route))
    });
    for (group, route) in limits {
        page.gap();
        page.paragraph(0, page.style.strong, &group.title);
        page.paragraph(2, anstyle::Style::new(), &route.proposal.headline);
        for warning in &route.warnings {
            page.labelled_in(page.style.careful, warning.id, &warning.text);
        }
    }
}
