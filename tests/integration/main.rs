//! One binary for all tests that see the program from outside or across modules.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up has failed")]

mod analyze;
mod architecture;
mod bad_input;
mod demo_logs;
mod dialects;
mod documentation;
mod emit;
mod golden;
mod harness;
mod hostile;
mod invariance;
mod limit_vectors;
mod outputs;
mod permissions;
mod policy;
mod report;
mod scenarios;
mod scorecard;
mod stack;
mod terraform;
mod tools;
