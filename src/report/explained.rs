//! One client as JSON.

use super::json::{pretty, schema_of};
use super::view::ExplainReport;
use crate::explain::Explained;
use crate::units::plain_json;

/// The client as JSON, with a line break at the end; `around` is the network around it. Equal findings give
/// equal bytes, and no control character but the line breaks stands in it.
#[must_use]
pub fn explain_json(found: &Explained, around: Option<String>) -> String {
    plain_json(&pretty(&ExplainReport::new(found, around)))
}

/// The JSON Schema (draft 2020-12) of [`explain_json`], with a line break at the end.
#[must_use]
pub fn explain_schema() -> String {
    schema_of::<ExplainReport>("What ratewaf explain --format json prints")
}
