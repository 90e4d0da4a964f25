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

#[cfg(unix)]
#[test]
fn pipes_and_devices_that_match_a_pattern_are_not_waited_for() {
    let workspace = Workspace::new();
    workspace.write("a.log", format!("{HEADER}{}", line(1, "192.0.2.1", "/a")));
    let made = std::process::Command::new("mkfifo").arg(workspace.path().join("pipe.log")).status();
    assert!(made.unwrap().success());
    workspace.ok(&["analyze", "*.log", "--route", "GET /a", "--no-write"]);
    workspace.refused(&["analyze", "/dev/z*"], &["no file matches `/dev/z*`"]);
}

#[cfg(unix)]
#[test]
fn a_device_that_never_ends_is_no_log() {
    let workspace = Workspace::new();
    let texts = ["`/dev/zero` line 1 has no end in its first 1 GB", "no log"];
    workspace.refused(&["analyze", "/dev/zero"], &texts);
}

#[test]
fn utf16_and_carriage_returns_are_named() {
    let workspace = Workspace::new();
    let text = format!("{HEADER}{}", line(1, "192.0.2.1", "/a"));
    let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    workspace.write("wide.log", [b"\xff\xfe".as_slice(), &wide].concat());
    workspace.refused(&["analyze", "wide.log"], &["`wide.log` is UTF-16 text", "save it as UTF-8"]);
    workspace.write("returns.log", text.replace('\n', "\r"));
    let texts = ["`returns.log` is text whose lines end in carriage returns only", "hint:"];
    workspace.refused(&["analyze", "returns.log"], &texts);
}

#[test]
fn damage_in_a_header_is_told_as_damage() {
    let workspace = Workspace::new();
    let text = format!("{HEADER}{}", line(1, "192.0.2.1", "/a").repeat(9));
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    std::io::Write::write_all(&mut encoder, text.as_bytes()).unwrap();
    let mut packed = encoder.finish().unwrap();
    let place = packed.windows(4).position(|word| word == b"c-ip").unwrap();
    packed[place] ^= 1;
    workspace.write("flipped.gz", packed);
    workspace.refused(&["analyze", "flipped.gz"], &["`flipped.gz` is damaged"]);
}
