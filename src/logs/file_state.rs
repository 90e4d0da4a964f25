//! What is known while going through one file: its format, the field list in force, its skipped lines.

use super::detect::{Detection, detect, kind_of};
use super::error::Error;
use super::fields::{Field, FieldList};
use super::file_report::{FileReport, Skip, SkipReason};
use super::foreign;
use super::format::{Format, Framing, Sample};
use super::header::HeaderMemory;
use super::lines::Line;
use super::options::{InputFormat, Options};
use super::record::Record;
use super::request::Request;
use super::source::Source;
use super::standard::LineParser;
use super::wrapper::Wrapper;

/// Buffers that one file after another uses.
#[derive(Default)]
pub(super) struct Buffers {
    parser: LineParser,
    blanks: Vec<u8>,
    record: Record,
    headers: HeaderMemory,
}

/// The state of one file.
pub(super) struct FileState<'a> {
    pub(super) name: &'a str,
    pub(super) options: &'a Options,
    buffers: &'a mut Buffers,
    /// What it is, once that is known.
    pub(super) opened: bool,
    /// Any format but CloudFront's tab-separated one.
    other: Option<Box<dyn Format>>,
    framing: Framing,
    /// What is around the records.
    wrapper: Option<Wrapper>,
    /// What is in the wrapper has been looked at.
    unwrapped: bool,
    /// The field list in force and the line it stands on.
    fields: Option<(FieldList, u64)>,
    /// The field list in force (or the first record of another format) has been checked.
    checked: bool,
    /// Columns are separated by runs of blanks: a log copied out of a web page.
    blank_separated: bool,
    started: bool,
    /// The first line that tells what the others are; those before it are damaged.
    first: u64,
    /// Paths are patterns of cache behaviours.
    path_is_pattern: bool,
    pub(super) report: FileReport,
    pub(super) refused: Option<Error>,
}

impl<'a> FileState<'a> {
    pub(super) fn new(name: &'a str, options: &'a Options, buffers: &'a mut Buffers) -> Self {
        Self {
            name,
            options,
            buffers,
            opened: false,
            other: None,
            framing: Framing::Lines,
            wrapper: None,
            unwrapped: false,
            fields: None,
            checked: false,
            blank_separated: false,
            started: false,
            first: 0,
            path_is_pattern: false,
            report: FileReport::default(),
            refused: None,
        }
    }

    /// Looks at the start of the file; gives whether to go on.
    #[cold]
    pub(super) fn open(&mut self, head: &[u8], whole: bool) -> bool {
        match detect(self.name, head, whole, self.options, &mut self.buffers.headers) {
            Detection::More => return true,
            Detection::Standard { .. } if self.options.format == Some(InputFormat::Parquet) => {
                let (what, hint) =
                    ("not Parquet", "leave --input-format out: files are told by content");
                self.refused = Some(Error::Foreign { file: self.name.to_owned(), what, hint });
                return false;
            }
            Detection::Standard { first } => self.first = first,
            Detection::Format(framing, format) => {
                self.framing = framing;
                self.other = Some(format);
            }
            Detection::Wrapped(wrapper) => self.wrapper = Some(wrapper),
            Detection::Refused(error) => {
                self.refused = Some(error);
                return false;
            }
        }
        self.opened = true;
        true
    }

    /// What its records are, if it is of another format than CloudFront's tab-separated one.
    pub(super) fn other_framing(&self) -> Option<Framing> {
        match self.wrapper {
            Some(wrapper) => Some(wrapper.framing()),
            None => self.other.is_some().then_some(self.framing),
        }
    }

    /// Refuses a file whose line has no end.
    pub(super) fn endless(&mut self, line: u64) {
        self.refused = Some(Error::Endless { file: self.name.to_owned(), line });
    }

    /// What is known at the end of the file. `glued`: its records had no line ends between them.
    pub(super) fn close(&mut self, glued: bool) {
        if let Some(format) = self.report.format.as_mut().filter(|_| glued) {
            format.push_str(", records without line ends");
        }
        if let (Some(format), Some(wrapper)) = (&mut self.report.format, self.wrapper) {
            *format = format!("{format}, {}", wrapper.as_str());
        }
        if let Some(other) = &self.other {
            self.report.completeness = other.completeness();
        }
        if self.path_is_pattern {
            self.report.completeness.pattern_lines = self.report.lines;
        }
    }

    /// Takes a piece of a file in another format, or with something around its records.
    pub(super) fn piece(
        &mut self,
        number: u64,
        piece: Line<'_>,
        each: &mut impl FnMut(&mut Request<'_>),
    ) -> bool {
        let objects = self.other_framing() == Some(Framing::Objects);
        let Line::Text(text) = piece else {
            self.skip(
                if objects { SkipReason::ObjectTooLong } else { SkipReason::TooLong },
                number,
            );
            return true;
        };
        let Some(wrapper) = self.wrapper else { return self.record(number, text, each) };
        let text = if objects { text } else { bare_line(text) };
        if text.is_empty() {
            return true;
        }
        let mut go_on = true;
        let unwrapped = wrapper.unwrap(text, &mut |inner| {
            go_on = self.inner(number, inner, each);
            go_on
        });
        if let Err(reason) = unwrapped {
            self.skip(reason, number);
        }
        go_on
    }

    /// Takes a record out of its wrapper.
    fn inner(&mut self, number: u64, text: &[u8], each: &mut impl FnMut(&mut Request<'_>)) -> bool {
        if !self.unwrapped && !text.starts_with(b"#") {
            self.unwrapped = true;
            let sample = Sample { file: self.name, line: number, text, named: None };
            match kind_of(&sample, self.options) {
                Ok(None) => {}
                Ok(Some((framing, format))) => {
                    (self.framing, self.other) = (framing, Some(format));
                }
                Err(error) => {
                    self.refused = Some(error);
                    return false;
                }
            }
        }
        if self.other.is_some() {
            self.record(number, text, each)
        } else {
            self.line(number, Line::Text(text), each)
        }
    }

    /// Takes a record of another format.
    fn record(
        &mut self,
        number: u64,
        text: &[u8],
        each: &mut impl FnMut(&mut Request<'_>),
    ) -> bool {
        let objects = self.framing == Framing::Objects;
        let text = if objects { text } else { bare_line(text) };
        let Some(other) = &mut self.other else { return false };
        match text.first() {
            None => return true,
            Some(b'#') if !objects => {
                other.directive(text);
                return true;
            }
            Some(_) if !objects && !self.checked && FieldList::names_in(text).is_some() => {
                other.directive(text);
                return true;
            }
            Some(_) => {}
        }
        let record = &mut self.buffers.record;
        record.restart(other.source());
        let parsed = other.parse(text, record);
        if parsed.is_ok() && !self.checked {
            let description = other.describe();
            if !self.check_record(number, description) {
                return false;
            }
        }
        self.hand_on(number, parsed, each);
        true
    }

    /// Takes a row of a table with so many columns.
    #[cfg(feature = "parquet")]
    pub(super) fn row(
        &mut self,
        number: u64,
        columns: usize,
        values: &[(Field, &[u8])],
        each: &mut impl FnMut(&mut Request<'_>),
    ) -> bool {
        let length: usize = values.iter().map(|(_, text)| text.len()).sum();
        if length > super::lines::LONGEST {
            self.skip(SkipReason::TooLong, number);
            return true;
        }
        let record = &mut self.buffers.record;
        record.restart(Source::StandardV2Parquet);
        for (field, text) in values {
            record.put(*field, text);
        }
        if !self.checked {
            let known = record.known();
            let description = format!("CloudFront v2, Parquet, {known} of {columns} fields");
            if !self.check_record(number, description) {
                return false;
            }
        }
        self.hand_on(number, Ok(()), each);
        true
    }

    /// Before the first request: has it what is needed?
    #[cold]
    fn check_record(&mut self, number: u64, description: String) -> bool {
        let record = &mut self.buffers.record;
        self.path_is_pattern = record.path_is_pattern();
        if let Some((field, why)) = record.missing(self.options.needs) {
            let (file, field) = (self.name.to_owned(), field.name());
            self.refused = Some(Error::MissingField { file, line: number, field, why });
            return false;
        }
        self.report.format = Some(description);
        self.checked = true;
        true
    }

    #[inline]
    fn hand_on(
        &mut self,
        number: u64,
        parsed: Result<(), SkipReason>,
        each: &mut impl FnMut(&mut Request<'_>),
    ) {
        match parsed.and_then(|()| self.buffers.record.request()) {
            Ok(mut request) => {
                self.report.lines += 1;
                each(&mut request);
            }
            Err(reason) => self.skip(reason, number),
        }
    }

    /// Takes a line of CloudFront's tab-separated format.
    #[inline]
    pub(super) fn line(
        &mut self,
        number: u64,
        line: Line<'_>,
        each: &mut impl FnMut(&mut Request<'_>),
    ) -> bool {
        let Line::Text(text) = line else {
            self.skip(SkipReason::TooLong, number);
            return true;
        };
        let mut text = bare_line(text);
        match text.first() {
            None => return true,
            Some(b'#') => return self.directive(number, text),
            Some(_) => {}
        }
        if !self.checked {
            if !self.started && FieldList::names_in(text).is_some() {
                return self.directive(number, text);
            }
            if number < self.first {
                self.skip(SkipReason::TooFewColumns, number);
                return true;
            }
            if !self.check(number, text) {
                return false;
            }
        }
        if self.blank_separated {
            let blanks = &mut self.buffers.blanks;
            blanks.clear();
            for word in text.split(|&byte| byte == b' ').filter(|word| !word.is_empty()) {
                blanks.extend_from_slice(word);
                blanks.push(b'\t');
            }
            blanks.pop();
            text = blanks;
        }
        let Some((fields, _)) = &self.fields else { return false };
        match self.buffers.parser.parse(text, fields) {
            Ok(mut request) => {
                self.report.lines += 1;
                each(&mut request);
            }
            Err(reason) => self.skip(reason, number),
        }
        true
    }

    #[cold]
    fn skip(&mut self, reason: SkipReason, number: u64) {
        match self.report.skipped.iter_mut().find(|skip| skip.reason == reason) {
            Some(skip) => skip.lines += 1,
            None => self.report.skipped.push(Skip { reason, lines: 1, first_line: number }),
        }
    }

    #[cold]
    fn directive(&mut self, number: u64, text: &[u8]) -> bool {
        if !self.recognised(text) {
            return false;
        }
        if let Some(names) = FieldList::names_in(text) {
            self.fields = Some((self.buffers.headers.list(names), number));
            self.checked = false;
        }
        true
    }

    /// Refuses a log of another kind.
    fn recognised(&mut self, text: &[u8]) -> bool {
        match foreign::recognise(text) {
            Some((what, hint)) => {
                self.refused = Some(Error::Foreign { file: self.name.to_owned(), what, hint });
                false
            }
            None => true,
        }
    }

    /// Before the first request under a field list: is it a log of ours, and has it what is needed?
    #[cold]
    fn check(&mut self, number: u64, text: &[u8]) -> bool {
        if !self.started && !self.recognised(text) {
            return false;
        }
        let first = !self.started;
        self.started = true;
        self.blank_separated = !text.contains(&b'\t') && text.contains(&b' ');
        let columns = if self.blank_separated {
            text.split(|&byte| byte == b' ').filter(|word| !word.is_empty()).count()
        } else {
            text.split(|&byte| byte == b'\t').count()
        };
        let headed = self.fields.is_some();
        if !headed {
            // The fields of real-time logs are of no use here: this is none.
            let told = self.options.fields.filter(|fields| fields.source != Source::RealTime);
            let Some(fields) = told.or_else(|| guess(text, columns)) else {
                let file = self.name.to_owned();
                self.refused = Some(Error::NoHeader { file, line: number, columns });
                return false;
            };
            self.fields = Some((fields, number));
        }
        let Some((fields, line)) = self.fields else { return false };
        if let Some((field, why)) = fields.missing(self.options.needs, false) {
            let (file, field) = (self.name.to_owned(), field.name());
            self.refused = Some(Error::MissingField { file, line, field, why });
            return false;
        }
        // With nothing between them, date, time and a character of every other field are longer than
        // what is left of a line that was cut off.
        let could_be_whole = text.len() >= DATE_AND_TIME + usize::from(fields.named);
        if columns == 1 && fields.named > 1 && could_be_whole {
            let (file, fields) = (self.name.to_owned(), fields.named);
            self.refused = Some(Error::NoDelimiter { file, line: number, fields });
            return false;
        }
        self.path_is_pattern |= fields.path_is_pattern;
        if first {
            self.report.format = Some(describe(&fields, headed));
        }
        self.checked = true;
        true
    }
}

/// `headed`: the file names its fields, as only w3c does.
fn describe(fields: &FieldList, headed: bool) -> String {
    let (known, named) = (fields.known(), fields.named);
    let output = if headed { "w3c" } else { "plain" };
    match fields.source {
        Source::Standard => format!("CloudFront standard log, {named} columns"),
        _ => format!("CloudFront v2, {output}, {known} of {named} fields"),
    }
}

/// A line without a carriage return at its end and a mark at its start: not only the first line may have
/// one, files may have been joined.
#[inline]
fn bare_line(mut text: &[u8]) -> &[u8] {
    if let [rest @ .., b'\r'] = text {
        text = rest;
    }
    if let [0xef, 0xbb, 0xbf, rest @ ..] = text {
        text = rest;
    }
    text
}

/// Characters of `2026-09-08` and `07:00:00`, less one of each.
const DATE_AND_TIME: usize = 16;

/// The field list of a line without a header: by its number of columns, if it looks like a line of
/// that kind. One surplus empty column at the end does not count.
pub(super) fn guess(text: &[u8], columns: usize) -> Option<FieldList> {
    let surplus = usize::from(text.ends_with(b"\t"));
    let fields = FieldList::guess(columns).or_else(|| FieldList::guess(columns - surplus))?;
    let words: Vec<&[u8]> = if text.contains(&b'\t') {
        text.split(|&byte| byte == b'\t').collect()
    } else {
        text.split(|&byte| byte == b' ').filter(|word| !word.is_empty()).collect()
    };
    let word = |field| words.get(fields.column(field)?).copied();
    let (date, time) = (word(Field::Date)?, word(Field::Time)?);
    super::stamp::DayCache::default().seconds(date, time).map(|_| fields)
}
