//! The JSON of a report and its schema.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;

use super::view::Report;
use super::{Analysis, Words};
use crate::units::plain_json;

/// The analysis as JSON, with a line break at the end. Equal analyses give equal bytes, and no control
/// character but the line breaks stands in it.
#[must_use]
pub fn json(analysis: &Analysis, words: &dyn Words) -> String {
    let report = Report::new(analysis, words);
    plain_json(&pretty(&report))
}

/// The JSON Schema (draft 2020-12) of [`json`], with a line break at the end.
#[must_use]
pub fn schema() -> String {
    schema_of::<Report>("What ratewaf analyze --format json prints")
}

pub(super) fn schema_of<T: JsonSchema>(title: &str) -> String {
    let mut schema =
        SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>();
    schema.insert("title".to_owned(), title.into());
    pretty(&schema)
}

pub(super) fn pretty<T: serde::Serialize>(value: &T) -> String {
    // Only maps with keys that are no strings and failing `Serialize` impls can fail; there are none.
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::is_plain;

    #[test]
    fn what_a_terminal_obeys_is_escaped_and_comes_back() {
        let wild = "a\u{1b}[2J\u{9b}2J\u{202e}\u{e0041}\n\u{7f}é\"";
        let written = plain_json(&pretty(&wild));
        assert!(written.trim_end().chars().all(is_plain), "{written}");
        assert_eq!(serde_json::from_str::<String>(&written).unwrap(), wild);
    }
}
