//! The layers behind AWS WAF: what the policy says of them, and what that means.

mod app;
mod document;
mod edge;
mod gateway;
mod model;
mod redis;

pub use document::LayersDocument;
pub use edge::{Captcha, EdgeAlgorithm, EdgeLayer, EdgeLimit, EdgePattern, EdgeRoute, TierHeaders};
pub use gateway::{Ceiling, GatewayLayer, MethodLimit, Period, Plan, Throttle, logical_name};
pub use model::{
    Answer, AppLayer, Dimension, FailMode, Identity, Layers, Part, RedisLayer, Scenario,
    TableAlgorithm, TableLayer, TableLimit, Total,
};

use super::model::PolicyRoute;
use super::problem::Problem;
use super::reader::{Field, Located};
use crate::rules::Exemption;

/// The layers of a policy: its `name`, its `routes` and what is `never` limited are the policy's.
pub fn layers(
    name: &str,
    routes: &[PolicyRoute],
    never: &[Exemption],
    written: &Field<LayersDocument>,
    problems: &mut Vec<Problem>,
) -> Layers {
    let Some(Located { value: layers, span }) = written else { return Layers::default() };
    let around = edge::Around { name, routes, never };
    let app = app::app(name, &layers.app, problems);
    let edge = layers.edge.as_ref().and_then(|written| edge::edge(&around, written, problems));
    let gateway = layers.gateway.as_ref();
    let gateway = gateway.and_then(|written| gateway::gateway(name, &written.value, problems));
    let has_none = layers.app.is_none() && layers.edge.is_none() && layers.gateway.is_none();
    // A layer with a fault that nothing could be read of has been noted.
    if has_none && problems.is_empty() {
        let problem = Problem::new("`layers` has no layer").at(*span).found("nothing that is used");
        problems.push(problem.help("add `app`, `edge` or `gateway`, or remove `layers`"));
    }
    Layers { app, edge, gateway }
}
