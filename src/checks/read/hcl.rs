//! `.tf` and `.tf.json` files without a plan. What a literal, a local, a default, an argument of a module of the same
//! repository, `count`, `for_each` and `dynamic` say is worked out here; the rest becomes a marker and is said.

mod arithmetic;
mod expand;
mod files;
mod json;
mod names;
mod resolve;
mod scope;

use std::collections::BTreeMap;

use hcl::Body;

use super::{Error, Reading, spell};
use crate::checks::marker;
use crate::checks::model::{Change, Found, Item, Tool};
use files::Files;
pub use files::ReadText;
use scope::Scope;

/// Deeper brackets than this are no configuration.
const DEPTH: usize = 200;
/// Modules inside modules.
const MODULES: usize = 8;
/// Resources and blocks that all repetitions together may make.
pub(super) const EXPANDED: usize = 20_000;

/// The files of a configuration: those of a folder and of the folders below it, which may be its modules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Folder {
    /// As the user named it.
    pub name: String,
    /// The environment that it is of, if the user said so.
    pub environment: Option<String>,
    /// The folder of the root module, as the files' paths begin.
    pub root: String,
    /// Paths, with `/`, and texts.
    pub files: Vec<(String, String)>,
}

/// A resource or a data source on its way.
struct Raw {
    scope: usize,
    file: String,
    kind: String,
    label: String,
    is_data: bool,
    region: Option<String>,
    arguments: serde_json::Value,
}

impl Raw {
    fn address(&self, scopes: &[Scope]) -> String {
        let path = &scopes[self.scope].path;
        let data = if self.is_data { "data." } else { "" };
        let Self { kind, label, .. } = self;
        if path.is_empty() {
            format!("{data}{kind}.{label}")
        } else {
            format!("{path}.{data}{kind}.{label}")
        }
    }
}

/// Reads a configuration.
///
/// # Errors
/// When a file is no HCL, or is nested deeper than any configuration is.
pub fn read_folder(folder: &Folder) -> Result<Reading, Error> {
    read(folder, Files::default())
}

/// Reads a configuration, and what `file("…")` in it names. Paths begin as those of the folder's files do, or lead out
/// of it: what may be read is for `read` to say.
///
/// # Errors
/// As [`read_folder`].
pub fn read_folder_with(folder: &Folder, read_text: ReadText) -> Result<Reading, Error> {
    read(folder, Files::new(&clean(&folder.root), read_text))
}

fn read(folder: &Folder, files: Files) -> Result<Reading, Error> {
    let fault = |path: &str, reason: String| Error { name: path.to_owned(), reason };
    let mut bodies: BTreeMap<String, Vec<(String, Body)>> = BTreeMap::new();
    for (path, text) in &folder.files {
        if let Some(line) = too_deep(text) {
            let reason = format!("is nested more than {DEPTH} levels deep in line {line}");
            return Err(fault(path, reason));
        }
        let body = if path.ends_with(".json") {
            json::parse(text)
        } else {
            hcl::parse(text).map_err(|error| words(&error))
        };
        let body = body.map_err(|reason| fault(path, format!("is no Terraform: {reason}")))?;
        bodies.entry(directory(path)).or_default().push((path.clone(), body));
    }
    let mut reader = expand::Reader::new(&bodies, clean(&folder.root), files);
    reader.module(clean(&folder.root), String::new(), BTreeMap::new(), MODULES);
    let expand::Reader { scopes, raws, mut blind, read, budget, .. } = reader;
    blind.extend(bodies.iter().filter(|(path, _)| !read.contains(*path)).filter_map(uncalled));
    let mut resolved = resolve::all(&scopes, &raws);
    if budget.is_spent() {
        let file = folder.files.first().map(|(path, _)| path.clone()).unwrap_or_default();
        let what = "to work it all out takes too long; what is left is not known".to_owned();
        blind.push(("the configuration".to_owned(), file, what));
    }
    if folder.files.iter().all(|(path, _)| *path == folder.name) {
        // The file beside may declare it.
        resolved.iter_mut().for_each(marker::forget_undeclared);
    }
    let item = |address: String| Item {
        input: folder.name.clone(),
        environment: folder.environment.clone(),
        file: None,
        address,
        tool: Tool::Terraform,
        change: Change::NotTold,
        region: None,
    };
    let mut reading = Reading::default();
    for (raw, arguments) in raws.iter().zip(resolved) {
        if raw.is_data {
            continue;
        }
        let mut item = item(raw.address(&scopes));
        item.file = Some(raw.file.clone());
        item.region =
            arguments["region"].as_str().map(str::to_owned).or_else(|| raw.region.clone());
        if let Some(what) = spell::fault(&raw.kind, &arguments) {
            let reason = format!("cannot be checked: `{}` {what}", raw.address(&scopes));
            return Err(fault(&raw.file, reason));
        }
        let values = spell::values(&raw.kind, &arguments);
        reading.found.push(Found { item, kind: spell::kind(&raw.kind), values, before: None });
    }
    reading.blind = blind
        .into_iter()
        .map(|(address, file, what)| {
            let mut item = item(address);
            item.file = Some(file);
            (item, what)
        })
        .collect();
    Ok(reading)
}

/// A folder with something of WAF that is no module of this configuration.
fn uncalled((path, bodies): (&String, &Vec<(String, Body)>)) -> Option<(String, String, String)> {
    let of_waf = |block: &&hcl::Block| {
        block.identifier() == "resource"
            && block.labels().first().is_some_and(|label| label.as_str().starts_with("aws_wafv2"))
    };
    let (file, _) = bodies.iter().find(|(_, body)| body.blocks().any(|it| of_waf(&it)))?;
    let what = format!("no module calls this folder; `ratewaf check {path}` looks at it");
    Some((path.clone(), file.clone(), what))
}

/// One line of a parser's message, with the place that it gives.
fn words(error: &dyn std::fmt::Display) -> String {
    let text = error.to_string();
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let place = text.lines().find_map(|line| line.trim().strip_prefix("--> HCL parse error in "));
    let last = text.lines().rev().find_map(|line| line.trim().strip_prefix("= "));
    match (place, last) {
        (Some(place), Some(what)) => format!("{place}: {what}"),
        _ => lines.next().unwrap_or_default().to_owned(),
    }
}

/// Whether brackets are nested too deep for a parser that calls itself.
pub(in crate::checks) fn nests_too_deep(text: &str) -> bool {
    too_deep(text).is_some()
}

fn too_deep(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (place, byte) in text.bytes().enumerate() {
        match byte {
            b'{' | b'[' | b'(' => {
                depth += 1;
                if depth > DEPTH {
                    return Some(1 + text[..place].matches('\n').count());
                }
            }
            b'}' | b']' | b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

/// The folder of a path, without `.` and `..`.
fn directory(path: &str) -> String {
    clean(path.rsplit_once('/').map_or("", |(folder, _)| folder))
}

pub(in crate::checks) fn clean(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" if parts.is_empty() && path.starts_with('/') => parts.push(""),
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != ".." && !last.is_empty()) => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests;
