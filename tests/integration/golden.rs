//! Files of the repository that tests write: compared, or rewritten with `UPDATE=1`.

use crate::harness::repository;

/// Compares a file of the repository with what it should hold.
pub fn check(name: &str, wanted: &str) {
    let path = repository(name);
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    if found == wanted {
        return;
    }
    if std::env::var_os("UPDATE").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, wanted).unwrap();
        return;
    }
    let diff = ratewaf::render::diff(&found, wanted, name).unwrap_or_default();
    panic!("{name} is not up to date; UPDATE=1 rewrites it:\n{diff}");
}
