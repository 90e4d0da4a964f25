//! `--from` and `--to`, on this machine as in S3.

use super::analyze;
use crate::harness::{HEADER, Workspace, line};

const NOWHERE: &str = "http://127.0.0.1:9";

#[test]
fn the_first_second_counts_and_the_last_does_not() {
    let workspace = Workspace::new();
    let text: String = [0, 3_599, 3_600, 7_199, 7_200]
        .into_iter()
        .map(|second| line(second, "192.0.2.7", "/token"))
        .collect();
    workspace.write("a.log", format!("{HEADER}{text}"));
    let read = |arguments: &[&str]| {
        let all = [&["a.log", "--format", "json", "--no-write"], arguments].concat();
        let outcome = analyze(&workspace, NOWHERE, &all);
        assert_eq!(outcome.status, 0, "{}", outcome.stderr);
        let json: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
        json["coverage"].clone()
    };
    let hour = read(&["--from", "2026-09-08T01", "--to", "2026-09-08T02:00Z"]);
    assert_eq!(hour["lines"], 2);
    assert_eq!(hour["first"], "2026-09-08T01:00:00Z");
    assert_eq!(hour["last"], "2026-09-08T01:59:59Z");
    assert_eq!(hour["from"], "2026-09-08T01:00:00Z");
    assert_eq!(hour["to"], "2026-09-08T02:00:00Z");
    assert_eq!(read(&["--to", "2026-09-08T01:00"])["lines"], 2);
    assert_eq!(read(&["--from", "2026-09-08T02"])["lines"], 1);
    let all = read(&[]);
    assert_eq!((all["lines"].clone(), all["from"].clone()), (5.into(), serde_json::Value::Null));

    // The lock says it, too, and the text.
    let arguments = ["a.log", "--from", "2026-09-08T01", "--to", "2026-09-09"];
    let outcome = analyze(&workspace, NOWHERE, &arguments);
    let asked = "only from 2026-09-08T01:00:00Z to before 2026-09-09T00:00:00Z";
    let words = outcome.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(asked), "{}", outcome.stdout);
    let lock: serde_json::Value =
        serde_json::from_str(&workspace.read("ratewaf.lock.json")).unwrap();
    assert_eq!(lock["inputs"]["from"], "2026-09-08T01:00:00Z");
    assert_eq!(lock["inputs"]["lines"], 3);
}

#[test]
fn files_of_other_days_are_not_opened() {
    let workspace = Workspace::new();
    workspace.write(
        "logs/E1.2026-09-08-07.aaaaaaaa",
        format!("{HEADER}{}", line(7, "192.0.2.7", "/token")),
    );
    workspace.write("logs/E1.2026-08-08-07.aaaaaaaa", "{\"no\": \"log\"}");
    let outcome =
        analyze(&workspace, NOWHERE, &["logs", "--from", "2026-09-08", "-v", "--no-write"]);
    assert_eq!(outcome.status, 0, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("1 file is of other days by name, and not opened"));
    super::refused(
        &workspace,
        NOWHERE,
        &["logs", "--from", "2027-01-01"],
        &["all 2 files are of other days"],
    );
    let log = format!("{HEADER}{}", line(7, "192.0.2.7", "/token"));
    workspace.write("plain.log", log);
    super::refused(
        &workspace,
        NOWHERE,
        &["plain.log", "--to", "2026-09-08"],
        &["not one of the 1 request in 1 file is of that time", "UTC"],
    );
}

#[test]
fn dates_are_checked() {
    let workspace = Workspace::new();
    for (arguments, text) in [
        (&["x", "--from", "2026-02-30"][..], "`2026-02-30` is no date; write one like 2026-09-08"),
        (&["x", "--to", "yesterday"], "`yesterday` is no date"),
        (
            &["x", "--from", "2026-09-08", "--to", "2026-09-08"],
            "nothing lies from 2026-09-08T00:00:00Z to before",
        ),
        (&["x", "--cache", "a", "--no-cache"], "cannot be used with"),
    ] {
        super::refused(&workspace, NOWHERE, arguments, &[text]);
    }
}
