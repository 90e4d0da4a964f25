//! A report for a pull request.

mod escape;
mod placement;
mod replay;
mod route;
mod rules;

use std::fmt::Write as _;

use super::view::{GroupReport, Report, RouteReport, SurveyReport};
use super::{Analysis, Words};
use crate::units::{count, thousands};
use escape::code;
pub use placement::placement;
pub use replay::replay;

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
    for rule in report.rules.iter().flatten() {
        rules::write(&mut out, rule);
    }
    write_coverage(&mut out, &report);
    out
}

/// Clients above a limit that a survey shows, over all its groups: it has to fit into one comment.
const SHOWN: usize = 40;
/// Fewest and most of them for one group.
const OF_A_GROUP: (usize, usize) = (3, 10);

fn write_survey(out: &mut String, survey: &SurveyReport) {
    out.push_str("## What a single client takes, by method and path\n\n");
    let networks = survey.has_busier_networks();
    let (head, line) = if networks { (" by /64 |", " --: |") } else { ("", "") };
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(
        out,
        "| peak in any {} s |{head} group | requests | clients | limit | |",
        survey.window()
    );
    let _ = writeln!(out, "| --: |{line} :-- | --: | --: | --: | :-- |");
    for group in &survey.groups {
        let proposal = group.analysis.as_ref().map(|route| &route.proposal);
        let limit = proposal.and_then(|proposal| proposal.limit);
        let network = match group.peak_slash64 {
            _ if !networks => String::new(),
            peak if peak > group.peak => format!(" {} |", thousands(peak.into())),
            _ => " |".to_owned(),
        };
        let _ = writeln!(
            out,
            "| {} |{network} {} | {} | {} | {} | {} |",
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
    let analysed =
        || survey.groups.iter().filter_map(|group| Some((group, group.analysis.as_ref()?)));
    let limits = analysed().filter(|(_, route)| route.proposal.limit.is_some()).count();
    let (fewest, most) = OF_A_GROUP;
    let shown = (SHOWN / limits.max(1)).clamp(fewest, most);
    for (group, route) in analysed() {
        write_group(out, group, route, shown);
    }
    if !survey.warnings.is_empty() {
        out.push_str("## About all of these\n\n");
        route::write_caveats(out, &[], &mut survey.warnings.iter());
    }
}

fn write_group(out: &mut String, group: &GroupReport, route: &RouteReport, shown: usize) {
    if route.proposal.limit.is_some() {
        route::write_summary(out, route, &mut route.warnings_in_survey());
        route::write_clients(out, route, shown);
        return;
    }
    let questions = &route.proposal.questions;
    if questions.is_empty() && route.warnings_in_survey().next().is_none() {
        return;
    }
    let _ = writeln!(out, "## {}: {}\n", code(&route.route), route.proposal.grade);
    route::write_caveats(out, questions, &mut route.warnings_in_survey());
    if let Some(command) = group.command() {
        let _ = writeln!(out, "{} shows who called it.\n", code(&command));
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
    parts.extend(coverage.asked.clone());
    for (reason, lines) in &coverage.skipped {
        parts.push(format!("{} skipped ({reason})", count(*lines, "line", "lines")));
    }
    let _ = writeln!(out, "<sub>{}</sub>", escape::prose(&parts.join(", ")));
}
