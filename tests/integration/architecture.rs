//! The arrows between modules, and the size of files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::harness::repository;

/// Which module may use which; `units` and `quotas` are open to all. The table of
/// `docs/architecture.md`, which a test compares with this one.
const ARROWS: &[(&str, &[&str])] = &[
    ("units", &[]),
    ("quotas", &[]),
    ("exit", &[]),
    ("fs", &[]),
    ("rules", &[]),
    ("logs", &["fs"]),
    ("counts", &["logs", "rules"]),
    ("profile", &["counts", "rules"]),
    ("proposal", &["profile", "counts", "policy", "rules"]),
    ("survey", &["counts", "profile", "proposal", "rules"]),
    ("enforcement", &["counts", "profile", "rules"]),
    ("limiters", &[]),
    ("replay", &["counts", "limiters", "rules"]),
    ("explain", &["counts", "replay", "rules"]),
    ("policy", &["rules", "fs"]),
    ("wafv2", &["rules"]),
    ("placement", &["stack", "wafv2", "policy", "rules"]),
    ("stack", &["wafv2", "rules"]),
    ("render", &["stack", "wafv2", "rules", "policy", "limiters"]),
    (
        "report",
        &[
            "profile",
            "proposal",
            "survey",
            "enforcement",
            "replay",
            "explain",
            "limiters",
            "counts",
            "placement",
            "wafv2",
            "policy",
            "rules",
        ],
    ),
    ("checks", &["render", "wafv2", "policy", "rules"]),
    ("changes", &["stack", "wafv2", "rules"]),
    ("cloud", &["changes", "logs", "wafv2", "fs"]),
    ("demo", &["fs"]),
    ("ui", &[]),
    ("cli", &["*"]),
    ("main", &["cli"]),
];

fn sources() -> Vec<PathBuf> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    walk(&repository("src"), &mut found);
    found.sort();
    found
}

fn module_of(path: &Path) -> String {
    let inside = path.strip_prefix(repository("src")).unwrap();
    let first = inside.components().next().unwrap().as_os_str().to_string_lossy();
    first.trim_end_matches(".rs").to_owned()
}

/// The modules that a file names after `crate::`, wherever it does.
fn used(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (place, _) in text.match_indices("crate::") {
        let before = text[..place].chars().next_back();
        if before.is_some_and(|character| character.is_alphanumeric() || character == '_') {
            continue;
        }
        let rest = &text[place + "crate::".len()..];
        if let Some(group) = rest.strip_prefix('{') {
            let group = &group[..group.find("};").unwrap_or(group.len())];
            let mut depth = 0;
            let mut word = String::new();
            for character in group.chars().chain([',']) {
                match character {
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    ',' if depth == 0 => {
                        let name = word.trim().split("::").next().unwrap_or_default().to_owned();
                        found.insert(name);
                        word.clear();
                    }
                    _ if depth == 0 => word.push(character),
                    _ => {}
                }
            }
        } else {
            let end = rest.find(|character: char| !character.is_alphanumeric() && character != '_');
            found.insert(rest[..end.unwrap_or(rest.len())].to_owned());
        }
    }
    found.remove("");
    found
}

/// A file without the tests at its end, and without comment lines (a link in a comment is no use).
fn without_tests(text: &str) -> String {
    text.lines()
        .take_while(|line| !line.starts_with("#[cfg(test)]"))
        .filter(|line| !line.trim_start().starts_with("//"))
        .map(|line| format!("{line}\n"))
        .collect()
}

fn is_test_file(path: &Path) -> bool {
    let inside = path.strip_prefix(repository("src")).unwrap();
    let name = path.file_stem().unwrap().to_string_lossy();
    name == "tests"
        || name == "samples"
        || name.ends_with("_tests")
        || inside.components().any(|part| part.as_os_str() == "tests")
}

#[test]
fn modules_use_only_what_they_may() {
    let mut wrong = Vec::new();
    for path in sources().iter().filter(|path| !is_test_file(path)) {
        let module = module_of(path);
        if module == "lib" {
            continue;
        }
        let text = without_tests(&std::fs::read_to_string(path).unwrap());
        let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == module) else {
            wrong.push(format!("{}: module `{module}` is not in the table", path.display()));
            continue;
        };
        for other in used(&text) {
            let open = matches!(other.as_str(), "units" | "quotas");
            let known = ARROWS.iter().any(|(name, _)| *name == other);
            let fine = !known
                || open
                || other == module
                || allowed.contains(&"*")
                || allowed.contains(&other.as_str());
            if !fine {
                wrong.push(format!("{}: `{module}` must not use `{other}`", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_reader_of_arrows_sees_them() {
    let text = "use crate::logs::{Error, Options};\nuse crate::{counts, ui::{Ui, x}, fs};\nlet a = crate::render::diff();";
    let found: Vec<String> = used(text).into_iter().collect();
    assert_eq!(found, ["counts", "fs", "logs", "render", "ui"]);
}

#[test]
fn the_table_is_the_one_in_the_documentation() {
    let page = std::fs::read_to_string(repository("docs/architecture.md")).unwrap();
    for &(module, allowed) in ARROWS {
        let row = page
            .lines()
            .find(|line| line.starts_with(&format!("| `{module}` |")))
            .unwrap_or_else(|| panic!("docs/architecture.md has no row for `{module}`"));
        let uses = row.split('|').nth(3).unwrap();
        let documented: BTreeSet<&str> = uses
            .split('`')
            .skip(1)
            .step_by(2)
            .filter(|name| !matches!(*name, "units" | "quotas"))
            .collect();
        let expected: BTreeSet<&str> =
            allowed.iter().copied().filter(|name| *name != "*").collect();
        assert_eq!(documented, expected, "`{module}`");
    }
}

#[test]
fn files_are_small() {
    let mut lengths: Vec<(usize, PathBuf)> = sources()
        .into_iter()
        .filter(|path| !is_test_file(path))
        .map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            let lines = text.lines().take_while(|line| !line.starts_with("#[cfg(test)]")).count();
            (lines, path)
        })
        .collect();
    lengths.sort();
    let (longest, path) = lengths.last().unwrap();
    assert!(*longest <= 600, "{} has {longest} lines", path.display());
    let (median, _) = lengths[lengths.len() / 2];
    assert!(median <= 150, "half of the files have over {median} lines");
}

#[test]
fn only_fs_and_its_users_touch_the_file_system_and_only_ui_prints() {
    let mut wrong = Vec::new();
    for path in sources().iter().filter(|path| !is_test_file(path)) {
        let module = module_of(path);
        let text = without_tests(&std::fs::read_to_string(path).unwrap());
        let pure = [
            "profile", "proposal", "rules", "wafv2", "stack", "render", "units", "report", "checks",
        ]
        .contains(&module.as_str());
        for (what, banned) in [
            ("std::fs", pure),
            ("std::time::SystemTime", pure),
            ("std::env", pure),
            ("println!", module != "ui"),
            ("eprintln!", module != "ui"),
        ] {
            if banned && text.contains(what) {
                wrong.push(format!("{}: {what}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
