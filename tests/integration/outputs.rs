//! Where results go: whole or not at all, and never over something else. Found by a hostile tester.

use std::process::Stdio;

use crate::harness::{HEADER, Workspace, line, program, scenario};

const ROUTE: [&str; 2] = ["--route", "GET /partner/v1/stock"];

fn analyze<'a>(logs: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec!["analyze", logs];
    arguments.extend(ROUTE);
    arguments.extend(more);
    arguments
}

#[test]
fn a_device_is_written_not_replaced() {
    let workspace = Workspace::new();
    let logs = scenario("twelve-clients");
    let shown = workspace.ok(&analyze(&logs, &["--no-write"])).stdout;
    let outcome = workspace.ok(&analyze(&logs, &["--no-write", "--out", "/dev/stdout"]));
    assert_eq!(outcome.stdout, shown);
    std::os::unix::fs::symlink("/dev/full", workspace.path().join("full")).unwrap();
    workspace.refused(&analyze(&logs, &["--no-write", "--out", "full"]), &["cannot write full"]);
    let pipe = workspace.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::read_to_string(pipe).unwrap()
    });
    workspace.ok(&analyze(&logs, &["--no-write", "--out", "pipe"]));
    assert_eq!(reader.join().unwrap(), shown);
    assert!(!std::fs::metadata(pipe).unwrap().is_file());
}

#[test]
fn no_output_may_be_another_file_of_the_run() {
    let workspace = Workspace::new();
    let logs = scenario("twelve-clients");
    workspace.write("mine.log", format!("{HEADER}{}", line(1, "192.0.2.1", "/partner/v1/stock")));
    for (arguments, text) in [
        (
            analyze(&logs, &["--policy", "p.yaml", "--lock", "p.yaml"]),
            "the lock and the policy would be one file",
        ),
        (
            analyze(&logs, &["--policy", "p.yaml", "--out", "./p.yaml"]),
            "--out and the policy would be one file",
        ),
        (analyze(&logs, &["--out", "ratewaf.lock.json"]), "--out and the lock would be one file"),
        (
            analyze("mine.log", &["--no-write", "--out", "mine.log"]),
            "`mine.log` is one of the logs",
        ),
        (vec!["emit", "--out", "ratewaf.yaml"], "--out and the policy would be one file"),
    ] {
        workspace.refused(&arguments, &[text, "hint:"]);
        assert_eq!(workspace.names(), ["mine.log"], "{arguments:?}");
    }
}

#[test]
fn after_a_failure_nothing_was_written() {
    let logs = scenario("twelve-clients");
    let workspace = Workspace::new();
    std::fs::create_dir(workspace.path().join("ratewaf.lock.json")).unwrap();
    workspace.refused(&analyze(&logs, &[]), &["cannot write ratewaf.lock.json", "it is a folder"]);
    assert_eq!(workspace.names(), ["ratewaf.lock.json"]);

    let workspace = Workspace::new();
    workspace
        .refused(&analyze(&logs, &["--out", "/tmp"]), &["cannot write /tmp", "it is a folder"]);
    workspace.refused(&analyze(&logs, &["--lock", "no/lock.json"]), &["there is no such folder"]);
    assert_eq!(workspace.names(), Vec::<String>::new());

    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let status = program(workspace.path())
        .args(analyze(&logs, &[]))
        .stdout(full)
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(2));
    assert_eq!(workspace.names(), Vec::<String>::new());
}

#[test]
fn names_of_files_cannot_forge_a_line() {
    let workspace = Workspace::new();
    workspace.write("a\nwarning: forged.log", "x\n");
    let outcome = workspace.run(&["analyze", "a\nwarning: forged.log"]);
    assert!(
        !outcome.stderr.lines().any(|line| line.starts_with("warning: forged")),
        "{}",
        outcome.stderr
    );
    for arguments in [
        vec!["emit", "--policy", "d\nwarning: forged"],
        vec!["analyze", "x", "--window", "9\u{202e}0"],
        vec!["analyze", "x\nwarning: forged"],
        vec!["emit", "--nothing\u{1b}[2J"],
    ] {
        let outcome = workspace.run(&arguments);
        assert_eq!(outcome.status, 2);
        let foreign = |character: char| matches!(character, '\u{1b}' | '\u{202e}');
        assert!(!outcome.stderr.contains(foreign), "{:?}", outcome.stderr);
        assert!(
            !outcome.stderr.lines().any(|line| line.starts_with("warning: forged")),
            "{}",
            outcome.stderr
        );
    }
}

#[test]
fn a_dangling_link_is_written_through() {
    let workspace = Workspace::new();
    let logs = scenario("twelve-clients");
    for name in ["ratewaf.yaml", "ratewaf.lock.json"] {
        std::os::unix::fs::symlink(format!("real-{name}"), workspace.path().join(name)).unwrap();
    }
    workspace.ok(&analyze(&logs, &[]));
    assert!(workspace.read("real-ratewaf.yaml").contains("partner"));
    assert!(workspace.read("real-ratewaf.lock.json").contains("partner"));
}

#[test]
fn a_file_that_is_no_lock_is_not_replaced_by_one() {
    let workspace = Workspace::new();
    let logs = scenario("twelve-clients");
    for (name, text) in [
        ("waf.tf", "resource \"aws_wafv2_web_acl\" \"this\" {}\n"),
        ("template.json", "{\"Resources\": {}}"),
        ("notes.md", "# Notes\n"),
    ] {
        workspace.write(name, text);
        workspace.refused(&analyze(&logs, &["--lock", name]), &[name, "is no lock of ratewaf"]);
        assert_eq!(workspace.read(name), text);
        assert!(!workspace.names().contains(&"ratewaf.yaml".to_owned()));
    }
    workspace.write("empty.lock.json", "");
    workspace.ok(&analyze(&logs, &["--lock", "empty.lock.json"]));
    // An older one, also a damaged one, is replaced.
    let lock = workspace.read("empty.lock.json");
    workspace.write("empty.lock.json", &lock[..lock.len() / 2]);
    // Beside a policy a run for a route only looks.
    std::fs::remove_file(workspace.path().join("ratewaf.yaml")).unwrap();
    workspace.ok(&analyze(&logs, &["--lock", "empty.lock.json"]));
    assert_eq!(workspace.read("empty.lock.json"), lock);
}

#[test]
fn a_result_does_not_replace_configuration() {
    let workspace = Workspace::new();
    let logs = scenario("twelve-clients");
    workspace.ok(&analyze(&logs, &[]));
    workspace.ok(&["emit", "--out", "infra/"]);
    let files = [
        ("waf.yaml", "Resources: {}\n"),
        ("acl.json", "{\"Rules\": []}"),
        ("package.json", "{\"version\": \"1.0.0\"}"),
    ];
    let replay = |out| vec!["replay", &logs, "--rules", "infra", "--out", out];
    let explain = |out| vec!["explain", "192.0.2.1", &logs, "--rules", "infra", "--out", out];
    let report = |out| vec!["report", &logs, "--out", out];
    let analyse = |out| analyze(&logs, &["--no-write", "--out", out]);
    for (name, text) in files {
        workspace.write(name, text);
        for arguments in [
            replay(name),
            explain(name),
            report(name),
            analyse(name),
            vec!["layers", "--out", name],
            vec!["check", "infra", "--out", name],
        ] {
            workspace.refused(&arguments, &[name, "is no result of ratewaf"]);
            assert_eq!(workspace.read(name), text);
        }
    }
    // What a folder of rules holds is read the next time.
    for arguments in
        [replay("infra/new.tf"), explain("infra/new.tf"), vec!["layers", "--out", "infra/new.tf"]]
    {
        workspace.refused(&arguments, &["infra/new.tf", "would be read as Terraform"]);
    }
    assert!(!workspace.path().join("infra/new.tf").exists());
    // Its own results are replaced.
    for arguments in [
        vec!["layers", "--format", "json", "--out", "result.json"],
        vec!["check", "infra", "--format", "sarif", "--fail-on", "never", "--out", "result.json"],
        vec!["check", "infra", "--format", "json", "--fail-on", "never", "--out", "result.json"],
        vec!["replay", &logs, "--format", "json", "--out", "result.json"],
        vec!["layers", "--format", "json", "--out", "result.json"],
    ] {
        let outcome = workspace.run(&arguments);
        assert!(outcome.status < 2, "{arguments:?}: {}", outcome.stderr);
    }
}
