//! The two files: `ratewaf.yaml`, what people decide, and `ratewaf.lock.json`, what the logs said.
//!
//! [`Policy::parse`] reads and checks the first and reports all its faults at once.

mod between;
mod collection;
mod document;
mod environment;
mod evidence;
mod grammar;
mod layers;
mod lock;
mod model;
mod names;
mod overlap;
mod plan;
mod problem;
mod quote;
mod reader;
mod resolve;
mod routes;
mod schema;
mod second;
mod shared;
mod standing;
mod starter;
mod suggest;
mod surroundings;
mod validate;
mod value;
mod yaml;

pub use document::PricingPlan;
pub use environment::SITE_WIDE;
pub use layers::{
    Answer, AppLayer, Captcha, Ceiling, Dimension, EdgeAlgorithm, EdgeLayer, EdgeLimit,
    EdgePattern, EdgeRoute, FailMode, GatewayLayer, Identity, Layers, MethodLimit, Part, Period,
    Plan, RedisLayer, Scenario, TableAlgorithm, TableLayer, TableLimit, Throttle, TierHeaders,
    Total, logical_name,
};
pub use lock::{
    Grade, Inputs, LOCK_VERSION, Lock, LockCap, LockError, LockNetwork, LockQuestion, LockRoute,
    LockWarning, NearMisses, Peak, Peaks, Quantiles, lock_networks, route_text,
};
pub use model::{Environment, Policy, PolicyRoute, SharedTwins, Twin};
pub use problem::{Problem, Problems, Source, Span};
pub(crate) use quote::{comment as yaml_comment, scalar as yaml_scalar};
pub use resolve::{ResolveOptions, resolve};
pub use schema::{SCHEMA, generate_schema};
pub use starter::{Starter, StarterRoute, additions, starter};
pub(crate) use suggest::closest;
pub use value::{LimitChoice, SecondLimit, TwinLimit};
