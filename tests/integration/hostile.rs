//! Logs, files and machines that mean no good: the run ends, and says what is wrong.

use crate::harness::{HEADER, Workspace, gzip, line, program};

/// More requests than a survey keeps in memory.
fn large_log() -> Vec<u8> {
    let mut text = b"#Fields: date time c-ip cs-method cs-uri-stem\n".to_vec();
    for _ in 0..560_000 {
        text.extend_from_slice(b"2026-09-08\t00:00:01\t192.0.2.1\tGET\t/a\n");
    }
    gzip(&text)
}

#[test]
fn a_full_temporary_disk_ends_the_survey_at_once() {
    let workspace = Workspace::new();
    workspace.write("a.gz", large_log());
    let mut command = program(workspace.path());
    let output =
        command.args(["analyze", "a.gz"]).env("TMPDIR", "/nowhere/at/all").output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(output.stdout.is_empty());
    assert!(stderr.contains("`/nowhere/at/all`") && stderr.contains("TMPDIR"), "{stderr}");
}

#[test]
fn more_threads_than_anybody_has_are_no_fault() {
    let workspace = Workspace::new();
    workspace.write("logs/a.log", format!("{HEADER}{}", line(1, "192.0.2.1", "/a")));
    workspace.write("logs/b.log", format!("{HEADER}{}", line(1, "192.0.2.2", "/a")));
    workspace.ok(&["analyze", "logs", "--route", "GET /a", "--no-write", "--threads", "1024"]);
}
