//! What a file is, told by its first record, or by the first whole one where that is damaged.

use super::alb;
use super::cloudfront;
use super::combined;
use super::error::Error;
use super::fields::FieldList;
use super::file_state::guess;
use super::foreign;
use super::format::{Format, Framing, Kind, Sample};
use super::gateway;
use super::header::HeaderMemory;
use super::lines::Line;
use super::objects::Objects;
use super::options::{InputFormat, Options};
use super::waf;
use super::wrapper::Wrapper;

/// Every format but CloudFront's tab-separated one. The first that fits is taken.
const KINDS: &[Kind] = &[
    waf::KIND,
    cloudfront::json::KIND,
    cloudfront::delimited::REAL_TIME,
    alb::KIND,
    combined::KIND,
    cloudfront::delimited::STANDARD,
    gateway::KIND,
];

/// A file is told by no more than this.
const HEAD: usize = 1 << 20;

/// A format that is ready to read, with what its records are.
pub(super) type Opened = (Framing, Box<dyn Format>);

/// What is to be done with a file.
pub(super) enum Detection {
    /// More of it has to be seen.
    More,
    /// CloudFront's tab-separated text, or nothing that is known: the line reader tells.
    Standard {
        /// The first line that looks like it; 0 if the very first one decides.
        first: u64,
    },
    /// Another format.
    Format(Framing, Box<dyn Format>),
    /// Records in something else; each is told by [`kind_of`].
    Wrapped(Wrapper),
    /// It cannot be read.
    Refused(Error),
}

/// Tells a file by its start. `whole`: there is no more of it.
pub(super) fn detect(
    file: &str,
    head: &[u8],
    whole: bool,
    options: &Options,
    headers: &mut HeaderMemory,
) -> Detection {
    if let Some((what, hint)) = foreign::recognise_text(head) {
        return Detection::Refused(Error::Foreign { file: file.to_owned(), what, hint });
    }
    let settled = whole || head.len() >= HEAD;
    let Some(start) = Start::of(head, settled) else {
        return if settled { Detection::Standard { first: 0 } } else { Detection::More };
    };
    let object;
    let text = if start.rest.starts_with(b"{") || start.rest.starts_with(b"[") {
        let Some(first) = first_object(start.rest, settled) else { return Detection::More };
        object = first;
        object.as_slice()
    } else {
        start.first_line
    };
    let named = start.header.map(|names| headers.list(names));
    let sample = Sample { file, line: start.line, text, named };
    if let Some(wrapper) = Wrapper::of(&sample) {
        return Detection::Wrapped(wrapper);
    }
    match kind_of(&sample, options) {
        Ok(Some((framing, format))) => Detection::Format(framing, format),
        Ok(None) if start.header.is_none() && options.fields.is_none() => {
            later(file, &start, options).unwrap_or(Detection::Standard { first: 0 })
        }
        Ok(None) => Detection::Standard { first: 0 },
        Err(error) => Detection::Refused(error),
    }
}

/// Lines after the first one that are looked at where that one says nothing.
const LATER_LINES: usize = 16;

/// Tells a file whose first line is damaged (a copy that begins in the middle of a line, a stray remark)
/// by one that is whole. `None` if the first line is, or no line says anything.
fn later(file: &str, start: &Start<'_>, options: &Options) -> Option<Detection> {
    if is_standard(start.first_line) {
        return None;
    }
    let mut rest = start.rest;
    for line in (start.line + 1..).take(LATER_LINES) {
        rest = &rest[memchr::memchr(b'\n', rest)? + 1..];
        let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let whole = rest[..end].trim_ascii_end();
        let object;
        let text = if whole.starts_with(b"{") {
            object = first_object(rest, true)?;
            object.as_slice()
        } else {
            whole
        };
        if text.is_empty() || text.starts_with(b"#") {
            continue;
        }
        if is_standard(text) {
            return Some(Detection::Standard { first: line });
        }
        let sample = Sample { file, line, text, named: None };
        if let Some(wrapper) = Wrapper::of(&sample) {
            return Some(Detection::Wrapped(wrapper));
        }
        if let Ok(Some((framing, format))) = kind_of(&sample, options) {
            return Some(Detection::Format(framing, format));
        }
    }
    None
}

/// Whether a line without a header is one of CloudFront's standard logs.
fn is_standard(line: &[u8]) -> bool {
    line.contains(&b'\t') && guess(line, line.split(|&byte| byte == b'\t').count()).is_some()
}

/// Whether a text starts with a JSON object of a format that says by its keys what it is. The object may
/// be cut off.
pub(super) fn is_json_log(head: &[u8]) -> bool {
    let Some(text) = Start::of(head, true).and_then(|start| first_object(start.rest, true)) else {
        return false;
    };
    let sample = Sample { file: "", line: 1, text: &text, named: None };
    let options = Options::default();
    let known = KINDS.iter().filter(|kind| kind.name != InputFormat::Gateway);
    sample.is_object()
        && (Wrapper::of(&sample).is_some()
            || known.into_iter().any(|kind| (kind.fits)(&sample, &options)))
}

/// The format of a file that starts like that; `None` for CloudFront's tab-separated text.
///
/// # Errors
/// When it is of a format that cannot be read without being told more, or of none.
pub(super) fn kind_of(sample: &Sample<'_>, options: &Options) -> Result<Option<Opened>, Error> {
    let asked = |kind: &&Kind| options.format.is_none_or(|name| name == kind.name);
    let fitting = KINDS.iter().filter(asked).find(|kind| (kind.fits)(sample, options));
    let kind = match options.format {
        // It separates by tabs, if nothing else fits.
        None | Some(InputFormat::Standard) => fitting,
        Some(_) => fitting.or_else(|| KINDS.iter().find(asked)),
    };
    let Some(kind) = kind else { return Ok(None) };
    let format = (kind.open)(sample, options)?;
    Ok(Some((format.rows().map_or(kind.framing, Framing::Rows), format)))
}

/// The first record of a text and what stands before it.
struct Start<'a> {
    line: u64,
    header: Option<&'a [u8]>,
    /// Without its end.
    first_line: &'a [u8],
    /// From the first line on.
    rest: &'a [u8],
}

impl<'a> Start<'a> {
    /// `settled`: a line without an end counts as one.
    fn of(head: &'a [u8], settled: bool) -> Option<Self> {
        let mut rest = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
        let mut header = None;
        let mut line = 0;
        loop {
            line += 1;
            let end = memchr::memchr(b'\n', rest);
            let text = rest[..end.unwrap_or(rest.len())].trim_ascii_end();
            let is_json = matches!(text.trim_ascii_start().first(), Some(b'{' | b'['));
            match text.first() {
                None => {}
                Some(b'#') => header = FieldList::names_in(text).or(header),
                Some(_) if end.is_none() && !settled && !is_json => return None,
                Some(_) if is_json => {
                    let rest = rest.trim_ascii_start();
                    return Some(Self { line, header, first_line: text, rest });
                }
                Some(_) => match FieldList::names_in(text) {
                    Some(names) if header.is_none() => header = Some(names),
                    _ => return Some(Self { line, header, first_line: text, rest }),
                },
            }
            rest = &rest[end? + 1..];
        }
    }
}

/// The first object of a text; `settled`: as far as it goes, if it has no end.
fn first_object(text: &[u8], settled: bool) -> Option<Vec<u8>> {
    let mut objects = Objects::default();
    let mut first = None;
    objects.feed(&text[..text.len().min(HEAD)], |_, line| {
        if let Line::Text(text) = line {
            first = Some(text.to_vec());
        }
        false
    });
    first.or_else(|| settled.then(|| objects.unfinished().to_vec()))
}
