//! One file after another: directives, lines, skipped lines, and the verdict on the file.

use super::discover::{Input, Place};
use super::error::Error;
use super::fields::FieldList;
use super::foreign;
use super::inflate::{Bounds, Consumer, Inflater};
use super::lines::{Line, Lines};
use super::request::Request;
use super::source::Remote;
use super::standard::LineParser;

/// Which optional fields the routes need.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// A route names a method.
    pub method: bool,
    /// A route names a host.
    pub host: bool,
}

/// How to read.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Which optional fields must be there.
    pub needs: Needs,
    /// How many times its stored size a file may unpack to, beyond 64 MB.
    pub max_ratio: u32,
    /// Read on after a damaged file, a foreign file, or one with mostly unreadable lines.
    pub keep_going: bool,
    /// Columns of files without a `#Fields:` line.
    pub fields: Option<FieldList>,
}

impl Options {
    /// Beyond this, a file is taken for a gzip bomb. Honest logs were seen at 82:1.
    pub const MAXIMUM_RATIO: u32 = 200;
}

impl Default for Options {
    fn default() -> Self {
        Self {
            needs: Needs::default(),
            max_ratio: Self::MAXIMUM_RATIO,
            keep_going: false,
            fields: None,
        }
    }
}

/// Why a line is not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SkipReason {
    /// Fewer columns than the fields need.
    TooFewColumns,
    /// No readable date and time, or one outside 1970 to 2106.
    NoTime,
    /// `-` for the client's address.
    NoClient,
    /// `-` for the path.
    NoPath,
    /// Over 1 MB.
    TooLong,
}

impl SkipReason {
    /// In words.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::TooFewColumns => "too few columns",
            Self::NoTime => "no readable date and time",
            Self::NoClient => "no client address",
            Self::NoPath => "no path",
            Self::TooLong => "line over 1 MB",
        }
    }
}

/// Lines skipped for one reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skip {
    /// The reason.
    pub reason: SkipReason,
    /// How many lines.
    pub lines: u64,
    /// Number of the first of them.
    pub first_line: u64,
}

/// What became of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileReport {
    /// Requests handed on.
    pub lines: u64,
    /// Stored bytes.
    pub bytes: u64,
    /// Skipped lines, by reason.
    pub skipped: Vec<Skip>,
    /// What it was, in words; `None` for a file without a single request.
    pub format: Option<String>,
    /// What is wrong with it, if it was read in part (`keep_going`).
    pub partial: Option<String>,
    /// Hash of the stored bytes, if it was read as a whole.
    pub content: Option<u128>,
    /// The content was not wanted (it was read under another name).
    pub repeated: bool,
}

impl FileReport {
    /// Lines skipped for any reason.
    #[must_use]
    pub fn skipped_lines(&self) -> u64 {
        self.skipped.iter().map(|skip| skip.lines).sum()
    }
}

/// Reads files, reusing its buffers.
pub struct LogReader {
    options: Options,
    inflater: Inflater,
    lines: Lines,
    parser: LineParser,
    blanks: Vec<u8>,
}

impl LogReader {
    /// A reader.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            inflater: Inflater::new(),
            lines: Lines::default(),
            parser: LineParser::default(),
            blanks: Vec::new(),
        }
    }

    /// Hands each request of a file to `each`. `wants` is asked with a hash of the stored bytes
    /// whether to read a file with that content (files over 64 MB are not asked for). `advance` is told
    /// of stored bytes as they are read; `false` from it ends the reading early.
    ///
    /// # Errors
    /// When the file cannot be read or is not what it should be. With `keep_going` these become
    /// [`FileReport::partial`], but for a file that cannot be opened.
    pub fn read(
        &mut self,
        input: &Input,
        wants: impl FnMut(u128) -> bool,
        advance: impl FnMut(u64) -> bool,
        each: impl FnMut(&mut Request<'_>),
    ) -> Result<FileReport, Error> {
        if let Place::Remote(remote) = &input.place {
            return self.read_remote(input, remote, wants, advance, each);
        }
        self.lines.restart();
        let mut session = Session {
            name: &input.name,
            options: &self.options,
            lines: &mut self.lines,
            state: State::new(&mut self.parser, &mut self.blanks, self.options.fields),
            wants,
            advance,
            each,
        };
        let bounds = Bounds { ratio: self.options.max_ratio };
        let bytes = self.inflater.read(input, bounds, &mut session);
        session.end(bytes)
    }

    /// Fetches an input that is not on this machine, then reads the copy as the file that it is.
    fn read_remote(
        &mut self,
        input: &Input,
        remote: &Remote,
        wants: impl FnMut(u128) -> bool,
        advance: impl FnMut(u64) -> bool,
        each: impl FnMut(&mut Request<'_>),
    ) -> Result<FileReport, Error> {
        let copy = match remote.0.fetch() {
            Ok(copy) => copy,
            Err(error) if error.alone && self.options.keep_going => {
                let partial = Some(causes(&error));
                return Ok(FileReport { partial, ..FileReport::default() });
            }
            Err(error) => return Err(error.into()),
        };
        let (name, place) = (input.name.clone(), Place::File(copy.path().to_owned()));
        let local = Input { name, place, size: copy.size() };
        let read = self.read(&local, wants, advance, each);
        if matches!(read, Err(Error::Damaged { .. })) {
            copy.distrust();
        }
        read
    }
}

/// An error with its causes, on one line.
fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        text.push_str(&format!(": {cause}"));
        next = cause.source();
    }
    text
}

/// The requests of a log in memory, for tests, fuzzing and benchmarks. Never panics.
///
/// # Errors
/// As [`LogReader::read`].
pub fn read_bytes(
    bytes: &[u8],
    options: Options,
    each: impl FnMut(&mut Request<'_>),
) -> Result<FileReport, Error> {
    let mut reader = LogReader::new(options);
    let name = "memory";
    let mut session = Session {
        name,
        options: &reader.options,
        lines: &mut reader.lines,
        state: State::new(&mut reader.parser, &mut reader.blanks, reader.options.fields),
        wants: |_| true,
        advance: |_| true,
        each,
    };
    let input = Input { name: name.to_owned(), place: Place::StandardInput, size: 0 };
    let bounds = Bounds { ratio: reader.options.max_ratio };
    let read = super::inflate::stream(bytes, &input, bounds, &mut session);
    session.end(read)
}

/// One file being read.
struct Session<'a, W, A, E> {
    name: &'a str,
    options: &'a Options,
    lines: &'a mut Lines,
    state: State<'a>,
    wants: W,
    advance: A,
    each: E,
}

impl<W: FnMut(u128) -> bool, A: FnMut(u64) -> bool, E: FnMut(&mut Request<'_>)> Consumer
    for Session<'_, W, A, E>
{
    fn block(&mut self, text: &[u8]) -> bool {
        let (state, each) = (&mut self.state, &mut self.each);
        let (name, options) = (self.name, self.options);
        if !state.looked_at && !text.is_empty() {
            state.looked_at = true;
            if let Some((what, hint)) = foreign::recognise_text(text) {
                state.refused = Some(Error::Foreign { file: name.to_owned(), what, hint });
                return false;
            }
        }
        let go_on =
            self.lines.feed(text, |number, line| state.line(number, line, name, options, each));
        if let Some(line) = self.lines.endless() {
            state.refused = Some(Error::Endless { file: name.to_owned(), line });
        }
        go_on
    }

    fn wants(&mut self, content: u128) -> bool {
        self.state.report.content = Some(content);
        self.state.report.repeated = !(self.wants)(content);
        !self.state.report.repeated
    }

    fn advance(&mut self, bytes: u64) -> bool {
        (self.advance)(bytes)
    }
}

impl<W, A, E: FnMut(&mut Request<'_>)> Session<'_, W, A, E> {
    fn end(mut self, bytes: Result<u64, Error>) -> Result<FileReport, Error> {
        // A line that a damaged file was cut off in is not a line.
        if bytes.is_ok() && self.state.refused.is_none() {
            let (state, each) = (&mut self.state, &mut self.each);
            let (name, options) = (self.name, self.options);
            self.lines
                .finish(&mut |number, line| state.line(number, line, name, options, &mut *each));
        }
        let mut report = self.state.report;
        let error = match (bytes, self.state.refused) {
            // What a damaged file says may be damage, too.
            (Err(error), _) => Some(error),
            (Ok(_), Some(refused)) => Some(refused),
            (Ok(bytes), None) => {
                report.bytes = bytes;
                too_many_skipped(self.name, &report)
            }
        };
        report.skipped.sort_by_key(|skip| skip.reason as u8);
        match error {
            None => Ok(report),
            Some(error @ Error::File(_)) => Err(error),
            Some(error) if self.options.keep_going => {
                report.partial = Some(error.to_string());
                Ok(report)
            }
            Some(error) => Err(error),
        }
    }
}

/// More than half of a file unreadable is not a log with some bad lines, it is another log.
fn too_many_skipped(name: &str, report: &FileReport) -> Option<Error> {
    let skipped = report.skipped_lines();
    let worst = report.skipped.iter().max_by_key(|skip| skip.lines)?;
    (skipped > report.lines).then(|| Error::TooManySkipped {
        file: name.to_owned(),
        skipped,
        lines: report.lines + skipped,
        reason: worst.reason.as_str(),
        example: worst.first_line,
    })
}

/// What is known while going through a file.
struct State<'a> {
    parser: &'a mut LineParser,
    blanks: &'a mut Vec<u8>,
    /// The field list in force and the line it stands on.
    fields: Option<(FieldList, u64)>,
    fallback: Option<FieldList>,
    /// The field list in force has been checked.
    checked: bool,
    /// Columns are separated by runs of blanks: a log copied out of a web page.
    blank_separated: bool,
    started: bool,
    /// The first block has been looked at.
    looked_at: bool,
    report: FileReport,
    refused: Option<Error>,
}

impl<'a> State<'a> {
    fn new(
        parser: &'a mut LineParser,
        blanks: &'a mut Vec<u8>,
        fallback: Option<FieldList>,
    ) -> Self {
        Self {
            parser,
            blanks,
            fields: None,
            fallback,
            checked: false,
            blank_separated: false,
            started: false,
            looked_at: false,
            report: FileReport::default(),
            refused: None,
        }
    }

    #[inline]
    fn line(
        &mut self,
        number: u64,
        line: Line<'_>,
        name: &str,
        options: &Options,
        each: &mut impl FnMut(&mut Request<'_>),
    ) -> bool {
        let Line::Text(mut text) = line else {
            self.skip(SkipReason::TooLong, number);
            return true;
        };
        if let [rest @ .., b'\r'] = text {
            text = rest;
        }
        // Not only in the first line: files may have been joined.
        if let [0xef, 0xbb, 0xbf, rest @ ..] = text {
            text = rest;
        }
        match text.first() {
            None => return true,
            Some(b'#') => return self.directive(number, text, name),
            Some(_) => {}
        }
        if !self.checked && !self.check(number, text, name, options) {
            return false;
        }
        if self.blank_separated {
            self.blanks.clear();
            for word in text.split(|&byte| byte == b' ').filter(|word| !word.is_empty()) {
                self.blanks.extend_from_slice(word);
                self.blanks.push(b'\t');
            }
            self.blanks.pop();
            text = self.blanks;
        }
        let Some((fields, _)) = &self.fields else { return false };
        match self.parser.parse(text, fields) {
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
    fn directive(&mut self, number: u64, text: &[u8], name: &str) -> bool {
        if !self.recognised(text, name) {
            return false;
        }
        let text = String::from_utf8_lossy(text);
        let is_fields = text.get(..8).is_some_and(|key| key.eq_ignore_ascii_case("#Fields:"));
        if is_fields {
            self.fields = Some((FieldList::of(&text[8..]), number));
            self.checked = false;
        }
        true
    }

    /// Refuses a log of another kind.
    fn recognised(&mut self, text: &[u8], name: &str) -> bool {
        match foreign::recognise(text) {
            Some((what, hint)) => {
                self.refused = Some(Error::Foreign { file: name.to_owned(), what, hint });
                false
            }
            None => true,
        }
    }

    /// Before the first request under a field list: is it a log of ours, and has it what is needed?
    #[cold]
    fn check(&mut self, number: u64, text: &[u8], name: &str, options: &Options) -> bool {
        if !self.started && !self.recognised(text, name) {
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
        if self.fields.is_none() {
            let Some(fields) = self.fallback.or_else(|| guess(text, columns)) else {
                let file = name.to_owned();
                self.refused = Some(Error::NoHeader { file, line: number, columns });
                return false;
            };
            self.fields = Some((fields, number));
        }
        let Some((fields, line)) = self.fields else { return false };
        if let Some((field, why)) = fields.missing(options.needs) {
            let (file, field) = (name.to_owned(), field.name());
            self.refused = Some(Error::MissingField { file, line, field, why });
            return false;
        }
        if first {
            self.report.format = Some(format!("CloudFront standard log, {} columns", fields.named));
        }
        self.checked = true;
        true
    }
}

/// The field list of a line without a header: by its number of columns, if it looks like a line of
/// that kind. One surplus empty column at the end does not count.
fn guess(text: &[u8], columns: usize) -> Option<FieldList> {
    let surplus = usize::from(text.ends_with(b"\t"));
    let fields = FieldList::guess(columns).or_else(|| FieldList::guess(columns - surplus))?;
    let mut words =
        text.split(|&byte| matches!(byte, b'\t' | b' ')).filter(|word| !word.is_empty());
    let (date, time) = (words.next()?, words.next()?);
    let stamped = super::stamp::DayCache::default().seconds(date, time).is_some();
    stamped.then_some(fields)
}

#[cfg(test)]
#[path = "reader_tests.rs"]
mod tests;
