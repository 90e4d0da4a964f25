//! One binary for all tests that see the program from outside or across modules.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up has failed")]

mod demo_logs;
mod scenarios;
