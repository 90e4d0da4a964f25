//! Bytes of any supported log to borrowed [`Request`]s, with every skipped line counted by reason.
//!
//! This stage knows formats and compression, and nothing of routes, clients or limits.

mod completeness;
mod discover;
mod error;
mod fields;
mod foreign;
mod inflate;
mod lines;
mod reader;
mod request;
mod stamp;
mod standard;

pub use completeness::Completeness;
pub use discover::{Discovered, Input, Place, discover};
pub use error::Error;
pub use fields::{Field, FieldList, UnknownFields};
pub use reader::{FileReport, LogReader, Needs, Options, Skip, SkipReason};
pub use request::Request;

/// For fuzzing and benchmarks: the line reader on bytes in memory.
pub use reader::read_bytes;
