//! Every kind of bad input: one clear error with the file, the fault and the way out, exit code 2, and
//! nothing written.

use crate::harness::{HEADER, Workspace, gzip, line};

fn log(lines: u32) -> String {
    let body: String = (0..lines).map(|number| line(number * 7, "192.0.2.1", "/token")).collect();
    format!("{HEADER}{body}")
}

/// Refused, and no policy or lock appears.
fn refused(workspace: &Workspace, arguments: &[&str], texts: &[&str]) {
    let before = workspace.names();
    let mut all = vec!["analyze", "--route", "GET /token"];
    all.extend(arguments);
    workspace.refused(&all, texts);
    assert_eq!(workspace.names(), before);
}

#[test]
fn nothing_there() {
    let workspace = Workspace::new();
    refused(&workspace, &["logs"], &["there is no file or folder `logs`"]);
    refused(&workspace, &["*.gz"], &["no file matches `*.gz`"]);
    refused(&workspace, &["[x"], &["`[x` is no file pattern"]);
}

#[test]
fn a_folder_without_logs() {
    let workspace = Workspace::new();
    workspace.write("logs/truth.json", "{}");
    refused(&workspace, &["logs"], &["there is no log file in `logs`", "only 1 file", "hint:"]);
}

#[test]
fn a_file_that_may_not_be_read_or_is_no_file() {
    let workspace = Workspace::new();
    refused(&workspace, &["/dev/null/x"], &["/dev/null/x"]);
    refused(&workspace, &["/dev/null"], &["not one request"]);
}

#[test]
fn no_request_at_all() {
    let workspace = Workspace::new();
    workspace.write("a.log", HEADER);
    refused(&workspace, &["a.log"], &["there is not one request in 1 file", "hint:"]);
}

#[test]
fn a_truncated_gzip() {
    let workspace = Workspace::new();
    let packed = gzip(log(3_000).as_bytes());
    workspace.write("cut.gz", &packed[..packed.len() / 2]);
    workspace.write("good.gz", gzip(log(10).as_bytes()));
    refused(&workspace, &["."], &["`./cut.gz` is damaged", "--keep-going"]);
    let kept =
        workspace.ok(&["analyze", "--route", "GET /token", ".", "--keep-going", "--no-write"]);
    assert!(kept.stderr.contains("cut.gz was read in part"), "{}", kept.stderr);
    assert!(
        kept.stdout.contains("partial-log") || kept.stdout.contains("in part"),
        "{}",
        kept.stdout
    );
}

#[test]
fn a_gzip_with_wrong_data() {
    let workspace = Workspace::new();
    let mut packed = gzip(log(3_000).as_bytes());
    let middle = packed.len() / 2;
    packed[middle..middle + 8].copy_from_slice(&[0xff; 8]);
    workspace.write("wrong.gz", packed);
    refused(&workspace, &["wrong.gz"], &["`wrong.gz` is damaged"]);
}

#[test]
fn a_gzip_bomb() {
    let workspace = Workspace::new();
    let mut text = HEADER.as_bytes().to_vec();
    text.resize(80 << 20, b'\n');
    workspace.write("bomb.gz", gzip(&text));
    refused(&workspace, &["bomb.gz"], &["`bomb.gz` unpacks to more than 200 times", "--max-ratio"]);
}

#[test]
fn other_kinds_of_logs() {
    let workspace = Workspace::new();
    let owner = "79a59df900b949e55d96a1e698fbacedfd6e09d98eacf8f8d5218e7cd47ef2be";
    for (text, what) in [
        ("#Version: 1.0\n#Fields: date time x-edge-location c-ip x-event sc-bytes x-cf-status\nx\n".to_owned(), "an RTMP streaming log"),
        (format!("{owner} bucket [06/Feb/2026:00:00:38 +0000] 192.0.2.3 - 3E57 REST.GET.OBJECT x\n"), "an S3 server access log"),
    ] {
        workspace.write("foreign.log", text);
        refused(&workspace, &["foreign.log"], &["`foreign.log` is", what, "hint:"]);
    }
}

#[test]
fn columns_that_cannot_be_told() {
    let workspace = Workspace::new();
    workspace.write("bare.log", "2026-09-08\t00:00:01\t192.0.2.1\t/token\n");
    refused(&workspace, &["bare.log"], &["`bare.log` line 1", "no `#Fields:` line", "--fields"]);
    refused(&workspace, &["bare.log", "--fields", "a b"], &["--fields", "names no field"]);
}

#[test]
fn a_field_that_is_needed() {
    let workspace = Workspace::new();
    for field in ["c-ip", "date", "time", "cs-uri-stem", "cs-method"] {
        let text = log(3).replace(&format!(" {field} "), " other ").replace(
            "#Fields: date",
            &format!("#Fields: {}", if field == "date" { "other" } else { "date" }),
        );
        workspace.write("lacking.log", text);
        refused(
            &workspace,
            &["lacking.log"],
            &["`lacking.log` line 2", &format!("no `{field}` column"), "hint:"],
        );
    }
    workspace.write("hostless.log", log(3).replace(" x-host-header ", " other "));
    refused(
        &workspace,
        &["hostless.log", "--route", "GET shop.example/token"],
        &["no `x-host-header` column"],
    );
}

#[test]
fn mostly_unreadable_lines() {
    let workspace = Workspace::new();
    workspace.write("noise.log", format!("{}{}", log(4), "noise\n".repeat(6)));
    refused(
        &workspace,
        &["noise.log"],
        &["`noise.log`: 6 of 10 lines cannot be read", "too few columns", "line 7"],
    );
}

#[test]
fn some_unreadable_lines_are_a_warning_with_an_example() {
    let workspace = Workspace::new();
    workspace.write("some.log", format!("{}{}", log(90), "noise\n".repeat(10)));
    let outcome = workspace.ok(&["analyze", "--route", "GET /token", "some.log", "--no-write"]);
    assert!(outcome.stderr.contains("10 of 100 lines (10 %) were skipped"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("too few columns (first: some.log:93)"), "{}", outcome.stderr);
}

#[test]
fn a_line_over_a_megabyte_is_skipped_and_counted() {
    let workspace = Workspace::new();
    let long = line(1, "192.0.2.1", &"x".repeat(2 << 20));
    workspace.write("long.log", format!("{}{long}", log(30)));
    let outcome = workspace.ok(&["analyze", "--route", "GET /token", "long.log", "--no-write"]);
    assert!(
        outcome.stderr.contains("skipped 1 line: line over 1 MB (first: long.log:33)"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn routes_that_are_none() {
    let workspace = Workspace::new();
    workspace.write("a.log", log(3));
    for (route, text) in [
        ("token", "has no path"),
        ("GET /a?b", "without the query"),
        ("G T /a", "is no method"),
        ("GET ~(", "is no regular expression"),
        ("GET ~^/API", "capital letter"),
    ] {
        workspace.refused(&["analyze", "a.log", "--route", route], &[text]);
    }
}

#[test]
fn labels_that_are_none() {
    let workspace = Workspace::new();
    workspace.write("a.log", log(3));
    refused(
        &workspace,
        &["a.log", "--good", "office"],
        &["`office` is neither a CIDR nor a network", "hint:"],
    );
}

#[test]
fn hostile_names_and_lines_reach_no_terminal_raw() {
    let workspace = Workspace::new();
    workspace.write(
        "a\u{1b}[2J.log",
        format!("{HEADER}{}", line(1, "\u{1b}[31mclient", "/token").repeat(30)),
    );
    let outcome =
        workspace.ok(&["analyze", "--route", "GET /token", ".", "--no-write", "-v", "--no-dedupe"]);
    assert!(
        !outcome.stdout.contains('\u{1b}') && !outcome.stderr.contains('\u{1b}'),
        "{}",
        outcome.stdout
    );
    assert!(outcome.stdout.contains("\\u{1b}[31mclient"), "{}", outcome.stdout);
}
