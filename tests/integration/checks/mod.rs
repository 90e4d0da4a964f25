//! `ratewaf check` and its checks.

mod examples;
mod page;
