//! Why no logs were made.

use std::path::PathBuf;

use crate::fs;
use crate::units::{Timestamp, thousands};

/// Why no logs were made.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is something in the folder already.
    #[error(
        "{path} is not empty; give a folder that is empty or not there yet, because the truth is \
         only true of a folder that holds nothing else",
        path = .0.display()
    )]
    NotEmpty(PathBuf),
    /// The lines do not hold everybody.
    #[error("a week like this needs {} lines at least", thousands(*.least))]
    TooFewLines {
        /// The fewest lines.
        least: u64,
    },
    /// Too few for a crowd.
    #[error("a week like this needs {} clients at least", thousands(*.least))]
    TooFewClients {
        /// The fewest clients.
        least: u64,
    },
    /// More clients than lines for them.
    #[error("so many clients need more lines: with these there is room for {}", thousands(*.most))]
    TooManyClients {
        /// The most clients.
        most: u64,
    },
    /// No days, or too many.
    #[error("the days are 1 to {most}")]
    Days {
        /// The most days.
        most: u32,
    },
    /// A start that is no full hour or too early or late.
    #[error("{0} cannot be the start: it has to be a full hour between 1970 and 2105")]
    Start(Timestamp),
    /// The compressor wanted more room than it had promised to need.
    #[error("cannot pack {path}", path = .0.display())]
    Packing(PathBuf),
    /// The program was built without it.
    #[error(
        "this ratewaf was built without the feature `parquet`, so it cannot write Parquet files; choose another format"
    )]
    NoParquet,
    /// The caller gave up.
    #[error("stopped; nothing was kept")]
    Stopped,
    /// A file could not be written.
    #[error(transparent)]
    File(#[from] fs::Error),
}
