//! Dialects: a stack to (name, text) pairs. Writes nothing, and holds no AWS meaning of its own: that
//! is [`crate::stack`]'s and [`crate::wafv2`]'s.

mod diff;
mod error;
mod explain;
pub mod hcl;
mod iam;
mod terraform;

pub use diff::diff;
pub use error::Error;
pub use explain::explain;
pub use iam::iam;
pub use terraform::{FILES, Provider, TerraformOptions, terraform};
