//! The JSON Schema of a policy, for editors.

use super::document::Document;

/// The committed schema, as `ratewaf schema` prints it.
pub const SCHEMA: &str = include_str!("../../schema/policy.schema.json");

/// Makes the schema from the document types, with a newline at the end. A test compares it with
/// [`SCHEMA`].
#[must_use]
pub fn generate_schema() -> String {
    let settings = schemars::generate::SchemaSettings::draft2020_12();
    let mut schema = settings.into_generator().into_root_schema_for::<Document>();
    schema.insert("title".to_owned(), "ratewaf.yaml".into());
    let text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    format!("{text}\n")
}
