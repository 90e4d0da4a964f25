//! `ratewaf check` and its checks.

mod command;
mod emitted;
mod examples;
mod forms;
mod kit;
#[cfg(feature = "cloud")]
mod live;
mod mutations;
mod page;
mod plans;
mod protection;
mod seen;
mod table;
