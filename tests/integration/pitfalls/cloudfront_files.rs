//! Files: compression, headers, damage, dates, folders.

use ratewaf::logs::{Error, Options};

use super::{SEVEN, count, fixture, read, read_with};
use crate::harness::{HEADER, Workspace};

#[test]
fn pitfall_06_header_lines_are_no_requests_and_no_bad_lines() {
    assert_eq!(read("06-headers-in-the-middle.log").len(), 3);
}

#[test]
fn pitfall_07_a_file_of_two_comment_lines_is_no_fault() {
    let (rows, report) = read_with("07-comments-only.log", Options::default());
    assert_eq!((rows.len(), report.unwrap().skipped.len()), (0, 0));
}

#[test]
fn pitfall_09_folders_of_small_files_are_one_log() {
    let counts = count("09-many-files", "GET /a");
    assert_eq!((counts.coverage.files, counts.coverage.lines), (6, 6));
}

#[test]
fn pitfall_26_every_member_of_a_gzip_file_is_read() {
    assert_eq!(read("26-two-members.gz").len(), 3);
}

#[test]
fn pitfall_27_a_gzip_file_that_is_cut_off_is_told() {
    let (_, report) = read_with("27-cut-off.gz", Options::default());
    assert!(matches!(report, Err(Error::Damaged { .. })), "{report:?}");
    let kept = Options { keep_going: true, ..Options::default() };
    let (rows, report) = read_with("27-cut-off.gz", kept);
    assert!(!rows.is_empty() && report.unwrap().partial.is_some());
}

#[test]
fn pitfall_28_compression_is_told_by_the_bytes_not_by_the_name() {
    let counts = count("28-packed", "GET /a");
    assert_eq!((counts.coverage.files, counts.coverage.lines), (2, 2));
}

#[test]
fn pitfall_29_the_content_tells_the_format_and_bad_lines_do_not_end_the_run() {
    let counts = count("29-bad-lines", "GET /a");
    assert_eq!((counts.coverage.lines, counts.coverage.skipped_lines()), (10, 9));
    let (_, skipped, all) = &counts.coverage.doubtful_files[0];
    assert_eq!((*skipped, *all), (9, 19));
}

#[test]
fn pitfall_30_lines_that_cannot_be_read_are_counted_and_too_many_are_a_failure() {
    let workspace = Workspace::new();
    let log = fixture("30-five-percent-damaged.log");
    let shown = workspace.ok(&["analyze", &log, "--route", "GET /a", "--no-write"]);
    assert!(shown.stdout.contains("skipped 10 lines: too few columns"), "{}", shown.stdout);
    let log = fixture("30-sixty-percent-damaged.log");
    workspace.refused(
        &["analyze", &log, "--route", "GET /a"],
        &["120 of 200 lines cannot be read", "line 3", "hint"],
    );
}

#[test]
fn pitfall_31_the_time_of_a_record_counts_not_that_of_its_file() {
    let counts = count("31-next-hour", "GET /a");
    let hours: Vec<i64> = counts.coverage.hours.keys().copied().collect();
    assert_eq!(hours, [SEVEN / 3_600, SEVEN / 3_600 + 1]);
}

#[test]
fn pitfall_32_files_that_come_late_are_read_with_the_others() {
    // There is no cursor: the second run reads everything, and says what one run over all says.
    let workspace = Workspace::new();
    let late = |name: &str, from: &str| {
        let text = std::fs::read_to_string(fixture(from)).unwrap();
        workspace.write(name, text);
    };
    let analyze = |folder: &str| {
        let all = ["analyze", folder, "--route", "GET /a", "--no-write", "--format", "json"];
        workspace.ok(&all).stdout
    };
    let first = "32-late/first/E2EXAMPLE1.2026-09-08-07.aaaa0001.log";
    let second = "32-late/late/E2EXAMPLE1.2026-09-08-07.bbbb0002.log";
    late("logs/a.log", first);
    let before = analyze("logs");
    late("logs/b.log", second);
    let after = analyze("logs");
    late("all/x.log", second);
    late("all/y.log", first);
    assert_ne!(before, after);
    assert_eq!(after, analyze("all"));
}

#[test]
fn pitfall_33_a_log_of_the_last_day_may_not_be_whole() {
    let workspace = Workspace::new();
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    for (ago, warned) in [(3_600, true), (30 * 3_600, false)] {
        let ended = ratewaf::units::Timestamp((now - ago) as i64).to_string();
        let (date, time) = (&ended[..10], &ended[11..19]);
        let text = format!(
            "#Fields: date time c-ip cs-uri-stem cs-method\n{date}\t{time}\t192.0.2.1\t/a\tGET\n"
        );
        workspace.write("now.log", text);
        let shown = workspace.ok(&["analyze", "now.log", "--route", "GET /a", "--no-write"]);
        let found = shown.stderr.contains("up to 24 hours late");
        assert_eq!(found, warned, "{}", shown.stderr);
    }
}

#[test]
fn pitfall_34_several_distributions_in_one_folder_are_told() {
    let workspace = Workspace::new();
    let log = fixture("34-distributions");
    let shown = workspace.ok(&["analyze", &log, "--route", "GET /a", "--no-write"]);
    let text = "logs of 2 distributions (E1EXAMPLEAAAA1, E2EXAMPLEBBBB2)";
    assert!(shown.stderr.contains(text), "{}", shown.stderr);
    let log = fixture("04-mixed-week");
    let shown = workspace.ok(&["analyze", &log, "--route", "GET /a", "--no-write"]);
    assert!(!shown.stderr.contains("distributions"), "{}", shown.stderr);
}

#[test]
fn pitfall_46_ten_thousand_bad_lines_are_one_warning() {
    let workspace = Workspace::new();
    let log = fixture("46-ten-thousand-bad-lines.log.gz");
    let shown = workspace.ok(&["analyze", &log, "--route", "GET /a", "--no-write"]);
    assert!(shown.stderr.contains("skipped 10,000 lines"), "{}", shown.stderr);
    assert!(shown.stderr.lines().count() < 12, "{}", shown.stderr);
}

#[test]
fn pitfall_48_hours_without_a_line_are_told() {
    let workspace = Workspace::new();
    let log = fixture("48-half-of-each-day.log");
    let shown = workspace.ok(&["analyze", &log, "--route", "GET /a", "--no-write"]);
    assert!(shown.stdout.contains("36 of 60 hours"), "{}", shown.stdout);
}

#[test]
fn pitfall_50_a_header_in_each_file_makes_no_rows() {
    let counts = count("50-a-header-in-each-file", "GET /a");
    assert_eq!((counts.coverage.lines, counts.coverage.skipped_lines()), (2, 0));
    assert!(HEADER.starts_with('#'));
}

#[test]
fn pitfall_51_a_log_of_another_service_is_refused_by_name() {
    let workspace = Workspace::new();
    let log = fixture("51-s3-access.log");
    workspace.refused(&["analyze", &log], &["is an S3 server access log", "hint"]);
}
