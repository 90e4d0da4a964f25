//! What `emit` made: written into a file or a folder, or compared with what is there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::failure::hinted;
use super::policy_file;
use crate::exit::Exit;
use crate::fs::{self, shown};
use crate::render;
use crate::ui::Ui;

/// Larger files are no output of ours.
const MOST_BYTES: u64 = 64 << 20;
/// In the comment at the top of every file of ours.
const OURS: &str = "Written by ratewaf emit";

/// Whether a path is meant as a folder, into which the text is split.
pub(super) fn is_folder(path: &Path) -> bool {
    path.is_dir() || path.as_os_str().to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR])
}

/// Names and texts.
pub(super) type Files = [(String, String)];

fn whole(files: &Files) -> String {
    files.iter().map(|(_, text)| text.as_str()).collect()
}

/// Writes all of it into a file, or each into a folder. A folder's files are written one after the
/// other, each all or nothing; files of ours that are not among them any more are told.
pub(super) fn write(files: &Files, out: Option<&Path>, ui: &Ui) -> Result<()> {
    let targets = out.map(|out| targets(files, out)).unwrap_or_default();
    if let Some(folder) = out.filter(|out| is_folder(out)) {
        let paths: Vec<PathBuf> = targets.iter().map(|(path, _)| path.clone()).collect();
        demand_places(folder, &paths)?;
    }
    for (path, text) in &targets {
        demand_ours(path, text)?;
    }
    if let Some(file) = out.filter(|out| !is_folder(out)) {
        fs::check_target(file)?;
    }
    let Some(folder) = out.filter(|out| is_folder(out)) else {
        return policy_file::write(&whole(files), out, ui);
    };
    write_all(files, folder, ui)?;
    for stale in stale(folder, files)? {
        ui.note(&stale_words(&stale));
    }
    Ok(())
}

/// Writes each into a folder, one after the other.
pub(super) fn write_all(files: &Files, folder: &Path, ui: &Ui) -> Result<()> {
    fs::create_folder(folder)?;
    for (name, text) in files {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            fs::create_folder(parent)?;
        }
        policy_file::write(text, Some(&path), ui)?;
    }
    Ok(())
}

/// What is said of a file of ours that is not among the files any more.
pub(super) fn stale_words(path: &Path) -> String {
    format!(
        "{} was written by ratewaf and is not among the files now: remove it, or what it holds stays",
        shown(path)
    )
}

/// Refuses what stands in the way of files in a folder, before the first of them is written: a folder or a pipe in the
/// place of a file, a file in the place of a folder.
pub(super) fn demand_places(folder: &Path, paths: &[PathBuf]) -> Result<()> {
    let mut wrong: BTreeMap<&Path, &str> = BTreeMap::new();
    for path in paths {
        for above in path.ancestors().skip(1).take_while(|above| above.starts_with(folder)) {
            if above.exists() && !above.is_dir() {
                wrong.insert(above, "is no folder");
            }
        }
        if path.exists() && !path.is_file() {
            wrong.insert(path, "is no file");
        }
    }
    let Some((path, why)) = wrong.iter().next() else { return Ok(()) };
    let more = match wrong.len() - 1 {
        0 => String::new(),
        more => format!(", and {more} more stand in the way"),
    };
    let message = format!("`{}` {why}{more}: nothing was written", shown(path));
    Err(hinted(message, "name another folder with --out, or remove it first"))
}

/// Whether a text says at its top that `emit` wrote it.
pub(super) fn is_ours(text: &str) -> bool {
    header(text).contains(OURS)
}

/// What goes where: everything into a file, or each into its own in a folder.
fn targets(files: &Files, target: &Path) -> Vec<(PathBuf, String)> {
    if is_folder(target) {
        return files.iter().map(|(name, text)| (target.join(name), text.clone())).collect();
    }
    vec![(target.to_owned(), whole(files))]
}

/// Refuses to replace what somebody else wrote, or ratewaf in another dialect.
fn demand_ours(path: &Path, text: &str) -> Result<()> {
    // Nothing, a folder, or a pipe, which would never end: the writing says what it thinks of it.
    if !path.is_file() {
        return Ok(());
    }
    let old = fs::read_text(path, MOST_BYTES)?;
    if old.trim().is_empty() || old == text {
        return Ok(());
    }
    let (was, is) = (header(&old), header(text));
    let why = match (was.contains(OURS), is.contains(OURS)) {
        (true, true) if dialect(&old, &was) == dialect(text, &is) => return Ok(()),
        (true, _) => "ratewaf wrote it in another dialect",
        // JSON for programs has no comment that could tell whose it is.
        (false, false) if look_alike(&old, text) => return Ok(()),
        (false, _) => "ratewaf emit did not write it",
    };
    let hint = "name another file with --out, or remove that one first";
    Err(hinted(format!("`{}` is there already, and {why}", shown(path)), hint))
}

/// The sign that a text begins with, and the `--format` of its comment.
fn dialect<'a>(text: &str, header: &'a str) -> (Option<char>, Option<&'a str>) {
    let format = header.split_once("--format ").and_then(|(_, rest)| rest.split(' ').next());
    (text.chars().next(), format)
}

/// Whether two texts without comments are of one kind: JSON with a member in common, or no JSON.
fn look_alike(old: &str, new: &str) -> bool {
    use serde_json::Value;
    match (serde_json::from_str(old), serde_json::from_str(new)) {
        (Ok(Value::Object(old)), Ok(Value::Object(new))) => {
            new.keys().any(|key| old.contains_key(key))
        }
        (Ok(Value::Array(old)), Ok(Value::Array(new))) => {
            let named = |list: &[Value]| list.iter().all(|one| one.get("Document").is_some());
            named(&old) == named(&new)
        }
        (Err(_), Err(_)) => old.chars().next() == new.chars().next(),
        _ => false,
    }
}

/// The text with the committed one's command to compare them, where both are about the same flags: it names
/// the files as they were called where it was written.
fn with_command_of(committed: &str, text: &str) -> String {
    let command = |line: &&str| line.contains(render::COMPARE);
    let (Some(old), Some(new)) = (committed.lines().find(command), text.lines().find(command))
    else {
        return text.to_owned();
    };
    if emitting(old) == emitting(new) { text.replacen(new, old, 1) } else { text.to_owned() }
}

/// The flags of a command that what is emitted depends on.
fn emitting(command: &str) -> Vec<&str> {
    let command = command.trim_end_matches(['"', ',']);
    let flags = command.split(" --").skip(1).map(str::trim);
    let is_file =
        |flag: &&str| ["policy ", "lock ", "check "].iter().any(|name| flag.starts_with(name));
    flags.filter(|flag| !is_file(flag)).collect()
}

/// Files of ours in a folder that the stack does not have (any more).
fn stale(folder: &Path, files: &Files) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let json = render::FILES.map(|name| format!("{name}.json"));
    let names = render::FILES.into_iter().chain(render::OTHER_FILES);
    for name in names.chain(json.iter().map(String::as_str)) {
        let path = folder.join(name);
        // Those of another dialect are another matter.
        let same_dialect = |(own, _): &(String, String)| endings(own) == endings(name);
        if files.iter().any(|(own, _)| own == name) || !files.iter().any(same_dialect) {
            continue;
        }
        if !path.is_file() {
            continue;
        }
        match fs::read_text(&path, MOST_BYTES) {
            Ok(text) if header(&text).contains(OURS) => found.push(path),
            Ok(_) => {}
            Err(error) if error.is_missing() => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(found)
}

/// `tf.json` of `waf.tf.json`.
fn endings(name: &str) -> Option<&str> {
    name.split_once('.').map(|(_, endings)| endings)
}

/// Compares it with a file, or with the files of a folder. `again` is the command without its target.
pub(super) fn check(
    files: &Files,
    committed: &Path,
    again: &str,
    flags: &[String],
    ui: &Ui,
) -> Result<Exit> {
    let is_folder = is_folder(committed);
    let mut differences = String::new();
    let mut missing_flag = None;
    for (path, text) in &targets(files, committed) {
        if path.exists() && !path.is_file() {
            let hint = "--check takes what --out wrote";
            return Err(hinted(format!("`{}` is no file to compare with", shown(path)), hint));
        }
        let old = match fs::read_text(path, MOST_BYTES) {
            Err(error) if error.is_missing() => {
                let hint = format!("{again} --out {} writes it", shown(committed));
                let message = format!("there is no file `{}` to compare with", shown(path));
                return Err(hinted(message, hint));
            }
            other => other?,
        };
        let text = with_command_of(&old, text);
        if let Some(diff) = render::diff(&old, &text, &shown(path)) {
            differences.push_str(&diff);
            missing_flag = missing_flag.or_else(|| lost_flag(&old, flags));
        }
    }
    let stale = if is_folder { stale(committed, files)? } else { Vec::new() };
    if differences.is_empty() && stale.is_empty() {
        ui.note(&format!("{} is up to date", shown(committed)));
        return Ok(Exit::Done);
    }
    policy_file::write(&differences, None, ui)?;
    for stale in &stale {
        ui.note(&format!(
            "{} was written by ratewaf and is not among the files now: remove it",
            shown(stale)
        ));
    }
    let committed = shown(committed);
    ui.note(&match missing_flag {
        Some(flag) => format!(
            "{committed} was written with {flag}: compare it with {again} {flag} --check {committed}"
        ),
        None => format!("{committed} is not up to date; {again} --out {committed} writes it"),
    });
    Ok(Exit::Findings)
}

/// The comment at the top of a file, as one line; of JSON, its first lines.
fn header(text: &str) -> String {
    const LINES_OF_JSON: usize = 60;
    let is_json = text.starts_with('{');
    let lines = text.lines().take_while(|line| line.starts_with(['#', '/']) || is_json);
    let lines = lines.take(if is_json { LINES_OF_JSON } else { usize::MAX });
    lines
        .map(|line| line.trim_start_matches(['#', '/', ' ', '"']).trim_end_matches(['"', ',']))
        .collect::<Vec<_>>()
        .join(" ")
}

/// A flag that the committed file was written with, as its header says, and this run was not given: to
/// write it anew without would undo what somebody decided.
fn lost_flag(committed: &str, given: &[String]) -> Option<String> {
    let header = header(committed);
    let command = header.split("ratewaf emit ").skip(1).find(|rest| rest.contains("--check "))?;
    let command = command.split("--check ").next().unwrap_or_default();
    let known = |flag: &String| {
        ["--accept weak", "--count-mode", "--module"].contains(&flag.as_str())
            || ["--env ", "--provider ", "--format "].iter().any(|name| flag.starts_with(name))
    };
    let flags = command.split("--").skip(1).map(|flag| format!("--{}", flag.trim()));
    flags.filter(known).find(|flag| !given.contains(flag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_of_the_header_is_missed() {
        let header = "# A\n# Written by ratewaf emit: …\n# To compare the two: ratewaf emit --env stage --accept weak\n# --check waf.tf\n\nx";
        assert_eq!(lost_flag(header, &[]).as_deref(), Some("--env stage"));
        let given = ["--env stage".to_owned()];
        assert_eq!(lost_flag(header, &given).as_deref(), Some("--accept weak"));
        let given = ["--env stage".to_owned(), "--accept weak".to_owned()];
        assert_eq!(lost_flag(header, &given), None);
        assert_eq!(lost_flag("# nothing\n", &[]), None);
    }

    #[test]
    fn the_command_may_name_its_files_as_it_likes() {
        let text = "# To compare the two: ratewaf emit --env a --check waf.tf\nx\n";
        let committed =
            "# To compare the two: ratewaf emit --policy 'a b.yaml' --env a --check b/\nx\n";
        assert_eq!(with_command_of(committed, text), committed);
        let other = "# To compare the two: ratewaf emit --env b --check waf.tf\nx\n";
        assert_eq!(with_command_of(other, text), text);
    }
}
