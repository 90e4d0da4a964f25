//! Which requests a rule looks at, and how many each client sent.

mod coverage;

pub use coverage::{Coverage, RouteTraffic, Skipped};
