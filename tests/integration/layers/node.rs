//! The emitted TypeScript through the compiler, and its own tests through Node, against a DynamoDB and a
//! Redis on this machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::tools;

/// A folder with the packages that the layers' tests need under `node_modules` (`RATEWAF_LAYERS`), as
/// `.ci/run` makes it. Missing is a skip with a reason, or a failure in CI.
pub fn packages() -> Option<PathBuf> {
    let given = std::env::var_os("RATEWAF_LAYERS").map(PathBuf::from);
    let found = given.filter(|folder| folder.join("node_modules/dynalite").is_dir());
    assert!(
        found.is_some() || !tools::required(),
        "RATEWAF_LAYERS names no folder with dynalite, and RATEWAF_REQUIRE_TOOLS=1 demands it"
    );
    if found.is_none() {
        tools::skip("RATEWAF_LAYERS names no folder with what `.ci/run` installs for the layers");
    }
    found
}

/// Writes the files of a package, compiles them and runs their tests; what Node said.
pub fn tested(files: &[(String, String)], packages: &Path, node: &Path) -> String {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let modules = packages.join("node_modules");
    std::os::unix::fs::symlink(modules, folder.path().join("node_modules")).unwrap();
    let mut compiler = Command::new(packages.join("node_modules/.bin/tsc"));
    tools::run(compiler.current_dir(folder.path()));
    let mut tests = Command::new(node);
    let compiled = folder.path().join("dist/test");
    let mut files: Vec<PathBuf> =
        fs::read_dir(compiled).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.to_string_lossy().ends_with(".test.js"));
    files.sort();
    tests.current_dir(folder.path()).args(["--test", "--test-reporter=tap"]).args(files);
    let said = tools::run(&mut tests);
    assert!(said.contains("\n# fail 0\n"), "{said}");
    said
}

/// How many tests passed.
pub fn passed(said: &str) -> u32 {
    said.lines().find_map(|line| line.strip_prefix("# pass ")).unwrap().parse().unwrap()
}

/// The files of one store of the application.
fn of_store(store: &str) -> Vec<(String, String)> {
    let prefix = format!("{store}/");
    let files = super::emitted().into_iter();
    files.filter_map(|(name, text)| Some((name.strip_prefix(&prefix)?.to_owned(), text))).collect()
}

#[test]
fn the_tests_of_the_dynamodb_limiter_pass() {
    let Some(node) = tools::find("node") else { return };
    let Some(packages) = packages() else { return };
    let said = tested(&of_store("dynamodb"), &packages, &node);
    // Four examples and the three limits of the policy, five scenarios each, and the rest.
    assert!(passed(&said) >= 7 * 5 + 18, "{said}");
}

#[test]
fn the_tests_of_the_redis_limiter_pass() {
    let Some(node) = tools::find("node") else { return };
    let Some(packages) = packages() else { return };
    if tools::find("redis-server").is_none() {
        return;
    }
    let said = tested(&of_store("redis"), &packages, &node);
    // Two examples and two scenarios, five stories each, two buckets with five, and the rest.
    assert!(passed(&said) >= 4 * 5 + 2 * 5 + 21, "{said}");
}
