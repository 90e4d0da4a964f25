//! One binary for all tests that see the program from outside or across modules.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up has failed")]

mod analyze;
mod architecture;
mod aws_cli;
mod bad_input;
mod checks;
mod counted;
mod demo_formats;
mod demo_logs;
mod dialects;
mod documentation;
mod emit;
mod explain;
mod fake_aws;
mod first_use;
mod golden;
mod harness;
mod hostile;
mod hostile_lines;
mod inputs_page;
mod invariance;
mod layers;
mod limit_vectors;
#[cfg(feature = "cloud")]
mod live;
#[cfg(not(feature = "cloud"))]
mod live_without_cloud;
mod memory;
mod outputs;
mod permissions;
mod pitfalls;
mod policy;
mod replay;
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
