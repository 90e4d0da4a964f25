use std::io;

use super::*;

#[derive(Debug, thiserror::Error)]
#[error("cannot read {0}")]
struct Unreadable(&'static str, #[source] io::Error);

/// A stream that fails in one way.
struct Failing(io::ErrorKind);

impl Write for Failing {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(self.0.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn data_and_words_go_their_own_ways() {
    let (ui, out, words) = Ui::captured();
    ui.write_data("{}\n").unwrap();
    ui.warn("two\nlines of \u{1b}[2Jlog");
    ui.note("wrote waf.tf");
    ui.detail("read 3 files");
    assert_eq!(out.text(), "{}\n");
    assert_eq!(words.text(), "warning: two\nlines of \\u{1b}[2Jlog\nwrote waf.tf\nread 3 files\n");
}

#[test]
fn quiet_keeps_warnings_and_errors() {
    let words = Capture::default();
    let settings = Settings { verbosity: Verbosity::Quiet, ..Settings::default() };
    let ui = Ui::with_streams(io::sink(), words.clone(), settings);
    ui.note("a");
    ui.detail("b");
    ui.warn("c");
    assert_eq!(words.text(), "warning: c\n");
}

#[test]
fn a_closed_pipe_is_success_and_a_full_disk_is_not() {
    let write =
        |kind| Ui::with_streams(Failing(kind), io::sink(), Settings::default()).write_data("data");
    assert!(write(io::ErrorKind::BrokenPipe).is_ok());
    assert_eq!(write(io::ErrorKind::StorageFull).unwrap_err().kind(), io::ErrorKind::StorageFull);
}

#[test]
fn an_error_says_what_why_and_what_to_do() {
    let (ui, _, words) = Ui::captured();
    let error = Unreadable("logs/\u{7}a.gz", io::Error::other("not there"));
    let hint = "name a folder with logs".to_owned();
    ui.error(&error, &[hint.clone(), hint]);
    assert_eq!(
        words.text(),
        "error: cannot read logs/\\u{7}a.gz\n  caused by: not there\n\nhint: name a folder with logs\n"
    );
}

#[test]
fn colours_only_where_they_are_wanted() {
    let said = |colours| {
        let words = Capture::default();
        let settings = Settings { words_colours: colours, ..Settings::default() };
        let ui = Ui::with_streams(io::sink(), words.clone(), settings);
        ui.error(&io::Error::other("no"), &[]);
        ui.rendered("\u{1b}[1mcaret\u{1b}[0m");
        words.text()
    };
    assert_eq!(said(false), "error: no\ncaret\n");
    assert!(said(true).contains("\u{1b}[31m") && said(true).contains("\u{1b}[1mcaret"));
}
