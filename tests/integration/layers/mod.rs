//! The layers behind AWS WAF: what is emitted, and what the tools make of it.

mod advice;
mod edge;
mod gateway;
mod infrastructure;
mod node;

use ratewaf::policy::Policy;
use ratewaf::render::layers::app;

use crate::golden;
use crate::harness::{Workspace, repository};

const POLICY: &str = "tests/fixtures/policies/good/layers.yaml";

/// What the fixture's policy becomes.
fn emitted() -> Vec<(String, String)> {
    let text = std::fs::read_to_string(repository(POLICY)).unwrap();
    app(&Policy::parse(&text, "ratewaf.yaml").unwrap())
}

fn text_of(files: &[(String, String)], name: &str) -> String {
    files.iter().find(|(own, _)| own == name).unwrap().1.clone()
}

#[test]
fn generated_files_are_golden() {
    let files = emitted();
    for (name, text) in &files {
        // What is no asset is generated.
        let (store, rest) = name.split_once('/').unwrap();
        let is_asset = ["shared", store]
            .iter()
            .any(|folder| repository(&format!("assets/layers/app/{folder}/{rest}")).is_file());
        if is_asset {
            continue;
        }
        golden::check(&format!("tests/golden/layers/app/{name}"), text);
    }
}

#[test]
fn a_layer_is_written_into_a_folder_and_compared_with_it() {
    let workspace = Workspace::new();
    workspace.write("ratewaf.yaml", std::fs::read(repository(POLICY)).unwrap());
    // Neither a lock nor the folder is there.
    workspace.ok(&["emit", "--layer", "app", "--out", "limits"]);
    for (name, text) in emitted() {
        assert_eq!(workspace.read(&format!("limits/{name}")), text, "{name}");
    }
    let again = workspace.ok(&["emit", "--layer", "app", "--check", "limits"]);
    assert!(again.stderr.contains("is up to date"), "{}", again.stderr);
    let config = workspace.read("limits/dynamodb/src/config.ts");
    workspace.write("limits/dynamodb/src/config.ts", config.replace("50", "5000"));
    let found = workspace.run(&["emit", "--layer", "app", "--check", "limits"]);
    assert_eq!(found.status, 1);
    assert!(found.stdout.contains("-      limit: 5000,"), "{}", found.stdout);
    assert!(
        found.stderr.contains("ratewaf emit --layer app --out limits/ writes it"),
        "{}",
        found.stderr
    );
}

#[test]
fn an_environment_has_its_own_table() {
    let workspace = Workspace::new();
    let mut text = std::fs::read_to_string(repository(POLICY)).unwrap();
    text.push_str("environments:\n  stage: { name: stage }\n");
    workspace.write("ratewaf.yaml", text);
    workspace.ok(&["emit", "--layer", "app", "--env", "stage", "--out", "limits/"]);
    let config = workspace.read("limits/dynamodb/src/config.ts");
    assert!(config.contains("table: 'stage-limits'"), "{config}");
}

#[test]
fn what_cannot_be_emitted_is_refused() {
    let workspace = Workspace::new();
    workspace.write("file", "");
    workspace.write("ratewaf.yaml", std::fs::read(repository(POLICY)).unwrap());
    let emit = |more: &[&'static str]| [&["emit", "--layer", "app"], more].concat();
    workspace.refused(&emit(&[]), &["a layer is a folder of files", "--out DIR/"]);
    workspace.refused(&emit(&["--out", "file"]), &["file is a file", "--out DIR/"]);
    workspace.refused(&emit(&["--out", "a", "--format", "cdk"]), &["cannot be used with"]);
    workspace.refused(
        &["emit", "--layer", "moat", "--out", "a"],
        &["possible values: app, edge, gateway"],
    );
    let plain = "version: 1\nname: acl\nweb_acl: { create: prod }\nroutes: []\n";
    workspace.write("ratewaf.yaml", plain);
    workspace.refused(&emit(&["--out", "a"]), &["ratewaf.yaml has no `layers.app`", "hint:"]);
    assert_eq!(workspace.names(), ["file", "ratewaf.yaml"]);
}
