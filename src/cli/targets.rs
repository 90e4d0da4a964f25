//! What may be written to: never what the same command reads, and nothing that somebody deploys from.

use std::path::Path;

use anyhow::Result;

use super::failure::hinted;
use crate::fs::{self, shown};

/// Refuses an output, with its flag, that is one of the command's own inputs, or lies where one is a whole folder
/// and is there already. Each input with its flag, or with the command that reads it.
pub(super) fn demand_other(
    output: &str,
    out: Option<&Path>,
    inputs: &[(&str, &Path)],
) -> Result<()> {
    let Some(out) = out else { return Ok(()) };
    let is_read = |input: &Path| {
        input.exists()
            && (fs::same_file(out, input)
                || input.is_dir() && out.is_file() && is_below(out, input))
    };
    if let Some((reader, _)) = inputs.iter().find(|(_, input)| is_read(input)) {
        let message = format!("{output} would replace `{}`, which {reader} reads", shown(out));
        return Err(hinted(message, "write the result into another file"));
    }
    demand_result(out)
}

fn is_below(file: &Path, folder: &Path) -> bool {
    let (Ok(file), Ok(folder)) = (file.canonicalize(), folder.canonicalize()) else {
        return false;
    };
    file.starts_with(folder)
}

/// Terraform reads the first two, OpenTofu all ("Files and configuration structure").
const TERRAFORM: [&str; 4] = [".tf", ".tf.json", ".tofu", ".tofu.json"];

/// Whether a file of this name is read as configuration.
pub(super) fn is_terraform(name: &str) -> bool {
    TERRAFORM.iter().any(|ending| name.ends_with(ending))
}

/// Larger files are no result of ours.
const MOST_BYTES: u64 = 64 << 20;

/// Refuses a file for a result that tools would read as configuration, and one that is configuration: a template, a
/// policy, the API's JSON. An older result is replaced.
pub(super) fn demand_result(out: &Path) -> Result<()> {
    let name = out.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let ends_in = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
    if is_terraform(&name) {
        return Err(hinted(
            format!("`{}` would be read as Terraform, and a result is none", shown(out)),
            "name a file with another ending",
        ));
    }
    let is_other = ends_in(&[".yaml", ".yml", ".template"]);
    if !is_other && !ends_in(&[".json"]) {
        return Ok(());
    }
    let Some(old) = text_of(out)? else { return Ok(()) };
    if old.trim().is_empty() || !is_other && is_result(&old) {
        return Ok(());
    }
    refuse(out, "is no result of ratewaf")
}

/// Refuses to put a lock in the place of what is none. One that was damaged, by a merge for instance, still is one.
pub(super) fn demand_lock(path: &Path) -> Result<()> {
    let Some(old) = text_of(path)? else { return Ok(()) };
    let has = |member: &str| old.contains(&format!("\"{member}\""));
    let is_lock = has("version") && (has("method") || has("checksum") || has("inputs"));
    if old.trim().is_empty() || is_lock && !has("Resources") {
        return Ok(());
    }
    refuse(path, "is no lock of ratewaf")
}

fn refuse(path: &Path, why: &str) -> Result<()> {
    let hint = "name another file, or remove that one first";
    Err(hinted(format!("`{}` is there already, and {why}", shown(path)), hint))
}

/// What stands in a file; `None` if there is none to lose: nothing, a folder, a pipe or a device.
fn text_of(path: &Path) -> Result<Option<String>> {
    if !path.is_file() {
        return Ok(None);
    }
    Ok(Some(String::from_utf8_lossy(&fs::read_bytes(path, MOST_BYTES)?).into_owned()))
}

/// Whether JSON is a result of ours: they all say their version, a number, and SARIF its schema.
fn is_result(text: &str) -> bool {
    use serde_json::Value;
    let Ok(document) = serde_json::from_str::<Value>(text) else { return false };
    document["version"].is_u64() && document.get("resources").is_none()
        || document["$schema"].as_str().is_some_and(|schema| schema.contains("sarif"))
}

#[cfg(test)]
mod tests {
    use super::is_result;

    #[test]
    fn results_are_told_from_configuration() {
        for (text, is) in [
            (r#"{"version": 1, "coverage": {}}"#, true),
            (
                r#"{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0"}"#,
                true,
            ),
            (r#"{"version": 4, "resources": []}"#, false),
            (r#"{"name": "x", "version": "1.0.0"}"#, false),
            (r#"{"Rules": []}"#, false),
            ("[]", false),
            ("{\"version\": 1", false),
        ] {
            assert_eq!(is_result(text), is, "{text}");
        }
    }
}
