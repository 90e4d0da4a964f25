//! `ratewaf check` and its checks.

mod command;
mod emitted;
mod examples;
mod kit;
mod page;
mod plans;
mod table;
