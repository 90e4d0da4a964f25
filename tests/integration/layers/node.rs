//! The emitted TypeScript through the compiler, and its own tests through Node, against a DynamoDB and a
//! Redis on this machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::tools;

/// A folder with the packages that the layers' tests need under `node_modules` (`RATEWAF_LAYERS`), as
/// `.ci/run` makes it. Missing is a skip with a reason, or a failure in CI.
fn packages() -> Option<PathBuf> {
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

/// Writes the files of a store, compiles them and runs their tests; what Node said.
fn tested(store: &str, files: &[(String, String)], packages: &Path, node: &Path) -> String {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let Some(name) = name.strip_prefix(&format!("{store}/")) else { continue };
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
    tools::run(&mut tests)
}

#[test]
fn the_tests_of_the_dynamodb_limiter_pass() {
    let Some(node) = tools::find("node") else { return };
    let Some(packages) = packages() else { return };
    let said = tested("dynamodb", &super::emitted(), &packages, &node);
    assert!(said.contains("\n# fail 0\n"), "{said}");
    // Four examples and the three limits of the policy, five scenarios each, and the rest.
    let passed = said.lines().find_map(|line| line.strip_prefix("# pass ")).unwrap();
    assert!(passed.parse::<u32>().unwrap() >= 7 * 5 + 18, "{passed}");
}

#[test]
fn the_tests_of_the_redis_limiter_pass() {
    let Some(node) = tools::find("node") else { return };
    let Some(packages) = packages() else { return };
    if tools::find("redis-server").is_none() {
        return;
    }
    let said = tested("redis", &super::emitted(), &packages, &node);
    assert!(said.contains("\n# fail 0\n"), "{said}");
    // Two examples and two scenarios, four stories each, two buckets with five, and the rest.
    let passed = said.lines().find_map(|line| line.strip_prefix("# pass ")).unwrap();
    assert!(passed.parse::<u32>().unwrap() >= 4 * 4 + 2 * 5 + 18, "{passed}");
}
