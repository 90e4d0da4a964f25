//! One file after another: stored bytes to records, records to requests, and the verdict on the file.

use super::cloudfront::rows::Rows;
use super::discover::{Input, Place};
use super::error::Error;
#[cfg(feature = "parquet")]
use super::fields::Field;
use super::file_report::FileReport;
use super::file_state::{Buffers, FileState};
use super::format::Framing;
use super::inflate::{Bounds, Consumer, Inflater, Table};
use super::lines::Lines;
use super::nested::Nested;
use super::objects::Objects;
use super::options::{InputFormat, Options};
#[cfg(feature = "parquet")]
use super::parquet::Store;
use super::remote::Remote;
use super::request::Request;

/// Reads files, reusing its buffers.
pub struct LogReader {
    options: Options,
    inflater: Inflater,
    framers: Framers,
    buffers: Buffers,
}

/// What cuts a text into records.
#[derive(Default)]
struct Framers {
    lines: Lines,
    objects: Objects,
    rows: Rows,
    /// The start of a file that has not shown yet what it is.
    head: Vec<u8>,
}

impl Framers {
    fn restart(&mut self) {
        self.lines.restart();
        self.objects.restart();
        self.rows.restart();
        self.head.clear();
    }
}

impl LogReader {
    /// A reader.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            inflater: Inflater::new(),
            framers: Framers::default(),
            buffers: Buffers::default(),
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
        self.framers.restart();
        let mut session = Session {
            framers: &mut self.framers,
            state: FileState::new(&input.name, &self.options, &mut self.buffers),
            nested: None,
            wants,
            advance,
            each,
        };
        let bounds = Bounds::of(&self.options);
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
        framers: &mut reader.framers,
        state: FileState::new(name, &reader.options, &mut reader.buffers),
        nested: None,
        wants: |_| true,
        advance: |_| true,
        each,
    };
    let input = Input { name: name.to_owned(), place: Place::StandardInput, size: 0 };
    let bounds = Bounds::of(&reader.options);
    let read = super::inflate::stream(bytes, &input, bounds, &mut session);
    session.end(read)
}

/// One file being read.
struct Session<'a, W, A, E> {
    framers: &'a mut Framers,
    state: FileState<'a>,
    /// What is packed twice.
    nested: Option<Nested>,
    wants: W,
    advance: A,
    each: E,
}

impl<W: FnMut(u128) -> bool, A: FnMut(u64) -> bool, E: FnMut(&mut Request<'_>)> Consumer
    for Session<'_, W, A, E>
{
    fn block(&mut self, text: &[u8]) -> bool {
        if self.nested.is_none() {
            if self.state.opened || !self.framers.head.is_empty() || !Nested::begins(text) {
                return self.text(text);
            }
            self.nested = Some(Nested::new());
        }
        self.unpack(|nested, name, ratio, each| nested.feed(name, text, ratio, each))
    }

    fn table(&mut self, table: Table) -> Result<u64, Error> {
        self.state.opened = true;
        let foreign = |hint| {
            let file = self.state.name.to_owned();
            Err(Error::Foreign { file, what: "a Parquet file", hint })
        };
        if self.state.options.format.is_some_and(|format| format != InputFormat::Parquet) {
            return foreign("leave --input-format out: files are told by content");
        }
        #[cfg(not(feature = "parquet"))]
        {
            drop(table);
            foreign("this ratewaf was built without the feature `parquet`; build it with it")
        }
        #[cfg(feature = "parquet")]
        {
            let name = self.state.name;
            let ratio = self.state.options.max_ratio;
            let store = match table {
                Table::File(file) => Store::of_file(file)
                    .map_err(|source| Error::Read { file: name.to_owned(), source })?,
                Table::Memory(bytes) => Store::of_memory(bytes),
            };
            let details = self.state.options.details;
            let rows = &mut TableRows { session: self, columns: 0 };
            super::parquet::read(name, store, ratio, details, rows)
        }
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

/// A session that is given the rows of a table.
#[cfg(feature = "parquet")]
struct TableRows<'a, S> {
    session: &'a mut S,
    columns: usize,
}

#[cfg(feature = "parquet")]
impl<W: FnMut(u128) -> bool, A: FnMut(u64) -> bool, E: FnMut(&mut Request<'_>)> super::parquet::Rows
    for TableRows<'_, Session<'_, W, A, E>>
{
    fn wants(&mut self, content: u128) -> bool {
        Consumer::wants(self.session, content)
    }

    fn advance(&mut self, bytes: u64) -> bool {
        Consumer::advance(self.session, bytes)
    }

    fn columns(&mut self, all: usize) {
        self.columns = all;
    }

    fn row(&mut self, number: u64, values: &[(Field, &[u8])]) -> bool {
        let Session { state, each, .. } = &mut *self.session;
        state.row(number, self.columns, values, each)
    }
}

impl<W, A, E: FnMut(&mut Request<'_>)> Session<'_, W, A, E> {
    fn text(&mut self, text: &[u8]) -> bool {
        if self.state.opened { self.feed(text) } else { self.open(text, false) }
    }

    /// Takes what the inner gzip data unpacks to.
    #[cold]
    fn unpack(
        &mut self,
        step: impl FnOnce(&mut Nested, &str, u32, &mut dyn FnMut(&[u8]) -> bool) -> Result<bool, Error>,
    ) -> bool {
        let Some(mut nested) = self.nested.take() else { return true };
        let (name, ratio) = (self.state.name, self.state.options.max_ratio);
        let result = step(&mut nested, name, ratio, &mut |text| self.text(text));
        self.nested = Some(nested);
        result.unwrap_or_else(|error| {
            self.state.refused.get_or_insert(error);
            false
        })
    }

    /// Takes the start of the file, until it has shown what it is.
    fn open(&mut self, text: &[u8], whole: bool) -> bool {
        let mut head = std::mem::take(&mut self.framers.head);
        let seen = if head.is_empty() {
            text
        } else {
            head.extend_from_slice(text);
            &head
        };
        let mut go_on = self.state.open(seen, whole);
        if self.state.opened {
            go_on = go_on && self.feed(seen);
        } else if head.is_empty() {
            head.extend_from_slice(text);
        }
        if !self.state.opened {
            self.framers.head = head;
        }
        go_on
    }

    fn feed(&mut self, text: &[u8]) -> bool {
        let (state, each) = (&mut self.state, &mut self.each);
        let (go_on, endless) = match state.other_framing() {
            None => {
                let lines = &mut self.framers.lines;
                (lines.feed(text, |number, line| state.line(number, line, each)), lines.endless())
            }
            Some(Framing::Lines) => {
                let lines = &mut self.framers.lines;
                (lines.feed(text, |number, line| state.piece(number, line, each)), lines.endless())
            }
            Some(Framing::Rows(columns)) => {
                let rows = &mut self.framers.rows;
                rows.expect(columns);
                (rows.feed(text, |number, row| state.piece(number, row, each)), rows.endless())
            }
            Some(Framing::Objects) => {
                let objects = &mut self.framers.objects;
                let go_on = objects.feed(text, |number, object| state.piece(number, object, each));
                (go_on, objects.endless())
            }
        };
        if let Some(line) = endless {
            state.endless(line);
        }
        go_on
    }

    fn end(mut self, bytes: Result<u64, Error>) -> Result<FileReport, Error> {
        if bytes.is_ok() && self.state.refused.is_none() {
            self.unpack(|nested, name, _, each| nested.finish(name, each));
        }
        // A line that a damaged file was cut off in is not a line.
        if bytes.is_ok() && self.state.refused.is_none() {
            if !self.state.opened {
                self.open(&[], true);
            }
            self.finish();
        }
        self.state.close(self.framers.rows.glued());
        let (name, keep_going) = (self.state.name, self.state.options.keep_going);
        let mut report = self.state.report;
        let error = match (bytes, self.state.refused) {
            // What a damaged file says may be damage, too.
            (Err(error), _) => Some(error),
            (Ok(_), Some(refused)) => Some(refused),
            (Ok(bytes), None) => {
                report.bytes = bytes;
                too_many_skipped(name, &report)
            }
        };
        report.skipped.sort_by_key(|skip| skip.reason as u8);
        match error {
            None => Ok(report),
            Some(error @ Error::File(_)) => Err(error),
            Some(error) if keep_going => {
                report.partial = Some(error.to_string());
                Ok(report)
            }
            Some(error) => Err(error),
        }
    }

    /// The last record, if it has no end of its own.
    fn finish(&mut self) {
        let (state, each) = (&mut self.state, &mut self.each);
        let Framers { lines, rows, objects, .. } = &mut *self.framers;
        match state.other_framing() {
            None => lines.finish(&mut |number, line| state.line(number, line, each)),
            Some(Framing::Lines) => {
                lines.finish(&mut |number, line| state.piece(number, line, each))
            }
            Some(Framing::Rows(_)) => {
                rows.finish(&mut |number, row| state.piece(number, row, each))
            }
            Some(Framing::Objects) => {
                objects.finish(&mut |number, object| state.piece(number, object, each))
            }
        };
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

#[cfg(test)]
#[path = "reader_tests.rs"]
mod tests;
