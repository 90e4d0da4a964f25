//! The two files: `ratewaf.yaml`, what people decide, and `ratewaf.lock.json`, what the logs said.
//!
//! [`Policy::parse`] reads and checks the first and reports all its faults at once.

mod document;
mod grammar;
mod model;
mod names;
mod overlap;
mod plan;
mod problem;
mod reader;
mod routes;
mod suggest;
mod validate;
mod value;
mod yaml;

pub use document::PricingPlan;
pub use model::{Environment, Policy, PolicyRoute, Twin};
pub use problem::{Problem, Problems, Source, Span};
pub use value::{LimitChoice, TwinLimit};
