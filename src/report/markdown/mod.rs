//! A report for a pull request.

mod escape;
mod route;

use std::fmt::Write as _;

use super::view::{GroupReport, Report, SurveyReport};
use super::{Analysis, Words};
use crate::units::{count, thousands};
use escape::code;

/// The analysis as Markdown (GitHub's kind), whose foreign text cannot be anything but text.
#[must_use]
pub fn markdown(analysis: &Analysis, words: &dyn Words) -> String {
    let report = Report::new(analysis, words);
    let mut out = String::new();
    for route in &report.routes {
        route::write(&mut out, route);
    }
    if let Some(survey) = &report.survey {
        write_survey(&mut out, survey);
    }
    write_coverage(&mut out, &report);
    out
}

fn write_survey(out: &mut String, survey: &SurveyReport) {
    out.push_str("## What a single client takes, by method and path\n\n");
    out.push_str("| peak in any 300 s | group | requests | clients | limit | |\n");
    out.push_str("| --: | :-- | --: | --: | --: | :-- |\n");
    for group in &survey.groups {
        let proposal = group.analysis.as_ref().map(|route| &route.proposal);
        let limit = proposal.and_then(|proposal| proposal.limit);
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} |",
            thousands(group.peak.into()),
            code(&group.title),
            thousands(group.requests),
            thousands(group.clients),
            limit.map_or_else(String::new, |limit| format!("**{}**", thousands(limit.into()))),
            advice(group),
        );
    }
    out.push('\n');
    if survey.more_groups > 0 {
        let _ = writeln!(
            out,
            "And {} with {}.\n",
            count(survey.more_groups, "more group", "more groups"),
            count(survey.more_requests, "request", "requests")
        );
    }
    for route in survey.groups.iter().filter_map(|group| group.analysis.as_ref()) {
        if route.proposal.limit.is_some() {
            route::write_summary(out, route);
        }
    }
}

fn advice(group: &GroupReport) -> String {
    match (group.advice, &group.analysis) {
        ("look", Some(route)) if route.proposal.limit.is_none() => {
            format!("none: {}", route.proposal.reason)
        }
        ("look", Some(route)) => route.proposal.grade.to_owned(),
        ("look", None) => String::new(),
        ("webhook", _) => "a webhook".to_owned(),
        ("health-check", _) => "a health check".to_owned(),
        _ => "static".to_owned(),
    }
}

fn write_coverage(out: &mut String, report: &Report) {
    let coverage = &report.coverage;
    let mut parts = vec![count(coverage.lines, "request line", "request lines")];
    parts.extend(coverage.period.clone());
    parts.push(match coverage.missing_hours {
        0 => count(coverage.hours, "hour", "hours"),
        missing => format!(
            "{} of {} hours",
            thousands(coverage.hours),
            thousands(coverage.hours + missing)
        ),
    });
    for (reason, lines) in &coverage.skipped {
        parts.push(format!("{} skipped ({reason})", count(*lines, "line", "lines")));
    }
    let _ = writeln!(out, "<sub>{}</sub>", escape::prose(&parts.join(", ")));
}
