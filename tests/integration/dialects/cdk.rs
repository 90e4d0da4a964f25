//! What the TypeScript compiler and the CDK make of emitted constructs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use ratewaf::render::{cdk, cloudformation_json};
use serde_json::{Value, json};

use super::read::{Said, of_templates};
use super::template::{assert_same, deployed, deployed_by_cdk};
use super::{Files, policies, samples};
use crate::tools;

/// Loads many apps into one process, which is what takes the time; each writes its templates when the
/// process has nothing left to do.
const SYNTHESIZE: &str = "
process.env.CDK_CONTEXT_JSON = JSON.stringify({ 'aws:cdk:enable-path-metadata': true });
for (const app of process.argv.slice(1)) {
  process.env.CDK_OUTDIR = `${process.cwd()}/${app}.out`;
  require(`${process.cwd()}/${app}/app.js`);
}
";

/// A folder with aws-cdk-lib, constructs, typescript and aws-cdk under `node_modules`
/// (`RATEWAF_CDK`), as `.ci/run` makes it. Missing is a skip with a reason, or a failure in CI.
pub fn packages() -> Option<PathBuf> {
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

/// Compiles folders of files, with or without a check of their types.
pub fn compile(packages: &Path, folder: &Path, apps: &[(String, Files)], checked: bool) {
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
            "noUnusedLocals": true, "noImplicitAny": true, "skipLibCheck": true, "types": [],
            "noCheck": !checked
        },
        "include": ["*/*.ts"]
    });
    fs::write(folder.join("tsconfig.json"), options.to_string()).unwrap();
    let mut tsc = Command::new(packages.join("node_modules/.bin/tsc"));
    tools::run(tsc.current_dir(folder).args(["-p", "."]));
}

/// Templates by the construct that they hold, `waf` and `guard`, as the program that everybody uses makes
/// them.
fn synthesize(packages: &Path, folder: &Path, app: &str) -> Vec<(String, Value)> {
    let mut command = Command::new(packages.join("node_modules/.bin/cdk"));
    command
        .current_dir(folder)
        .args(["synth", "--quiet", "--no-version-reporting", "--no-notices", "--app"])
        .arg(format!("node {app}/app.js"))
        .args(["--output", &format!("{app}.out")])
        .env("CI", "1")
        .env("CDK_DISABLE_CLI_TELEMETRY", "true");
    tools::run(&mut command);
    templates(&folder.join(format!("{app}.out")))
}

fn templates(folder: &Path) -> Vec<(String, Value)> {
    let mut found: Vec<(String, Value)> = fs::read_dir(folder)
        .unwrap()
        .filter_map(|entry| {
            let path = entry.unwrap().path();
            let stack = path.file_name()?.to_str()?.strip_suffix(".template.json")?.to_owned();
            let name = if stack.ends_with("-origin-guard") { "guard" } else { "waf" };
            Some((
                name.to_owned(),
                serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap(),
            ))
        })
        .collect();
    found.sort_by(|a, b| b.0.cmp(&a.0));
    found
}

#[test]
fn constructs_compile_and_synthesize_to_the_template_that_we_emit() {
    let Some(node) = tools::find("node") else { return };
    let Some(packages) = packages() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut apps: Vec<(String, Files)> = policies::golden_files("cdk");
    let mut wanted = policies::json_templates();
    for (name, stack) in samples() {
        let name = format!("sample-{name}");
        apps.push((name.clone(), cdk(&stack, true).unwrap()));
        for (file, text) in cloudformation_json(&stack).unwrap() {
            let key = (name.clone(), file.trim_end_matches(".json").to_owned());
            wanted.insert(key, serde_json::from_str(&text).unwrap());
        }
    }
    assert!(apps.len() > 14, "{}", apps.len());
    compile(&packages, folder.path(), &apps, true);
    let mut command = Command::new(node);
    command.current_dir(folder.path()).args(["-e", SYNTHESIZE, "--"]);
    tools::run(command.args(apps.iter().map(|(name, _)| name)));
    let mut compared = 0;
    for (name, _) in &apps {
        for (which, template) in templates(&folder.path().join(format!("{name}.out"))) {
            let wanted = deployed(&wanted[&(name.clone(), which.clone())]);
            assert_same(&format!("{name}: {which}"), &deployed_by_cdk(&template), &wanted);
            compared += 1;
        }
    }
    assert_eq!(compared, wanted.len());
    // The command that people type makes the same.
    for (name, stack) in samples().into_iter().filter(|(name, _)| *name == "hostile") {
        let found = synthesize(&packages, folder.path(), &format!("sample-{name}"));
        let found = found.into_iter().map(|(_, template)| template).collect();
        let mut wanted = Said::by(&stack);
        wanted.sort();
        assert_eq!(of_templates(found), wanted, "{name}");
    }
    let told = synthesize(&packages, folder.path(), "whole-story");
    assert_eq!(told.len(), 2);
    for (which, template) in told {
        let wanted = deployed(&wanted[&("whole-story".to_owned(), which.clone())]);
        assert_same(&which, &deployed_by_cdk(&template), &wanted);
    }
}
