//! What a format other than CloudFront's tab-separated one has to say of itself. Each has one file with a
//! [`Kind`], and one line in [`detect`](super::detect).

use super::completeness::Completeness;
use super::error::Error;
use super::fields::FieldList;
use super::file_report::SkipReason;
use super::options::{InputFormat, Options};
use super::record::Record;
use super::source::Source;

/// What one record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Framing {
    /// A line.
    Lines,
    /// A JSON object, on one line or many.
    Objects,
    /// So many columns between tabs, the first of them a time; see [`Format::rows`].
    Rows(u16),
}

/// The start of a file: enough to tell a format by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample<'a> {
    /// The file's name, for errors.
    pub(super) file: &'a str,
    /// The number of the first line with a record.
    pub(super) line: u64,
    /// The first record: a line without its end, or a JSON object. Cut off if it is very long.
    pub(super) text: &'a [u8],
    /// The fields that the last `#Fields:` before it names.
    pub(super) named: Option<FieldList>,
}

impl Sample<'_> {
    /// Whether it is a JSON object.
    pub(super) fn is_object(&self) -> bool {
        self.text.starts_with(b"{")
    }
}

/// Makes ready to read a file that starts like the sample.
pub(super) type Open = fn(&Sample<'_>, &Options) -> Result<Box<dyn Format>, Error>;

/// A format that may be met.
pub(super) struct Kind {
    /// What it is asked for by.
    pub(super) name: InputFormat,
    /// What its records are.
    pub(super) framing: Framing,
    /// Whether a file that starts so is of this format.
    pub(super) fits: fn(&Sample<'_>, &Options) -> bool,
    /// Makes ready to read such a file.
    pub(super) open: Open,
}

/// Reads the records of one file.
pub(super) trait Format {
    /// The format in words, asked after the first request: `CloudFront v2, JSON, 14 of 39 fields`.
    fn describe(&self) -> String;

    /// What wrote the log.
    fn source(&self) -> Source;

    /// Puts what a record holds into `record`, after a [`Record::restart`].
    ///
    /// # Errors
    /// When it is no record of this format, or lacks what every request has.
    fn parse(&mut self, piece: &[u8], record: &mut Record) -> Result<(), SkipReason>;

    /// So many columns a record, if records need no line end between them: [`Framing::Rows`].
    fn rows(&self) -> Option<u16> {
        None
    }

    /// Takes note of a line that starts with `#`.
    fn directive(&mut self, _line: &[u8]) {}

    /// How much of the requests the log holds, known at the end of the file.
    fn completeness(&self) -> Completeness {
        Completeness::default()
    }
}
