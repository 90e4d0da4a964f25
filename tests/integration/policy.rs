//! Policies as files: what loads, and what every bad one is told.

use std::fs;
use std::path::{Path, PathBuf};

use ratewaf::policy::Policy;

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

/// Compares with a file beside the tests; `UPDATE=1` writes it instead.
fn assert_golden(path: &Path, actual: &str) {
    if std::env::var_os("UPDATE").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, actual).unwrap();
        return;
    }
    let expected = fs::read_to_string(path)
        .unwrap_or_else(|error| panic!("{}: {error}; UPDATE=1 writes it", path.display()));
    assert_eq!(actual, expected, "{}; UPDATE=1 rewrites it", path.display());
}

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/policy").join(name)
}

#[test]
fn good_policies_load() {
    for file in files("tests/fixtures/policies/good") {
        let text = fs::read_to_string(&file).unwrap();
        if let Err(problems) = Policy::parse(&text, "ratewaf.yaml") {
            panic!("{}:\n{problems}", file.display());
        }
    }
}

#[test]
fn bad_policies_are_told_everything_at_once() {
    for file in files("tests/fixtures/policies/bad") {
        let text = fs::read_to_string(&file).unwrap();
        let stem = file.file_stem().unwrap().to_str().unwrap().to_owned();
        let problems = Policy::parse(&text, &format!("{stem}.yaml"))
            .err()
            .unwrap_or_else(|| panic!("{stem} loads, but should not"));
        let told = problems.render(false);
        assert!(
            told.chars().all(|character| character == '\n' || ratewaf::units::is_plain(character)),
            "{stem}: something of the file reaches the terminal raw"
        );
        assert_golden(&golden(&format!("{stem}.txt")), &format!("{told}\n"));
    }
}
