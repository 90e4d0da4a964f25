//! What became of one file, and of the lines that were not counted.

use std::collections::BTreeSet;

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
    /// A JSON object over 16 MB.
    ObjectTooLong,
    /// Not a record of the file's format.
    Malformed,
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
            Self::ObjectTooLong => "JSON object over 16 MB",
            Self::Malformed => "not in the format of the rest of the file",
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

/// Something that a log leaves out by design, so that figures from it mean less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Caveat {
    /// Only so many percent of the requests are in it (real-time logs).
    Sampled(u8),
    /// It has no paths; the path pattern of the cache behaviour stands in for them.
    PathPatterns,
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
    /// What it leaves out by design, and what that does to the figures.
    pub caveats: BTreeSet<Caveat>,
}

impl FileReport {
    /// Lines skipped for any reason.
    #[must_use]
    pub fn skipped_lines(&self) -> u64 {
        self.skipped.iter().map(|skip| skip.lines).sum()
    }
}
