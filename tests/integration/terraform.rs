//! Emitted Terraform: golden files, and what Terraform itself says about them.

mod samples;

use std::fs;
use std::path::{Path, PathBuf};

use ratewaf::render::{Header, terraform};
use ratewaf::rules::RuleSet;

use crate::tools;

fn emit(set: &RuleSet) -> String {
    let header = Header { origin: vec!["From ratewaf.yaml and ratewaf.lock.json.".to_owned()] };
    let files = terraform(set, &header).unwrap();
    let [(name, text)] = files.as_slice() else { panic!("one file, not {}", files.len()) };
    assert_eq!(name, "waf.tf");
    text.clone()
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
    let mut command = tools::terraform(&program, folder.path(), None);
    tools::run(command.args(["fmt", "-check", "-diff"]).arg(golden()));
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
    fs::write(folder.path().join("main.tf"), root).unwrap();
    let terraform = || tools::terraform(&program, folder.path(), Some(&mirror));
    tools::run(terraform().args(["init", "-backend=false", "-input=false", "-no-color"]));
    tools::run(terraform().args(["validate", "-no-color"]));
}
