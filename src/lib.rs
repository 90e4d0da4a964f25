//! `ratewaf` turns a week of CloudFront logs into an AWS WAF rate limit that can be defended.

pub mod checks;
pub mod cli;
#[cfg(feature = "cloud")]
pub mod cloud;
pub mod counts;
pub mod demo;
pub mod enforcement;
pub mod exit;
pub mod explain;
pub mod fs;
pub mod limiters;
pub mod logs;
pub mod policy;
pub mod profile;
pub mod proposal;
pub mod quotas;
pub mod render;
pub mod replay;
pub mod report;
pub mod rules;
pub mod stack;
pub mod survey;
pub mod ui;
pub mod units;
pub mod wafv2;
