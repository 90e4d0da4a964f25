//! Plans of Terraform itself: with the stub in both versions, and with the real provider where it is.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Output;

use ratewaf::checks::model::{Found, build};
use ratewaf::checks::read::{Folder, Input, compare, read_folder, read_plan};
use ratewaf::checks::{CHECKS, Context, run};
use serde_json::Value;

use super::page::{all, examples, today};
use crate::terraform::stub::{Version, Workspace};
use crate::tools;

/// Which checks say what, about which resource: not the words, as a plan may know more.
fn said(found: Vec<Found>) -> BTreeSet<String> {
    let deployment = build(found);
    let context = Context {
        deployment: &deployment,
        policy: None,
        lock: None,
        today: today(),
        pricing_plan: None,
    };
    let findings = run(CHECKS, &context);
    findings
        .into_iter()
        .map(|one| {
            let rule = one.place.rule.unwrap_or_default();
            // What is about no resource stands in what was read, which differs.
            let address = match one.check {
                "web-acl-absent" => "",
                _ => one.place.item.address.as_str(),
            };
            format!("{} {address} {rule}", one.check)
        })
        .collect()
}

/// Checks that need what a plan does not tell: which changes a resource ignores.
const FILES_ONLY: [&str; 1] = ["rule-resource-undone"];

/// What the checks say about each module of a plan, as if it stood alone.
fn by_module(plan: &Value) -> BTreeMap<String, BTreeSet<String>> {
    let input = Input { name: "plan.json".into(), environment: None, text: String::new() };
    let mut modules: BTreeMap<String, Vec<Found>> = BTreeMap::new();
    for one in read_plan(&input, plan).unwrap().found {
        let module = one.item.address.split('.').nth(1).unwrap().to_owned();
        modules.entry(module).or_default().push(one);
    }
    modules.into_iter().map(|(module, found)| (module, said(found))).collect()
}

/// The same of the files; a module that is made anew.
fn of_files(module: &str, text: &str) -> BTreeSet<String> {
    let files = vec![
        (
            "root/main.tf".to_owned(),
            format!("module \"{module}\" {{\n  source = \"../{module}\"\n}}\n"),
        ),
        (format!("{module}/main.tf"), text.to_owned()),
    ];
    let folder = Folder { name: "x".into(), root: "root".into(), files, environment: None };
    said(compare(read_folder(&folder).unwrap().found, &[]))
}

/// Examples of HCL that stand alone, as modules: name and text. Providers come from outside in a module.
fn modules() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for check in all() {
        let id = check.about().id;
        for section in ["Bad", "Good"] {
            for (place, example) in examples(id, section).into_iter().enumerate() {
                let Some(text) = example.hcl else { continue };
                if !text.contains("provider ") && !text.contains("\nmodule ") {
                    let name = format!("{}-{section}-{place}", id.replace('-', "_"));
                    found.insert(name, text);
                }
            }
        }
    }
    found
}

/// Checks whose examples the slower provider plans, too: a module costs it seconds.
const FEW: [&str; 5] =
    ["alarm_region", "exempt_one_family", "key_left_out", "metric_name_twice", "path_case"];

fn few() -> BTreeMap<String, String> {
    let is_one = |name: &str| FEW.iter().any(|id| name.starts_with(&format!("{id}-")));
    modules().into_iter().filter(|(name, _)| is_one(name)).collect()
}

/// Plans modules; those that Terraform itself refuses are left out, which is said.
fn plan(
    mut modules: BTreeMap<String, String>,
    root: &str,
    folder: &Path,
    terraform: &dyn Fn(&[&str]) -> Output,
) -> (Value, BTreeMap<String, String>) {
    loop {
        let mut main = root.to_owned();
        for (name, text) in &modules {
            std::fs::create_dir_all(folder.join(name)).unwrap();
            std::fs::write(folder.join(name).join("main.tf"), text).unwrap();
            main.push_str(&format!("module \"{name}\" {{\n  source = \"./{name}\"\n}}\n"));
        }
        std::fs::write(folder.join("main.tf"), main).unwrap();
        let get = terraform(&["get"]);
        let planned = terraform(&["plan", "-input=false", "-out=plan"]);
        if get.status.success() && planned.status.success() {
            let json = terraform(&["show", "-json", "plan"]).stdout;
            return (serde_json::from_slice(&json).unwrap(), modules);
        }
        let error = String::from_utf8_lossy(&planned.stderr).into_owned();
        let before = modules.len();
        modules.retain(|name, _| {
            !error.contains(&format!("on {name}/main.tf line"))
                && !error.contains(&format!("module \"{name}\" {{"))
        });
        assert!(modules.len() < before, "{error}{}", String::from_utf8_lossy(&get.stderr));
    }
}

fn assert_same(plan: &Value, modules: &BTreeMap<String, String>, what: &str) {
    let mut found = by_module(plan);
    let mut wrong = Vec::new();
    for (name, text) in modules {
        let of_plan = found.remove(name).unwrap_or_default();
        let mut of_files = of_files(name, text);
        of_files
            .retain(|said| !FILES_ONLY.iter().any(|check| said.starts_with(&format!("{check} "))));
        for one in of_plan.symmetric_difference(&of_files) {
            let side = if of_plan.contains(one) { "only the plan" } else { "only the files" };
            wrong.push(format!("{what}, {name}: {side}: {one}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn plans_of_the_stub_say_what_the_files_say() {
    for version in [Version::Five, Version::Six] {
        let Some(workspace) = Workspace::new(version) else { return };
        // All of them take minutes on a busy machine.
        let is_all = version == Version::Six && tools::required();
        let (modules, least) = if is_all { (modules(), 60) } else { (few(), FEW.len()) };
        let (plan, taken) =
            plan(modules, "", workspace.path(), &|arguments| workspace.output(arguments));
        assert!(taken.len() >= least, "Terraform refuses most examples: {}", taken.len());
        assert_same(&plan, &taken, &format!("{version:?}"));
    }
}

#[test]
fn plans_of_the_real_provider_say_what_the_files_say() {
    if !tools::required() {
        tools::skip(
            "runs the real provider, minutes on a busy machine; RATEWAF_REQUIRE_TOOLS=1 runs it",
        );
        return;
    }
    let Some(program) = tools::find("terraform") else { return };
    let Some(mirror) = tools::aws_provider_mirror() else { return };
    let folder = tempfile::tempdir().unwrap();
    let root = "provider \"aws\" {\n  region = \"us-east-1\"\n  access_key = \"x\"\n  secret_key = \"x\"\n  skip_credentials_validation = true\n  skip_metadata_api_check = true\n  skip_requesting_account_id = true\n}\n";
    let terraform = |arguments: &[&str]| {
        let mut command = tools::terraform(&program, folder.path(), Some(&mirror));
        if arguments[0] == "get" {
            command.args(["init", "-input=false", "-no-color"]).output().unwrap()
        } else {
            command.args(arguments).arg("-no-color").output().unwrap()
        }
    };
    let (plan, taken) = plan(few(), root, folder.path(), &terraform);
    assert!(taken.len() >= FEW.len(), "the provider refuses most examples: {}", taken.len());
    assert_same(&plan, &taken, "real");
}
