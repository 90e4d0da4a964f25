//! One binary for all tests that see the program from outside or across modules.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up has failed")]

mod analyze;
mod architecture;
mod bad_input;
mod counted;
mod demo_formats;
mod demo_logs;
mod dialects;
mod documentation;
mod emit;
mod fake_aws;
mod golden;
mod harness;
mod hostile;
mod hostile_lines;
mod inputs_page;
mod invariance;
mod limit_vectors;
#[cfg(feature = "cloud")]
mod live;
mod memory;
mod outputs;
mod permissions;
mod pitfalls;
mod policy;
mod report;
mod s3;
mod same_week;
mod scenarios;
mod scorecard;
mod stack;
mod terraform;
mod tools;
mod waf_rules;
mod week_elsewhere;
