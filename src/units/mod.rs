//! Newtypes and number formatting that every module may use. No I/O, no dependencies of ours.

mod client;
mod limit;
mod text;
mod time;
mod window;

pub use client::Client;
pub use limit::{Limit, LimitError, rate_in_words};
pub use text::{
    count, is_plain, listed, percent, plain, plain_json, plural, ratio, share, thousands,
};
pub use time::Timestamp;
pub use window::{Window, WindowError};
