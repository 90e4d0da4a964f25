//! Emitted Terraform: golden files, and what Terraform itself says about them.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests")]

mod guard;
pub mod pretended;
pub mod random;
mod refusals;
pub mod samples;
mod schema;
pub mod stub;

use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ratewaf::render::{TerraformOptions, hcl, terraform};
use ratewaf::rules::RuleSet;
use ratewaf::stack::{Origin, Stack};

use crate::tools;

fn emit(set: &RuleSet) -> String {
    try_emit(set).unwrap()
}

pub fn stack(set: &RuleSet) -> Result<Stack, ratewaf::stack::Error> {
    let origin = Origin {
        lines: vec!["From ratewaf.yaml and ratewaf.lock.json.".to_owned()],
        ..Origin::default()
    };
    Stack::new(set, origin)
}

fn try_emit(set: &RuleSet) -> Result<String, String> {
    let stack = stack(set).map_err(|error| error.to_string())?;
    let files =
        terraform(&stack, &TerraformOptions::default()).map_err(|error| error.to_string())?;
    let [(name, text)] = files.as_slice() else { panic!("one file, not {}", files.len()) };
    assert_eq!(name, "waf.tf");
    Ok(text.clone())
}

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/terraform")
}

#[test]
fn golden_files_are_what_is_emitted() {
    for (name, set) in samples::all() {
        let file = golden().join(name).with_extension("tf");
        let text = emit(&set);
        if std::env::var("UPDATE").is_ok_and(|value| value == "1") {
            fs::write(&file, &text).unwrap();
        }
        let committed = fs::read_to_string(&file).unwrap_or_default();
        if let Some(diff) = ratewaf::render::diff(&committed, &text, name) {
            panic!("{}: bless it with UPDATE=1\n{diff}", file.display());
        }
    }
}

#[test]
fn terraform_fmt_has_nothing_to_change() {
    let Some(program) = tools::find("terraform") else { return };
    let folder = tempfile::tempdir().unwrap();
    for (name, set) in samples::all() {
        fs::write(folder.path().join(name).with_extension("tf"), emit(&set)).unwrap();
    }
    let mut command = tools::terraform(&program, folder.path(), None);
    tools::run(command.args(["fmt", "-check", "-diff"]));
}

/// All golden files in one run, each as a module of its own.
#[test]
fn terraform_validates_every_golden_file() {
    let Some(program) = tools::find("terraform") else { return };
    let Some(mirror) = tools::aws_provider_mirror() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut root = String::new();
    for (name, set) in samples::all() {
        fs::create_dir(folder.path().join(name)).unwrap();
        fs::write(folder.path().join(name).join("waf.tf"), emit(&set)).unwrap();
        root.push_str(&format!("module \"{name}\" {{\n  source = \"./{name}\"\n}}\n"));
    }
    // An existing repository: its own Region, a distribution, and the file as a module without a
    // provider of its own, as docs/terraform.md has it.
    fs::create_dir(folder.path().join("inside")).unwrap();
    fs::write(folder.path().join("inside/waf.tf"), as_guest(&emit(&samples::one_route()))).unwrap();
    root.push_str(include_str!("terraform/repository.tf"));
    fs::write(folder.path().join("main.tf"), root).unwrap();
    let terraform = || tools::terraform(&program, folder.path(), Some(&mirror));
    tools::run(terraform().args(["init", "-backend=false", "-input=false", "-no-color"]));
    tools::run(terraform().args(["validate", "-no-color"]));
}

/// The edit that docs/terraform.md asks for in a module.
fn as_guest(text: &str) -> String {
    let docs = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/terraform.md"));
    let docs = docs.unwrap();
    let start = docs.find("   terraform {").unwrap();
    let block = &docs[start..start + docs[start..].find("```").unwrap()];
    let before = text.find("\nterraform {").unwrap();
    let after = text.find("\nlocals {").unwrap();
    format!("{}\n{block}\n{}", &text[..before], &text[after..])
}

#[test]
fn the_docs_show_what_is_emitted() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/terraform.md");
    let docs = fs::read_to_string(docs).unwrap();
    let mut shown = 0;
    for block in docs.split("```hcl golden=").skip(1) {
        let (name, rest) = block.split_once('\n').unwrap();
        let text = &rest[..rest.find("```").unwrap()];
        let golden = fs::read_to_string(golden().join(name).with_extension("tf")).unwrap();
        assert!(golden.contains(text), "not in {name}:\n{text}");
        shown += 1;
    }
    assert!(shown > 0);
}

/// Terraform itself reads each hostile text as that text and runs nothing in it.
#[test]
fn terraform_reads_hostile_text_as_text() {
    let Some(program) = tools::find("terraform") else { return };
    let texts = [
        "${1 + 1}",
        "$${1 + 1}",
        "$$${1 + 1}",
        "%{ if true }a%{ endif }",
        "%%{ if true }a%%{ endif }",
        "$%{ if true }$%${1}{",
        "$$ %% $\" \\${path.module}\\\"",
        "a\nb\r\tc\u{1b}[2J\u{202e}\u{e0001}é",
        "<<EOT\n${path.root}\nEOT\n",
    ];
    let mut file = hcl::Content::default();
    file.block("locals", &[], |locals| {
        locals.attribute("texts", hcl::list(texts.iter().copied().map(hcl::text)));
    });
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("main.tf"), file.to_string()).unwrap();
    let mut command = tools::terraform(&program, folder.path(), None);
    // In base64, as `console` quotes what it prints.
    let printed =
        tools::run_with_input(command.arg("console"), "base64encode(jsonencode(local.texts))\n");
    let json = STANDARD.decode(printed.trim().trim_matches('"')).unwrap();
    let read: Vec<String> = serde_json::from_slice(&json).unwrap();
    assert_eq!(read, texts);
}

/// The real provider creates everything in an emulated account, has nothing to do afterwards, and
/// after a change of one limit updates exactly one resource.
#[test]
fn an_emulated_account_takes_what_is_emitted() {
    if !tools::required() {
        tools::skip(
            "runs the real provider four times, about a minute; RATEWAF_REQUIRE_TOOLS=1 runs it",
        );
        return;
    }
    let Some(program) = tools::find("terraform") else { return };
    let Some(mirror) = tools::aws_provider_mirror() else { return };
    let Some(moto) = tools::Moto::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("waf.tf");
    let terraform = |arguments: &[&str]| {
        let mut command = tools::terraform(&program, folder.path(), Some(&mirror));
        moto.serve(&mut command);
        command.args(arguments).arg("-no-color");
        command
    };
    let mut set = samples::everything();
    let before = emit(&set);
    fs::write(&file, &before).unwrap();
    tools::run(&mut terraform(&["init", "-input=false"]));
    let applied = tools::run(&mut terraform(&["apply", "-auto-approve", "-input=false"]));
    let resources = before.lines().filter(|line| line.starts_with("resource \"")).count();
    let wanted = format!("Resources: {resources} added, 0 changed, 0 destroyed.");
    assert!(resources >= 9 && applied.contains(&wanted), "{wanted}\n{applied}");
    let again = terraform(&["plan", "-input=false", "-detailed-exitcode"]).output().unwrap();
    let text = String::from_utf8_lossy(&again.stdout);
    assert_eq!(again.status.code(), Some(0), "a second plan has changes:\n{text}");

    set.rules[1].limit = ratewaf::units::Limit::new(400).unwrap();
    let changed = emit(&set);
    let lines = before.lines().zip(changed.lines()).filter(|(old, new)| old != new).count();
    assert_eq!((lines, before.lines().count()), (1, changed.lines().count()));
    fs::write(&file, &changed).unwrap();
    tools::run(&mut terraform(&["plan", "-input=false", "-out=plan"]));
    let plan = tools::run(&mut terraform(&["show", "-json", "plan"]));
    let plan: serde_json::Value = serde_json::from_str(&plan).unwrap();
    let changes: Vec<_> = plan["resource_changes"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|change| change["change"]["actions"] != serde_json::json!(["no-op"]))
        .map(|change| (change["address"].as_str().unwrap(), &change["change"]["actions"]))
        .collect();
    let wanted = serde_json::json!(["update"]);
    assert_eq!(changes, [("aws_wafv2_web_acl.prod", &wanted)]);
}
