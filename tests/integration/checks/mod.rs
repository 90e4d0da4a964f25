//! `ratewaf check` and its checks.

mod command;
mod emitted;
mod examples;
mod forms;
mod kit;
mod mutations;
mod page;
mod plans;
mod seen;
mod table;
