//! What the TypeScript compiler and the CDK make of emitted constructs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use ratewaf::render::cdk;
use ratewaf::stack::Stack;
use serde_json::{Value, json};

use super::read::{Said, of_template};
use super::samples;
use crate::tools;

/// A folder with aws-cdk-lib, constructs, typescript and aws-cdk under `node_modules`
/// (`RATEWAF_CDK`), as `.ci/run` makes it. Missing is a skip with a reason, or a failure in CI.
fn packages() -> Option<PathBuf> {
    let given = std::env::var_os("RATEWAF_CDK").map(PathBuf::from);
    let found = given.filter(|folder| folder.join("node_modules/aws-cdk-lib").is_dir());
    assert!(
        found.is_some() || !tools::required(),
        "RATEWAF_CDK names no folder with aws-cdk-lib, and RATEWAF_REQUIRE_TOOLS=1 demands it"
    );
    if found.is_none() {
        tools::skip(
            "RATEWAF_CDK names no folder with aws-cdk-lib (npm install aws-cdk-lib constructs typescript aws-cdk)",
        );
    }
    found
}

/// Compiles apps, one folder each.
fn compile(packages: &Path, folder: &Path, apps: &[(String, Vec<(String, String)>)]) {
    std::os::unix::fs::symlink(packages.join("node_modules"), folder.join("node_modules")).unwrap();
    for (name, files) in apps {
        fs::create_dir(folder.join(name)).unwrap();
        for (file, text) in files {
            fs::write(folder.join(name).join(file), text).unwrap();
        }
    }
    let options = json!({
        "compilerOptions": {
            "target": "es2022", "module": "node16", "moduleResolution": "node16", "strict": true,
            "noUnusedLocals": true, "noImplicitAny": true, "skipLibCheck": true, "types": []
        },
        "include": ["*/*.ts"]
    });
    fs::write(folder.join("tsconfig.json"), options.to_string()).unwrap();
    let mut tsc = Command::new(packages.join("node_modules/.bin/tsc"));
    tools::run(tsc.current_dir(folder).args(["-p", "."]));
}

/// The template that `cdk synth` makes of an app.
fn synthesize(packages: &Path, folder: &Path, app: &str, stack: &str) -> Value {
    let mut command = Command::new(packages.join("node_modules/.bin/cdk"));
    command
        .current_dir(folder)
        .args(["synth", "--quiet", "--no-version-reporting", "--no-notices", "--app"])
        .arg(format!("node {app}/app.js"))
        .args(["--output", &format!("{app}.out")])
        .env("CI", "1")
        .env("CDK_DISABLE_CLI_TELEMETRY", "true");
    tools::run(&mut command);
    let file = folder.join(format!("{app}.out/{stack}.template.json"));
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

#[test]
fn constructs_compile_and_synthesize_to_the_same_rules() {
    if tools::find("node").is_none() {
        return;
    }
    let Some(packages) = packages() else { return };
    let folder = tempfile::tempdir().unwrap();
    let samples: Vec<(&str, Stack)> = samples();
    let apps: Vec<(String, Vec<(String, String)>)> = samples
        .iter()
        .map(|(name, stack)| ((*name).to_owned(), cdk(stack, true).unwrap()))
        .collect();
    compile(&packages, folder.path(), &apps);
    for (name, stack) in &samples {
        let id = format!("{}-rate-limits", stack.name);
        let template = synthesize(&packages, folder.path(), name, &id);
        assert_eq!(of_template(template), Said::by(stack), "{name}");
    }
}
