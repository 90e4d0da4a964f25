//! A layer's folder: files that ratewaf wrote and people edit. What was written last is remembered beside them, so that
//! nobody's work is replaced without a word.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::emitted::{self, Files};
use super::failure::hinted;
use crate::exit::Exit;
use crate::fs::{self, shown};
use crate::ui::Ui;

/// In the layer's folder: what was written into it.
const MANIFEST: &str = ".ratewaf-layer.json";
/// Larger files are no output of ours.
const MOST_BYTES: u64 = 64 << 20;
/// Files that are named in an error.
const NAMED: usize = 5;

/// What was written last: a SHA-256 in hexadecimal for each file.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Manifest {
    #[serde(default)]
    about: String,
    #[serde(default)]
    files: BTreeMap<String, String>,
}

impl Manifest {
    fn of(files: &Files) -> Self {
        Self {
            about: "What ratewaf emit --layer wrote here, so that it does not replace what was edited since."
                .to_owned(),
            files: files.iter().map(|(name, text)| (name.clone(), sum(text.as_bytes()))).collect(),
        }
    }

    /// That of a folder; an empty one if there is none, or none that can be read: then only the files tell.
    fn read(folder: &Path) -> Self {
        let path = folder.join(MANIFEST);
        if !path.is_file() {
            return Self::default();
        }
        let text = fs::read_text(&path, MOST_BYTES).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    fn write(&self, folder: &Path) -> Result<()> {
        let text = format!("{}\n", serde_json::to_string_pretty(self)?);
        Ok(fs::replace(&folder.join(MANIFEST), text)?)
    }
}

fn sum(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes a layer into its folder. Constant text that somebody edited is left alone; what was edited and would change
/// is replaced only if `overwrites`.
pub(super) fn write(files: &Files, folder: &Path, overwrites: bool, ui: &Ui) -> Result<()> {
    let mut all: Vec<PathBuf> = files.iter().map(|(name, _)| folder.join(name)).collect();
    all.push(folder.join(MANIFEST));
    emitted::demand_places(folder, &all)?;
    let last = Manifest::read(folder);
    let edits = if overwrites { Edits::default() } else { Edits::of(files, folder, &last)? };
    if !edits.in_the_way.is_empty() {
        let message = format!(
            "{}, and ratewaf did not write it like that: {}",
            match edits.in_the_way.len() {
                1 => "a file is there already".to_owned(),
                more => format!("{more} files are there already"),
            },
            named(&edits.in_the_way)
        );
        return Err(hinted(
            message,
            "name another folder with --out and merge the two, or replace them with --overwrite",
        ));
    }
    emitted::write_all(&edits.others(files, folder), folder, ui)?;
    edits.tell_kept(ui);
    let mut written = Manifest::of(files);
    tell_gone(files, folder, &last, ui);
    // Another layer may have been written into the same folder.
    for (name, sum) in last.files {
        if is_inside(&name) && folder.join(&name).is_file() {
            written.files.entry(name).or_insert(sum);
        }
    }
    written.write(folder)
}

/// Compares a layer with its folder. Constant text that somebody edited is theirs, and no difference.
pub(super) fn check(
    files: &Files,
    folder: &Path,
    again: &str,
    flags: &[String],
    ui: &Ui,
) -> Result<Exit> {
    let last = Manifest::read(folder);
    let edits = Edits::of(files, folder, &last)?;
    let exit = emitted::check(&edits.others(files, folder), folder, again, flags, ui)?;
    edits.tell_kept(ui);
    if !edits.in_the_way.is_empty() {
        let edited = named(&edits.in_the_way);
        ui.note(&format!(
            "edited since ratewaf wrote it: {edited}; only --overwrite replaces that"
        ));
    }
    Ok(if tell_gone(files, folder, &last, ui) { Exit::Findings } else { exit })
}

/// What somebody edited since ratewaf wrote it.
#[derive(Default)]
struct Edits {
    /// Constant text, of which there is no other version now.
    kept: Vec<PathBuf>,
    /// What comes from the policy, or is another text now: writing it would lose the edit.
    in_the_way: Vec<PathBuf>,
}

impl Edits {
    fn of(files: &Files, folder: &Path, last: &Manifest) -> Result<Self> {
        let mut edits = Self::default();
        for (name, text) in files {
            let path = folder.join(name);
            let written = last.files.get(name);
            if !is_edited(&path, text, written)? {
                continue;
            }
            let is_the_same = written.is_some_and(|written| *written == sum(text.as_bytes()));
            let edited = if is_the_same && is_constant(name) {
                &mut edits.kept
            } else {
                &mut edits.in_the_way
            };
            edited.push(path);
        }
        Ok(edits)
    }

    /// The files but those that are kept.
    fn others(&self, files: &Files, folder: &Path) -> Vec<(String, String)> {
        let is_other = |(name, _): &&(String, String)| !self.kept.contains(&folder.join(name));
        files.iter().filter(is_other).cloned().collect()
    }

    fn tell_kept(&self, ui: &Ui) {
        if !self.kept.is_empty() {
            ui.note(&format!("edited and left as it is: {}", named(&self.kept)));
        }
    }
}

/// Whether a file of a layer is the same for every policy: people's own from the day it was written.
fn is_constant(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or(name);
    let is_code = file.ends_with(".ts") && file != "config.ts";
    is_code || file.ends_with(".md") || ["package.json", "tsconfig.json"].contains(&file)
}

/// Says which files were written for a store that the policy does not have any more, and whether there are any. The
/// other layers keep their own folders.
fn tell_gone(files: &Files, folder: &Path, last: &Manifest, ui: &Ui) -> bool {
    let of_stores =
        |name: &str| ["dynamodb/", "redis/"].iter().any(|store| name.starts_with(store));
    if !files.iter().any(|(name, _)| of_stores(name)) {
        return false;
    }
    let known = |name: &String| files.iter().any(|(own, _)| own == name);
    let stale = last.files.keys().filter(|name| of_stores(name) && is_inside(name) && !known(name));
    let gone: Vec<PathBuf> =
        stale.map(|name| folder.join(name)).filter(|path| path.is_file()).collect();
    if !gone.is_empty() {
        ui.note(&format!("the policy has no more use for {}: remove it", named(&gone)));
    }
    !gone.is_empty()
}

/// Whether a name of the manifest, which anybody may have written, is one of a file below.
fn is_inside(name: &str) -> bool {
    name.split('/').all(|part| !part.is_empty() && part != "..")
}

/// Whether a file holds what neither stands in the new one nor was written last. Without a note of what was written,
/// only the comment at its top tells.
fn is_edited(path: &Path, text: &str, last: Option<&String>) -> Result<bool> {
    if path.exists() && !path.is_file() {
        // Whoever writes or compares it says so; a pipe would never end.
        return Ok(false);
    }
    let size = match fs::metadata(path) {
        Ok(metadata) => metadata.len(),
        Err(error) if error.is_missing() => return Ok(false),
        Err(error) => return Err(error.into()),
    };
    if size > MOST_BYTES {
        return Ok(true);
    }
    let old = fs::read_bytes(path, MOST_BYTES)?;
    if old == text.as_bytes() || old.trim_ascii().is_empty() {
        return Ok(false);
    }
    Ok(match last {
        Some(last) => *last != sum(&old),
        None => !emitted::is_ours(&String::from_utf8_lossy(&old)),
    })
}

fn named(paths: &[PathBuf]) -> String {
    let names: Vec<String> =
        paths.iter().take(NAMED).map(|path| format!("`{}`", shown(path))).collect();
    let more = paths.len() - names.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", names.join(", "))
}
