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

/// A folder with the limits inside the application.
fn written() -> Workspace {
    let workspace = Workspace::new();
    workspace.write("ratewaf.yaml", std::fs::read(repository(POLICY)).unwrap());
    workspace.ok(&["emit", "--layer", "app", "--out", "limits"]);
    workspace
}

const EMIT: [&str; 5] = ["emit", "--layer", "app", "--out", "limits"];

#[test]
fn files_of_a_layer_that_somebody_edited_are_kept() {
    let workspace = written();
    let again = workspace.ok(&EMIT);
    assert_eq!(again.status, 0, "nothing was edited: {}", again.stderr);
    // Another policy, the files as they were written.
    let policy = workspace.read("ratewaf.yaml");
    workspace.write("ratewaf.yaml", policy.replace("limit: 50", "limit: 51"));
    workspace.ok(&EMIT);
    assert!(workspace.read("limits/dynamodb/src/config.ts").contains("limit: 51"));
    let check = ["emit", "--layer", "app", "--check", "limits"];
    // Constant text is theirs: the rest is written, and nothing is behind the policy.
    for name in ["dynamodb/src/limiter.ts", "redis/package.json"] {
        let path = format!("limits/{name}");
        let text = workspace.read(&path);
        workspace.write(&path, format!("{text}\n// Mine.\n"));
        for limit in ["limit: 50", "limit: 53"] {
            workspace.write("ratewaf.yaml", policy.replace("limit: 50", limit));
            let kept = workspace.ok(&EMIT).stderr;
            assert!(kept.contains(&format!("edited and left as it is: `{path}`")), "{kept}");
            assert!(workspace.read("limits/dynamodb/src/config.ts").contains(limit));
            assert!(workspace.read(&path).ends_with("// Mine.\n"), "{name}");
            workspace.ok(&check);
        }
        workspace.ok(&["emit", "--layer", "app", "--out", "limits", "--overwrite"]);
        assert!(!workspace.read(&path).ends_with("// Mine.\n"), "{name}");
    }
    // What comes from the policy is not replaced without a word, whatever the policy says now.
    for limit in ["limit: 53", "limit: 50"] {
        let path = "limits/dynamodb/src/config.ts";
        let text = workspace.read(path);
        workspace.write(path, format!("{text}\n// Mine.\n"));
        let readme = workspace.read("limits/redis/src/config.ts");
        workspace.write("ratewaf.yaml", policy.replace("limit: 50", limit));
        workspace.refused(&EMIT, &["dynamodb/src/config.ts", "--overwrite"]);
        assert!(workspace.read(path).ends_with("// Mine.\n"));
        assert_eq!(workspace.read("limits/redis/src/config.ts"), readme, "nothing was written");
        let checked = workspace.run(&check);
        assert_eq!(checked.status, 1, "{}", checked.stderr);
        let told = format!("edited since ratewaf wrote it: `{path}`; only --overwrite");
        assert!(checked.stderr.contains(&told), "{}", checked.stderr);
        workspace.ok(&["emit", "--layer", "app", "--out", "limits", "--overwrite"]);
        assert!(!workspace.read(path).ends_with("// Mine.\n"));
    }
    // A folder of an older version: only the comment at the top tells.
    std::fs::remove_file(workspace.path().join("limits/.ratewaf-layer.json")).unwrap();
    workspace.write("ratewaf.yaml", policy.replace("limit: 50", "limit: 52"));
    let vectors = workspace.read("limits/dynamodb/src/config.ts");
    workspace.write("limits/dynamodb/src/config.ts", vectors.replace("50", "53"));
    workspace.write("limits/dynamodb/src/turns.ts", "// Mine.\n");
    let refused = workspace.refused(&EMIT, &["dynamodb/src/turns.ts"]);
    assert!(!refused.stderr.contains("config.ts"), "{}", refused.stderr);
}

/// Found by a fresh user: without Redis in the policy, its folder stayed with the old limits and was called up to
/// date.
#[test]
fn a_store_that_the_policy_has_no_more_is_told() {
    let workspace = written();
    let policy = workspace.read("ratewaf.yaml");
    let start = policy.find("    redis:").unwrap();
    let end = start
        + policy[start + 1..].find("\n    dynamodb:").map_or(policy[start..].len(), |end| end + 2);
    let rest = policy.get(end..).unwrap_or_default();
    workspace.write("ratewaf.yaml", format!("{}{rest}", &policy[..start]));
    let written = workspace.ok(&EMIT).stderr;
    assert!(written.contains("no more use for `limits/redis/"), "{written}");
    let checked = workspace.run(&["emit", "--layer", "app", "--check", "limits"]);
    assert_eq!(checked.status, 1, "{}", checked.stderr);
    assert!(checked.stderr.contains("no more use for `limits/redis/"), "{}", checked.stderr);
    std::fs::remove_dir_all(workspace.path().join("limits/redis")).unwrap();
    workspace.ok(&["emit", "--layer", "app", "--check", "limits"]);
}

#[test]
fn what_was_written_is_remembered_in_the_same_bytes() {
    let (one, other) = (written(), written());
    let manifest = one.read("limits/.ratewaf-layer.json");
    assert_eq!(manifest, other.read("limits/.ratewaf-layer.json"));
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["files"].as_object().unwrap().len(), emitted().len());
}

#[test]
fn what_stands_in_the_way_of_a_layer_is_told_before_anything_is_written() {
    let workspace = Workspace::new();
    workspace.write("ratewaf.yaml", std::fs::read(repository(POLICY)).unwrap());
    std::fs::create_dir_all(workspace.path().join("folder/redis/package.json")).unwrap();
    workspace.write("file/redis/src", "");
    std::fs::create_dir_all(workspace.path().join("pipe/redis/src")).unwrap();
    let pipe = workspace.path().join("pipe/redis/src/config.ts");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for (folder, wrong) in [
        ("folder", "`folder/redis/package.json` is no file"),
        ("file", "`file/redis/src` is no folder"),
        ("pipe", "`pipe/redis/src/config.ts` is no file"),
    ] {
        workspace
            .refused(&["emit", "--layer", "app", "--out", folder], &[wrong, "nothing was written"]);
        assert_eq!(Workspace::names_of(&workspace.path().join(folder)), ["redis"]);
    }
    // Nor is a pipe read to compare it.
    workspace.ok(&EMIT);
    let config = workspace.path().join("limits/redis/src/config.ts");
    std::fs::remove_file(&config).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&config).status().unwrap().success());
    workspace.refused(&["emit", "--layer", "app", "--check", "limits"], &["config.ts` is no file"]);
}
