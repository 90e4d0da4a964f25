//! `ratewaf check` and its checks.

mod emitted;
mod examples;
mod page;
