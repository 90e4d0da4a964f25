//! For a terminal: each finding with the lines that it is about.

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};

use super::Report;
use crate::checks::check::{About, Severity};
use crate::checks::finding::Place;
use crate::checks::locate::{Source, Spot};
use crate::checks::suppress::Located;
use crate::units::{count, plain};

/// Bytes of a source line that are shown.
const LINE_BYTES: usize = 400;

/// Findings, what could not be seen, and how many there are.
#[must_use]
pub fn text(report: &Report<'_>, color: bool) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let mut out = String::new();
    for located in report.told() {
        out.push_str(&renderer.render(&[group(located, report.sources)]));
        out.push_str("\n\n");
    }
    let blind = &report.context.deployment.blind;
    for (item, what) in blind {
        out.push_str(&format!("not seen: {}: {}\n", plain(&item.address), plain(what)));
    }
    if !blind.is_empty() {
        out.push('\n');
    }
    out.push_str(&format!(
        "{} in {}, {}\n",
        report.counts().in_words(),
        report.looked_at(),
        count(report.checks.len() as u64, "check", "checks"),
    ));
    out
}

/// The page of a check for a terminal: as it is written, it reads well.
#[must_use]
pub fn explained(about: &About) -> String {
    format!(
        "{} ({}, confidence {})\n\n{}",
        about.title,
        about.severity.as_str(),
        about.confidence.as_str(),
        about.page
    )
}

/// One line a check.
#[must_use]
pub fn list(checks: &[&'static About]) -> String {
    let width = checks.iter().map(|about| about.id.len()).max().unwrap_or_default();
    let line = |about: &&'static About| {
        format!("{:width$}  {:7}  {}\n", about.id, about.severity.as_str(), about.title)
    };
    checks.iter().map(line).collect()
}

fn group(located: &Located, sources: &[Source]) -> Group<'static> {
    let finding = &located.finding;
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = plain(&finding.message).into_owned();
    let mut group = Group::with_title(level.primary_title(title).id(finding.check));
    match snippet(located.spot.as_ref(), sources, "", AnnotationKind::Primary) {
        Some(snippet) => group = group.element(snippet),
        None => group = group.element(Level::NOTE.message(whereabouts(&finding.place))),
    }
    for (spot, (place, what)) in located.related.iter().zip(&finding.related) {
        match snippet(spot.as_ref(), sources, what, AnnotationKind::Context) {
            Some(snippet) => group = group.element(snippet),
            None => {
                let text = format!("{}: {}", plain(what), whereabouts(place));
                group = group.element(Level::NOTE.message(text));
            }
        }
    }
    if let Some(help) = &finding.help {
        group = group.element(Level::HELP.message(plain(help).into_owned()));
    }
    group
}

/// `in aws_wafv2_web_acl.this, rule token, of plan.json`.
pub(super) fn whereabouts(place: &Place) -> String {
    let rule = place.rule.as_ref().map(|rule| format!(", rule {rule}")).unwrap_or_default();
    let text = format!("in {}{rule}, of {}", place.item.address, place.item.input);
    plain(&text).into_owned()
}

/// One line with a mark below. Only that line is given to the renderer, harmless and cut.
fn snippet(
    spot: Option<&Spot>,
    sources: &[Source],
    label: &str,
    kind: AnnotationKind,
) -> Option<Snippet<'static, Annotation<'static>>> {
    let spot = spot?;
    let source = sources.get(spot.source)?;
    let text = &source.text;
    let line_start = text[..spot.start].rfind('\n').map_or(0, |place| place + 1);
    let line_end = text[spot.start..].find('\n').map_or(text.len(), |place| spot.start + place);
    let line_end = line_start + text[line_start..line_end].trim_end_matches('\r').len();
    let start = spot.start.min(line_end);
    let from = text.ceil_char_boundary(line_start.max(start.saturating_sub(LINE_BYTES / 2)));
    let to = text.floor_char_boundary(line_end.min(from + LINE_BYTES)).max(start);
    let end = spot.end.clamp(start, to);
    let shown = |part: &str| plain(&part.replace('\t', "  ")).into_owned();
    let (before, inside, after) =
        (shown(&text[from..start]), shown(&text[start..end]), shown(&text[end..to]));
    let mark = before.len()..before.len() + inside.len();
    Some(
        Snippet::source(format!("{before}{inside}{after}"))
            .path(plain(&source.path).into_owned())
            .line_start(spot.line)
            .fold(false)
            .annotation(kind.span(mark).label(plain(label).into_owned())),
    )
}
