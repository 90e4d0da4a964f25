//! Bytes of any supported log to borrowed [`Request`]s, with every skipped line counted by reason.
//!
//! This stage knows formats and compression, and nothing of routes, clients or limits.

mod alb;
mod carry;
mod cloudfront;
mod combined;
mod completeness;
mod delimiter;
mod detect;
mod discover;
mod edges;
mod error;
mod fields;
mod file_report;
mod file_state;
mod foreign;
mod format;
mod gateway;
mod header;
mod inflate;
mod json;
mod lines;
mod nested;
mod objects;
mod options;
#[cfg(feature = "parquet")]
mod parquet;
mod period;
mod quoted;
mod reader;
mod record;
mod remote;
mod request;
mod request_line;
mod rule_matches;
mod source;
mod stamp;
mod standard;
mod tabs;
mod waf;
mod wrapper;
mod written_time;

pub use cloudfront::real_time_config::{RealTimeConfig, RealTimeConfigError};
pub use completeness::Completeness;
pub use delimiter::{Delimiter, DelimiterError};
pub use discover::{Discovered, Input, Place, discover, looks_like_log, turn};
pub use edges::is_cloudfront_edge;
pub use error::Error;
pub use fields::{Field, FieldList, UnknownFields};
pub use file_report::{FileReport, Skip, SkipReason};
pub use gateway::{KeyMap, KeyMapError};
pub use options::{InputFormat, Needs, Options};
pub use period::{DatedName, Period};
pub use reader::LogReader;
pub use remote::{FetchError, LocalCopy, Remote, RemoteSource};
pub use request::Request;
pub use rule_matches::{LimitKey, RuleAction, RuleMatch};
pub use source::Source;

/// For fuzzing and benchmarks: the line reader on bytes in memory.
pub use reader::read_bytes;
