//! Why a log cannot be read: the file's name, the fault, and the way out.

use std::io;

use crate::units::{plain, thousands};

/// A file, folder or pattern that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is nothing by that name.
    #[error("there is no file or folder `{}`", plain(.0))]
    Missing(String),
    /// The pattern matches nothing.
    #[error("no file matches `{}`", plain(.0))]
    NoMatch(String),
    /// The pattern cannot be read.
    #[error("`{}` is no file pattern: {reason}", plain(.pattern))]
    Pattern {
        /// As given.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A folder without logs.
    #[error("there is no log file in `{}`{}", plain(.folder), others_in_words(*.others))]
    NoLogs {
        /// The folder.
        folder: String,
        /// Files in it that do not look like logs by name.
        others: u64,
    },
    /// The operating system refuses.
    #[error(transparent)]
    File(#[from] crate::fs::Error),
    /// Reading stopped in the middle.
    #[error("cannot read `{}`", plain(.file))]
    Read {
        /// The file.
        file: String,
        /// What the operating system said.
        #[source]
        source: io::Error,
    },
    /// Not gzip in the end, or cut off.
    #[error("`{}` is damaged: {reason}", plain(.file))]
    Damaged {
        /// The file.
        file: String,
        /// Truncated, wrong checksum …
        reason: String,
    },
    /// A gzip bomb, or a file that packs suspiciously well.
    #[error(
        "`{}` unpacks to more than {ratio} times its size ({} bytes so far from {} read)",
        plain(.file), thousands(*.unpacked), thousands(*.packed)
    )]
    Ratio {
        /// The file.
        file: String,
        /// The ratio allowed.
        ratio: u32,
        /// Bytes read of it.
        packed: u64,
        /// Bytes they became.
        unpacked: u64,
    },
    /// A Parquet file that is whole, but cannot be read.
    #[error("`{}` cannot be read as Parquet: {what}", plain(.file))]
    Table {
        /// The file.
        file: String,
        /// What it is that cannot be read.
        what: String,
    },
    /// It is not on this machine and cannot be brought here.
    #[error(transparent)]
    Fetch(#[from] super::remote::FetchError),
    /// Another kind of log.
    #[error("`{}` is {what}, not a CloudFront standard log", plain(.file))]
    Foreign {
        /// The file.
        file: String,
        /// What it is, with its article.
        what: &'static str,
        /// What to do instead.
        hint: &'static str,
    },
    /// JSON that nobody has said the meaning of.
    #[error(
        "`{}` is JSON of no known kind; its keys are {}{}",
        plain(.file), plain(.keys), try_this(.suggested.as_deref())
    )]
    NoMap {
        /// The file.
        file: String,
        /// The keys of its first object.
        keys: String,
        /// A map that may fit.
        suggested: Option<String>,
    },
    /// A key of `--map` that the log does not have.
    #[error("`{}` line {line} has no key `{}` for the {name}; its keys are {}", plain(.file), plain(.key), plain(.keys))]
    NoKey {
        /// The file.
        file: String,
        /// The line of the first object.
        line: u64,
        /// What the key should hold: `client`, `path` …
        name: &'static str,
        /// The key as given.
        key: String,
        /// The keys of the first object.
        keys: String,
    },
    /// A line that goes on and on: a device, or no text at all.
    #[error("`{}` line {line} has no end in its first {} GB: this is no log", plain(.file), super::lines::ENDLESS >> 30)]
    Endless {
        /// The file.
        file: String,
        /// The line.
        line: u64,
    },
    /// No `#Fields:` line, and the columns cannot be guessed.
    #[error("`{}` line {line} has no `#Fields:` line before it and {}, so what it means cannot be told", plain(.file), crate::units::count(*columns as u64, "column", "columns"))]
    NoHeader {
        /// The file.
        file: String,
        /// The first line with a request.
        line: u64,
        /// Its columns.
        columns: usize,
    },
    /// Fields have names, and nothing is found between them.
    #[error("`{}` line {line}: {fields} fields are named for it, and nothing in it separates that many", plain(.file))]
    NoDelimiter {
        /// The file.
        file: String,
        /// The first line with a request.
        line: u64,
        /// Fields named.
        fields: u16,
    },
    /// A real-time log, and nobody said what its columns are.
    #[error("`{}` line {line} looks like a CloudFront real-time log of {columns} columns, and such a log does not say what they are", plain(.file))]
    RealTimeFields {
        /// The file.
        file: String,
        /// The first line with a request.
        line: u64,
        /// Its columns.
        columns: usize,
    },
    /// A column without which nothing can be counted.
    #[error("`{}` line {line}: the log has no `{field}` column, and {why}", plain(.file))]
    MissingField {
        /// The file.
        file: String,
        /// The line of the `#Fields:` directive (or the first request).
        line: u64,
        /// The field, by its CloudFront name.
        field: &'static str,
        /// Why it is needed.
        why: &'static str,
    },
    /// Most lines could not be read.
    #[error(
        "`{}`: {} of {} lines cannot be read, most of them for: {reason} (line {example})",
        plain(.file), thousands(*.skipped), thousands(*.lines)
    )]
    TooManySkipped {
        /// The file.
        file: String,
        /// Lines skipped.
        skipped: u64,
        /// All lines with a request.
        lines: u64,
        /// The most frequent reason.
        reason: &'static str,
        /// The first line skipped for it.
        example: u64,
    },
}

fn try_this(map: Option<&str>) -> String {
    map.map_or_else(String::new, |map| format!(": try --map {}", plain(map)))
}

fn others_in_words(count: u64) -> String {
    match count {
        0 => String::new(),
        1 => ", only 1 file that is none by its name".to_owned(),
        _ => format!(", only {} files that are none by their names", thousands(count)),
    }
}

impl Error {
    /// What the user can do.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        match self {
            Self::NoLogs { .. } => Some(
                "logs end in .gz, .log, .txt, .tsv, .jsonl, .json (if it is a log by its keys) or have no ending; name a file itself to read it whatever its name",
            ),
            Self::Damaged { .. } => Some(
                "fetch the file again; --keep-going reads what can be read of damaged files and says so in the result",
            ),
            Self::Ratio { .. } => {
                Some("if the file is honest, raise the bound, for example with --max-ratio 1000")
            }
            Self::Table { .. } => Some(
                "CloudFront's own files are read, and flat tables of their columns as texts, numbers or times; write such a table, or leave the file out",
            ),
            Self::Fetch(error) => error.hint.as_deref(),
            Self::Foreign { hint, .. } => Some(hint),
            Self::NoMap { .. } | Self::NoKey { .. } => Some(
                "say which key holds what with --map client=KEY,path=KEY,time=KEY; a key inside of another object is written outer.inner",
            ),
            Self::NoHeader { .. } => Some(
                "if this is no log, leave it out; else name the columns in their order, for example --fields 'date time x-edge-location sc-bytes c-ip cs-method …', and what separates them with --delimiter if it is no tab",
            ),
            Self::NoDelimiter { .. } => Some(
                "say with --delimiter what stands between two values; where the log delivery has an empty delimiter, values cannot be told apart: choose one there, a tab, say",
            ),
            Self::RealTimeFields { .. } => Some(
                "give --realtime-config with a file that holds what `aws cloudfront get-realtime-log-config --name NAME` prints, or name the columns in their order with --fields",
            ),
            Self::MissingField { .. } => Some(
                "switch the field on in the distribution's logging configuration, and leave files from before out",
            ),
            Self::TooManySkipped { .. } => Some(
                "look at that line; --keep-going reads the rest and says so in the result, --fields names the columns of a log without a #Fields: line",
            ),
            _ => None,
        }
    }
}
