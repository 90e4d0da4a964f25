//! Dialects: a stack to (name, text) pairs. Writes nothing, and holds no AWS meaning of its own: that
//! is [`crate::stack`]'s and [`crate::wafv2`]'s.

mod api;
mod cdk;
mod cloudformation;
mod comment;
mod dashboard;
mod diff;
mod error;
mod explain;
pub mod hcl;
mod iam;
pub mod layers;
mod preamble;
mod terraform;

pub use api::{KnownArns, api_json};
pub use cdk::cdk;
pub use cloudformation::spelling::to_api as api_of_template;
pub use cloudformation::{cloudformation, cloudformation_json};
pub use diff::diff;
pub use error::Error;
pub use explain::explain;
pub use iam::iam;
pub use preamble::COMPARE;

/// The names of all files that a folder in another dialect than Terraform may get.
pub const OTHER_FILES: [&str; 7] = [
    "waf.yaml",
    "guard.yaml",
    "waf.json",
    "guard.json",
    "rate-limits.ts",
    "origin-guard.ts",
    "app.ts",
];
pub use terraform::{FILES, Provider, TerraformOptions, terraform};
