//! The layers behind AWS WAF: what the policy says of them, and what that means.

mod app;
mod document;
mod model;
mod redis;

pub use app::layers;
pub use document::LayersDocument;
pub use model::{
    Answer, AppLayer, Dimension, FailMode, Identity, Layers, Part, RedisLayer, Scenario,
    TableAlgorithm, TableLayer, TableLimit, Total,
};
