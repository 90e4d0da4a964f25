//! Paths, folders, patterns and standard input to a sorted list of files.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::detect::is_json_log;
use super::error::Error;
use super::remote::Remote;
use crate::fs;

/// Where the bytes are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a file.
    File(PathBuf),
    /// On standard input.
    StandardInput,
    /// Somewhere else, from where it is fetched when its turn comes.
    Remote(Remote),
}

/// One thing to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Its name in messages.
    pub name: String,
    /// Where it is.
    pub place: Place,
    /// Its size in bytes as stored; 0 for standard input.
    pub size: u64,
}

/// Files from this size on are worth a thread of their own.
const LARGE: u64 = 8 << 20;

/// When a file's turn to be read comes, by its stored size: the larger, the earlier, so that no thread is
/// left with a large one at the end. Files of about one size have one turn and stay in the order of their
/// names, which is that of time: whoever called in one is likely to call in the next.
#[must_use]
pub fn turn(size: u64) -> std::cmp::Reverse<u64> {
    std::cmp::Reverse(if size < LARGE {
        size.checked_ilog2().map_or(0, |bits| 1 << bits)
    } else {
        size
    })
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Discovered {
    /// Sorted by name.
    pub inputs: Vec<Input>,
    /// Files in the folders that do not look like logs by their names.
    pub ignored: Vec<String>,
    /// Files that were given more than once, by path; each is read once.
    pub repeated: Vec<String>,
}

/// Folders deeper than this are not walked; no log delivery writes such.
const DEEPEST: usize = 32;

/// Finds the files behind what was given: `-` is standard input, a folder stands for the logs in it
/// and below, `*`, `?`, `[…]` and `{…}` make a pattern unless a file has that very name.
///
/// With `keep_repeated`, a file that is given twice is read twice.
///
/// # Errors
/// When something given is not there, cannot be read, or holds no log.
pub fn discover(paths: &[String], keep_repeated: bool) -> Result<Discovered, Error> {
    let mut found = Discovered::default();
    for path in paths {
        if path == "-" {
            let name = "standard input".to_owned();
            found.inputs.push(Input { name, place: Place::StandardInput, size: 0 });
            continue;
        }
        match fs::metadata(Path::new(path)) {
            Ok(metadata) if metadata.is_dir() => folder(Path::new(path), &mut found)?,
            Ok(metadata) => found.inputs.push(input(PathBuf::from(path), metadata.len())),
            Err(error) if !error.is_missing() => return Err(error.into()),
            Err(_) if path.contains(['*', '?', '[', '{']) => pattern(path, &mut found)?,
            Err(_) => return Err(Error::Missing(path.clone())),
        }
    }
    found.inputs.sort_by(|a, b| a.name.cmp(&b.name));
    if !keep_repeated {
        drop_repeated(&mut found);
    }
    Ok(found)
}

fn input(path: PathBuf, size: u64) -> Input {
    Input { name: path.display().to_string(), place: Place::File(path), size }
}

fn drop_repeated(found: &mut Discovered) {
    let mut seen = BTreeSet::new();
    let repeated = &mut found.repeated;
    found.inputs.retain(|input| {
        let key = match &input.place {
            Place::File(path) => std::fs::canonicalize(path).unwrap_or_else(|_| path.clone()),
            Place::StandardInput => PathBuf::from("-"),
            Place::Remote(_) => PathBuf::from(&input.name),
        };
        let first = seen.insert(key);
        if !first {
            repeated.push(input.name.clone());
        }
        first
    });
}

fn folder(path: &Path, found: &mut Discovered) -> Result<(), Error> {
    let before = (found.inputs.len(), found.ignored.len());
    let mut visited = BTreeSet::new();
    walk(path, 0, &mut visited, found)?;
    if found.inputs.len() == before.0 {
        let others = (found.ignored.len() - before.1) as u64;
        return Err(Error::NoLogs { folder: path.display().to_string(), others });
    }
    Ok(())
}

fn walk(
    path: &Path,
    depth: usize,
    visited: &mut BTreeSet<PathBuf>,
    found: &mut Discovered,
) -> Result<(), Error> {
    // Links may lead in circles: each real folder is walked once.
    let real = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if depth > DEEPEST || !visited.insert(real) {
        return Ok(());
    }
    for entry in fs::list(path)? {
        if is_hidden(&entry) {
            continue;
        }
        // A dangling link in a folder is no reason to refuse the folder.
        let Ok(metadata) = fs::metadata(&entry) else { continue };
        if metadata.is_dir() {
            walk(&entry, depth + 1, visited, found)?;
        } else if metadata.is_file() {
            if looks_like_log(&entry) || is_parquet(&entry) {
                found.inputs.push(input(entry, metadata.len()));
            } else {
                found.ignored.push(entry.display().to_string());
            }
        }
    }
    Ok(())
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
}

/// By name: what log deliveries and people call their logs. `E123.2026-09-08-00.bab49728`, an
/// unpacked log without its `.gz`, has a hash for an ending.
#[must_use]
pub fn looks_like_log(path: &Path) -> bool {
    let Some(ending) = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase())
    else {
        return true;
    };
    // Much is called .json that is no log: its start decides.
    if ending == "json" {
        return starts_like_json_log(path);
    }
    matches!(
        ending.as_str(),
        "gz" | "gzip" | "log" | "txt" | "tsv" | "w3c" | "tab" | "jsonl" | "ndjson" | "parquet"
    ) || (ending.len() >= 6 && ending.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// One that cannot be opened is for the reader to tell of.
fn starts_like_json_log(path: &Path) -> bool {
    let mut head = Vec::new();
    match fs::open(path).map(|file| file.take(LOOKED_AT).read_to_end(&mut head)) {
        Ok(Ok(_)) => is_json_log(&head),
        _ => true,
    }
}

/// So much of a file is looked at.
const LOOKED_AT: u64 = 64 << 10;

/// By content: tables have names of all kinds.
fn is_parquet(path: &Path) -> bool {
    let mut start = [0; 4];
    let read = fs::open(path).is_ok_and(|mut file| file.read_exact(&mut start).is_ok());
    read && start == *b"PAR1"
}

fn pattern(text: &str, found: &mut Discovered) -> Result<(), Error> {
    let fail = |error: globset::Error| Error::Pattern {
        pattern: text.to_owned(),
        reason: error.kind().to_string(),
    };
    let matcher = globset::GlobBuilder::new(text)
        .literal_separator(true)
        .build()
        .map_err(fail)?
        .compile_matcher();
    // Everything up to the last slash before the first special character is a real folder.
    let special = text.find(['*', '?', '[', '{']).unwrap_or(text.len());
    let base = match text[..special].rfind('/') {
        Some(0) => Path::new("/"),
        Some(slash) => Path::new(&text[..slash]),
        None => Path::new("."),
    };
    let levels = text[special..].matches('/').count();
    let deepest = if text.contains("**") { DEEPEST } else { levels };
    let before = found.inputs.len();
    glob_walk(base, base == Path::new("."), 0, deepest, &matcher, found)?;
    if found.inputs.len() == before { Err(Error::NoMatch(text.to_owned())) } else { Ok(()) }
}

fn glob_walk(
    folder: &Path,
    bare: bool,
    depth: usize,
    deepest: usize,
    matcher: &globset::GlobMatcher,
    found: &mut Discovered,
) -> Result<(), Error> {
    let entries = match fs::list(folder) {
        Ok(entries) => entries,
        Err(error) if error.is_missing() => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    for entry in entries {
        // `./a.gz` is written `a.gz` in a pattern without a folder.
        let entry = match entry.strip_prefix(".") {
            Ok(stripped) if bare => stripped.to_owned(),
            _ => entry,
        };
        let Ok(metadata) = fs::metadata(&entry) else { continue };
        if metadata.is_dir() {
            if matcher.is_match(&entry) {
                walk(&entry, 0, &mut BTreeSet::new(), found)?;
            } else if depth < deepest && !is_hidden(&entry) {
                glob_walk(&entry, bare, depth + 1, deepest, matcher, found)?;
            }
        } else if metadata.is_file() && matcher.is_match(&entry) {
            // Pipes and devices may never end: they are read only by their own name.
            found.inputs.push(input(entry, metadata.len()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for name in
            ["a/x.gz", "a/b/y.log", "a/truth.json", "a/.hidden.gz", "z.2026-09-08-00.bab49728"]
        {
            let path = root.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        std::fs::write(root.path().join("a/truth.json"), "{\"seed\": 1, \"routes\": [").unwrap();
        let json = "{\"c-ip\": \"192.0.2.1\", \"cut";
        std::fs::write(root.path().join("a/b/v2.json"), json).unwrap();
        root
    }

    fn names(found: &Discovered, root: &Path) -> Vec<String> {
        let root = format!("{}/", root.display());
        found.inputs.iter().map(|input| input.name.replace(&root, "")).collect()
    }

    #[test]
    fn a_folder_gives_its_logs_and_nothing_else() {
        let root = tree();
        let found = discover(&[root.path().display().to_string()], false).unwrap();
        let expected = ["a/b/v2.json", "a/b/y.log", "a/x.gz", "z.2026-09-08-00.bab49728"];
        assert_eq!(names(&found, root.path()), expected);
        assert_eq!(found.ignored.len(), 1);
    }

    #[test]
    fn tables_are_found_whatever_their_names() {
        let root = tree();
        std::fs::write(root.path().join("a/part-0.snappy.parquet"), "").unwrap();
        std::fs::write(root.path().join("a/table.bin"), "PAR1 and so on").unwrap();
        let found = discover(&[root.path().join("a").display().to_string()], false).unwrap();
        let mut names = names(&found, root.path());
        names.retain(|name| name.contains("part-") || name.contains("table"));
        assert_eq!(names, ["a/part-0.snappy.parquet", "a/table.bin"]);
    }

    #[test]
    fn patterns_match_files_and_folders() {
        let root = tree();
        let at = |pattern: &str| discover(&[format!("{}/{pattern}", root.path().display())], false);
        assert_eq!(names(&at("a/*.gz").unwrap(), root.path()), ["a/.hidden.gz", "a/x.gz"]);
        assert_eq!(names(&at("**/*.log").unwrap(), root.path()), ["a/b/y.log"]);
        assert_eq!(names(&at("[a]/b").unwrap(), root.path()), ["a/b/v2.json", "a/b/y.log"]);
        assert!(matches!(at("*.nothing"), Err(Error::NoMatch(_))));
        assert!(matches!(at("none"), Err(Error::Missing(_))));
    }

    #[test]
    fn a_file_given_twice_is_noticed() {
        let root = tree();
        let folder = root.path().display().to_string();
        let file = format!("{folder}/a/../a/x.gz");
        let found = discover(&[folder.clone(), file.clone()], false).unwrap();
        assert_eq!((found.inputs.len(), found.repeated.len()), (4, 1));
        assert_eq!(discover(&[folder, file], true).unwrap().inputs.len(), 5);
    }

    #[test]
    fn links_in_circles_end() {
        let root = tree();
        #[cfg(unix)]
        std::os::unix::fs::symlink(root.path(), root.path().join("a/loop")).unwrap();
        assert_eq!(discover(&[root.path().display().to_string()], false).unwrap().inputs.len(), 4);
    }
}
