//! The live web ACL, through the AWS SDK: reading what `changes` compares, and doing its steps one by one.
//!
//! The SDK signs, sends, tries again and knows the errors; the JSON of WAF goes past its types in both
//! directions (see `wire`), because types drop what they do not know.

mod account;
mod apply;
mod cloudfront;
mod cloudwatch;
mod error;
mod estate;
mod figures;
mod pace;
mod read;
mod wire;
mod write;

pub use account::{Account, Login};
pub use apply::{Audit, Told, execute};
pub use error::Error;
pub use estate::{Arn, Estate};
pub use figures::{AlarmState, Figures, Question};
pub use read::Sought;
