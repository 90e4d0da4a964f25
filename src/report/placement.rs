//! How the advice about layers is told: terminal text, Markdown and JSON, all from one view model.

use super::json::{pretty, schema_of};
use super::view::PlacementReport;
use crate::placement::Placement;
use crate::units::plain_json;

/// The advice as JSON, with a line break at the end. Equal advice gives equal bytes, and no control character
/// but the line breaks stands in it.
#[must_use]
pub fn placement_json(placement: &Placement) -> String {
    plain_json(&pretty(&PlacementReport::new(placement)))
}

/// The JSON Schema (draft 2020-12) of [`placement_json`], with a line break at the end.
#[must_use]
pub fn placement_schema() -> String {
    schema_of::<PlacementReport>("What ratewaf layers --format json prints")
}
