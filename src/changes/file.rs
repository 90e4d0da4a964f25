//! Files that are kept between two runs: change sets and undo files.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Reads a file of a kind (`change set`), which says its version.
///
/// # Errors
/// When it is none of its kind and version, in words.
pub(super) fn parse<T: DeserializeOwned>(
    text: &str,
    kind: &str,
    version: u64,
    version_of: impl Fn(&T) -> u64,
) -> Result<T, String> {
    let read: T =
        serde_json::from_str(text).map_err(|error| format!("it is no {kind}: {error}"))?;
    let found = version_of(&read);
    if found != version {
        return Err(format!("it is of version {found}, and this ratewaf reads {version}"));
    }
    Ok(read)
}

/// The bytes of a file.
pub(super) fn written(file: &impl Serialize) -> String {
    // JSON of texts and numbers always prints.
    let mut text = serde_json::to_string_pretty(file).unwrap_or_default();
    text.push('\n');
    text
}
