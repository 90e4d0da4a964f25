//! What may be written to: never what the same command reads.

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
    let Some((reader, _)) = inputs.iter().find(|(_, input)| is_read(input)) else {
        return Ok(());
    };
    let message = format!("{output} would replace `{}`, which {reader} reads", shown(out));
    Err(hinted(message, "write the result into another file"))
}

fn is_below(file: &Path, folder: &Path) -> bool {
    let (Ok(file), Ok(folder)) = (file.canonicalize(), folder.canonicalize()) else {
        return false;
    };
    file.starts_with(folder)
}
