//! Bytes of any supported log to borrowed [`Request`]s, with every skipped line counted by reason.
//!
//! This stage knows formats and compression, and nothing of routes, clients or limits.

mod cloudfront;
mod delimiter;
mod detect;
mod discover;
mod error;
mod fields;
mod file_report;
mod file_state;
mod foreign;
mod format;
mod inflate;
mod json;
mod lines;
mod objects;
mod options;
mod reader;
mod record;
mod request;
mod source;
mod stamp;
mod standard;

pub use delimiter::{Delimiter, DelimiterError};
pub use discover::{Discovered, Input, Place, discover};
pub use error::Error;
pub use fields::{Field, FieldList, UnknownFields};
pub use file_report::{Caveat, FileReport, Skip, SkipReason};
pub use options::{InputFormat, Needs, Options};
pub use reader::LogReader;
pub use request::Request;
pub use source::Source;

/// For fuzzing and benchmarks: the line reader on bytes in memory.
pub use reader::read_bytes;
