//! Bytes of any supported log to borrowed [`Request`]s, with every skipped line counted by reason.
//!
//! This stage knows formats and compression, and nothing of routes, clients or limits.

mod discover;
mod error;
mod fields;
mod foreign;
mod inflate;
mod lines;
mod period;
mod reader;
mod request;
mod source;
mod stamp;
mod standard;

pub use discover::{Discovered, Input, Place, discover, looks_like_log};
pub use error::Error;
pub use fields::{Field, FieldList, UnknownFields};
pub use period::{DatedName, Period};
pub use reader::{FileReport, LogReader, Needs, Options, Skip, SkipReason};
pub use request::Request;
pub use source::{FetchError, LocalCopy, Remote, Source};

/// For fuzzing and benchmarks: the line reader on bytes in memory.
pub use reader::read_bytes;
