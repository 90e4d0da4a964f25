//! The survey: which groups of requests are worth a rule.

use super::page::Page;
use super::table::{self, Cell, Column, Narrow, Row};
use crate::report::view::{GroupReport, SurveyReport};
use crate::units::{count, thousands};

/// Most groups shown; the JSON has up to a hundred.
const SHOWN: usize = 25;

const COLUMNS: [Column; 7] = [
    Column::number("peak", Narrow::Keep),
    Column::number("by /64", Narrow::Keep),
    Column::word("group", Narrow::Middle),
    Column::number("requests", Narrow::Keep),
    Column::number("clients", Narrow::Keep),
    Column::number("limit", Narrow::Keep),
    Column::word("grade", Narrow::End),
];
/// The column that only some surveys need.
const BY_SLASH64: usize = 1;

pub(super) fn write(page: &mut Page<'_>, survey: &SurveyReport) {
    if survey.groups.is_empty() {
        page.line("nothing that a rule could protect");
        return;
    }
    page.paragraph(
        0,
        page.style.strong,
        &format!(
            "what a single client takes, by method and path (peak in any {} s)",
            survey.window()
        ),
    );
    page.gap();
    let mut rows: Vec<_> = survey.groups.iter().take(SHOWN).map(|group| row(page, group)).collect();
    let mut columns = COLUMNS.to_vec();
    if !survey.has_busier_networks() {
        columns.remove(BY_SLASH64);
        rows.iter_mut().for_each(|cells| drop(cells.remove(BY_SLASH64)));
    }
    let rows: Vec<_> = rows.into_iter().map(Row::Cells).collect();
    table::write(page, &columns, &rows);
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

fn row(page: &Page<'_>, group: &GroupReport) -> Vec<Cell> {
    let proposal = group.analysis.as_ref().map(|route| &route.proposal);
    let limit = proposal.and_then(|proposal| proposal.limit);
    let (words, ink) = match (group.advice, proposal) {
        ("look", Some(proposal)) if limit.is_none() => {
            (format!("none: {}", proposal.reason_in_short), page.style.faint)
        }
        ("look", Some(proposal)) => (proposal.grade.to_owned(), page.style.grade(proposal.grade)),
        ("look", None) => (String::new(), page.style.faint),
        ("webhook", _) => ("webhook".to_owned(), page.style.faint),
        ("health-check", _) => ("health check".to_owned(), page.style.faint),
        _ => ("static".to_owned(), page.style.faint),
    };
    let busier = group.peak_slash64 > group.peak;
    vec![
        Cell::new(thousands(group.peak.into())),
        Cell::new(if busier { thousands(group.peak_slash64.into()) } else { String::new() })
            .ink(page.style.careful),
        Cell::new(&group.title),
        Cell::new(thousands(group.requests)),
        Cell::new(thousands(group.clients)),
        Cell::new(limit.map_or_else(String::new, |limit| thousands(limit.into())))
            .ink(page.style.strong),
        Cell::new(words).ink(ink),
    ]
}

/// The sentence of each limit that was found, and what is to be known of the groups without one.
fn headlines(page: &mut Page<'_>, survey: &SurveyReport) {
    for group in &survey.groups {
        let Some(route) = &group.analysis else { continue };
        let has_limit = route.proposal.limit.is_some();
        let warnings: Vec<_> = route.warnings_in_survey().collect();
        if !has_limit && warnings.is_empty() && route.proposal.questions.is_empty() {
            continue;
        }
        page.gap();
        page.paragraph(0, page.style.strong, &group.title);
        if has_limit {
            page.paragraph(2, anstyle::Style::new(), &route.proposal.headline);
        } else if let Some(question) = route.proposal.questions.first() {
            page.labelled_in(page.style.careful, "question", &question.words);
        }
        for warning in warnings {
            page.labelled_in(page.style.careful, warning.id, &warning.text);
        }
        if has_limit {
            continue;
        }
        if let Some(command) = group.command_with_answer() {
            page.labelled("if so", &command);
        } else if let Some(command) = group.command() {
            page.labelled("look", &command);
        }
    }
    if !survey.warnings.is_empty() {
        page.gap();
        page.paragraph(0, page.style.strong, "about all of these");
    }
    for warning in &survey.warnings {
        page.labelled_in(page.style.careful, warning.id, &warning.text);
    }
}
