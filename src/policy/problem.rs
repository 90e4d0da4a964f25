//! What is wrong with a policy, with the place, and how it is shown.

use std::fmt;
use std::sync::Arc;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::units::{count, plain};

/// Problems that are written out; more of them are only counted.
const SHOWN: usize = 50;
/// Bytes of a source line that are shown.
const LINE_BYTES: usize = 400;

/// A part of a text, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One after the last.
    pub end: usize,
}

/// One fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong, in one line.
    pub title: String,
    /// What stands at the place.
    pub found: String,
    /// What is allowed or what to do.
    pub help: Option<String>,
    /// The place; `None` if it is about the whole file.
    pub span: Option<Span>,
    /// Other places that belong to it, with what stands there.
    pub related: Vec<(Span, String)>,
}

impl Problem {
    /// A fault without a place yet.
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            found: String::new(),
            help: None,
            span: None,
            related: Vec::new(),
        }
    }

    /// Says where.
    #[must_use]
    pub fn at(mut self, span: Span) -> Self {
        self.span = Some(span);
        self
    }

    /// Says what stands there.
    #[must_use]
    pub fn found(mut self, found: impl Into<String>) -> Self {
        self.found = found.into();
        self
    }

    /// Says what is allowed or what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Points at another place that belongs to it.
    #[must_use]
    pub fn related(mut self, span: Span, what: impl Into<String>) -> Self {
        self.related.push((span, what.into()));
        self
    }
}

/// Foreign text made harmless, a tab by its name: few people know its number.
fn shown(text: &str) -> String {
    plain(&text.replace('\t', "<tab>")).into_owned()
}

/// A file's name and text.
#[derive(Debug, PartialEq, Eq)]
pub struct Source {
    /// As the user gave it.
    pub name: String,
    /// All of it.
    pub text: String,
}

impl Source {
    /// Line and column of a byte, both from 1, columns in characters.
    #[must_use]
    pub fn line_and_column(&self, byte: usize) -> (usize, usize) {
        let byte = self.text.floor_char_boundary(byte);
        let before = &self.text[..byte];
        let line_start = before.rfind('\n').map_or(0, |place| place + 1);
        (1 + before.matches('\n').count(), 1 + before[line_start..].chars().count())
    }
}

/// All that is wrong with a policy (or with a policy and its lock), in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problems {
    source: Arc<Source>,
    list: Vec<Problem>,
}

impl Problems {
    /// Problems of one file, in the order of the file, what concerns the whole file last.
    #[must_use]
    pub fn new(source: Arc<Source>, mut list: Vec<Problem>) -> Self {
        list.sort_by_key(|problem| (problem.span.is_none(), problem.span));
        list.dedup();
        Self { source, list }
    }

    /// The problems, first place first.
    #[must_use]
    pub fn list(&self) -> &[Problem] {
        &self.list
    }

    /// Line and column of a problem, both from 1.
    #[must_use]
    pub fn place(&self, problem: &Problem) -> Option<(usize, usize)> {
        problem.span.map(|span| self.source.line_and_column(span.start))
    }

    /// Every problem with file, line, column, the line itself and what is allowed. Control characters
    /// of the file are shown as escapes.
    #[must_use]
    pub fn render(&self, color: bool) -> String {
        let renderer = if color { Renderer::styled() } else { Renderer::plain() };
        let mut out = String::new();
        for problem in self.list.iter().take(SHOWN) {
            out.push_str(&renderer.render(&[self.group(problem)]));
            out.push_str("\n\n");
        }
        if self.list.len() > SHOWN {
            out.push_str(&format!("… and {} more\n\n", self.list.len() - SHOWN));
        }
        let number = count(self.list.len() as u64, "problem", "problems");
        out.push_str(&format!("{number} in {}", plain(&self.source.name)));
        out
    }

    fn group(&self, problem: &Problem) -> Group<'static> {
        let title = shown(&problem.title);
        let mut group = Group::with_title(Level::ERROR.primary_title(title));
        match problem.span {
            Some(span) => {
                group = group.element(self.snippet(span, &problem.found, AnnotationKind::Primary));
                for (span, what) in &problem.related {
                    group = group.element(self.snippet(*span, what, AnnotationKind::Context));
                }
            }
            None => {
                let whole = format!("in {}: {}", self.source.name, problem.found);
                group = group.element(Level::NOTE.message(shown(&whole)));
            }
        }
        if let Some(help) = &problem.help {
            group = group.element(Level::HELP.message(shown(help)));
        }
        group
    }

    /// One line of the file with a caret below. Only that line is given to the renderer, harmless and
    /// cut, so that neither its content nor its length can do anything to a terminal.
    fn snippet(
        &self,
        span: Span,
        label: &str,
        kind: AnnotationKind,
    ) -> Snippet<'static, annotate_snippets::Annotation<'static>> {
        let text = &self.source.text;
        let start = text.floor_char_boundary(span.start);
        let line_start = text[..start].rfind('\n').map_or(0, |place| place + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |place| start + place);
        let line_end = line_start + text[line_start..line_end].trim_end_matches('\r').len();
        let start = start.min(line_end);
        let from = text.ceil_char_boundary(line_start.max(start.saturating_sub(LINE_BYTES / 2)));
        let to = text.floor_char_boundary(line_end.min(from + LINE_BYTES)).max(start);
        let end = text.ceil_char_boundary(span.end).clamp(start, to);
        let before = shown(&text[from..start]);
        let inside = shown(&text[start..end]);
        let after = shown(&text[end..to]);
        let mark = before.len()..before.len() + inside.len();
        let (line, _) = self.source.line_and_column(start);
        Snippet::source(format!("{before}{inside}{after}"))
            .path(shown(&self.source.name))
            .line_start(line)
            .fold(false)
            .annotation(kind.span(mark).label(shown(label)))
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for Problems {}
