//! Policies as files: what loads, and what every bad one is told.

#![allow(clippy::unwrap_used, reason = "the helpers of tests are not marked as tests")]

use std::fs;
use std::path::{Path, PathBuf};

mod agreement;
mod fuzz;
mod lock;
mod messages;
mod resolve;
mod sample;
mod starter;

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
