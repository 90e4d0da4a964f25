//! What became of one file, and of the lines that were not counted.

use super::completeness::Completeness;

/// Why a line is not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SkipReason {
    /// Fewer columns than the fields need.
    TooFewColumns,
    /// More columns than fields, so that nobody knows which is which.
    TooManyColumns,
    /// No readable date and time, or one outside 1970 to 2106.
    NoTime,
    /// `-` for the client's address.
    NoClient,
    /// `-` for the path.
    NoPath,
    /// Over 1 MB.
    TooLong,
    /// A JSON object over 16 MB.
    ObjectTooLong,
    /// Not a record of the file's format.
    Malformed,
    /// Something that is no HTTP request: the greeting of a TLS client, `-`.
    NoRequest,
    /// The log hides the path, or what else a route asks for.
    Redacted,
}

impl SkipReason {
    /// In words.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::TooFewColumns => "too few columns",
            Self::TooManyColumns => "more columns than the log has fields",
            Self::NoTime => "no readable date and time",
            Self::NoClient => "no client address",
            Self::NoPath => "no path",
            Self::TooLong => "line over 1 MB",
            Self::ObjectTooLong => "JSON object over 16 MB",
            Self::Malformed => "not in the format of the rest of the file",
            Self::NoRequest => "no HTTP request",
            Self::Redacted => "redacted: the log hides what a route asks for",
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
    /// How much of the requests it holds.
    pub completeness: Completeness,
}

impl FileReport {
    /// Lines skipped for any reason.
    #[must_use]
    pub fn skipped_lines(&self) -> u64 {
        self.skipped.iter().map(|skip| skip.lines).sum()
    }
}
