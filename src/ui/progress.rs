//! A bar by bytes, with files, rate and what is left.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use crate::units::thousands;

/// The progress of reading. Clones share it and may be used from any thread.
#[derive(Clone, Debug)]
pub struct Progress {
    bar: ProgressBar,
    done: Arc<AtomicU64>,
    files: Arc<AtomicU64>,
}

impl Progress {
    pub(super) fn new(bars: &MultiProgress, bytes: Option<u64>, files: u64) -> Self {
        let bar = bars.add(bytes.map_or_else(ProgressBar::no_length, ProgressBar::new));
        let template = if bytes.is_some() {
            "reading {wide_bar} {binary_bytes}/{binary_total_bytes} {msg} {binary_bytes_per_sec} {eta} left"
        } else {
            "reading {spinner} {binary_bytes} {msg} {binary_bytes_per_sec}"
        };
        // A template is checked when it is set; the ones above are right, as a test shows.
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        let files = Arc::new(AtomicU64::new(files));
        let progress = Self { bar, done: Arc::new(AtomicU64::new(0)), files };
        progress.tell(0);
        progress
    }

    pub(super) fn of_lines(bars: &MultiProgress, lines: u64) -> Self {
        let bar = bars.add(ProgressBar::new(lines));
        let template = "writing {wide_bar} {human_pos}/{human_len} lines {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        Self { bar, done: Arc::new(AtomicU64::new(0)), files: Arc::default() }
    }

    pub(super) fn of_listing(bars: &MultiProgress) -> Self {
        Self::spinning(bars, "listing {spinner} {human_pos} objects")
    }

    pub(super) fn of_fetching(bars: &MultiProgress) -> Self {
        Self::spinning(bars, "fetching {spinner} {binary_bytes} {msg} {binary_bytes_per_sec}")
    }

    /// Moves by itself, until it is finished.
    pub(super) fn of_asking(bars: &MultiProgress) -> Self {
        let asking = Self::spinning(bars, "asking AWS {spinner} {elapsed}");
        asking.bar.enable_steady_tick(Duration::from_millis(200));
        asking
    }

    fn spinning(bars: &MultiProgress, template: &str) -> Self {
        let bar = bars.add(ProgressBar::no_length());
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        Self { bar, done: Arc::new(AtomicU64::new(0)), files: Arc::default() }
    }

    /// The end is known now: so many bytes in so many files.
    pub fn expect(&self, bytes: u64, files: u64) {
        let template = "fetching {wide_bar} {binary_bytes}/{binary_total_bytes} {msg} {binary_bytes_per_sec} {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style.progress_chars("=> "));
        }
        self.bar.set_length(bytes);
        self.files.store(files, Ordering::Relaxed);
        self.tell(self.done.load(Ordering::Relaxed));
    }

    /// So many bytes were no use, and are done again.
    pub fn take_back(&self, bytes: u64) {
        self.bar.dec(bytes);
    }

    /// So many bytes (or lines) more are done.
    pub fn add(&self, more: u64) {
        self.bar.inc(more);
    }

    /// One file more is done.
    pub fn file_done(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        self.tell(done);
    }

    /// Takes the bar away; what follows is printed where it stood.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn tell(&self, done: u64) {
        let files = self.files.load(Ordering::Relaxed);
        if !self.bar.is_hidden() && files > 0 {
            self.bar.set_message(format!("{}/{} files", thousands(done), thousands(files)));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::Mutex;

    use indicatif::{ProgressDrawTarget, TermLike};

    use super::*;

    /// A terminal that remembers what was written to it, moves of the cursor left out.
    #[derive(Clone, Debug, Default)]
    struct Terminal(Arc<Mutex<String>>);

    impl TermLike for Terminal {
        fn width(&self) -> u16 {
            100
        }

        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn write_line(&self, text: &str) -> io::Result<()> {
            self.write_str(&format!("{text}\n"))
        }

        fn write_str(&self, text: &str) -> io::Result<()> {
            self.0.lock().unwrap().push_str(text);
            Ok(())
        }

        fn clear_line(&self) -> io::Result<()> {
            Ok(())
        }

        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    fn shown(bytes: Option<u64>, files: u64) -> String {
        let terminal = Terminal::default();
        let target = ProgressDrawTarget::term_like(Box::new(terminal.clone()));
        let progress = Progress::new(&MultiProgress::with_draw_target(target), bytes, files);
        progress.add(1024);
        progress.file_done();
        terminal.0.lock().unwrap().clear();
        progress.bar.force_draw();
        let text = terminal.0.lock().unwrap().clone();
        progress.finish();
        text
    }

    #[test]
    fn a_bar_shows_bytes_files_rate_and_what_is_left() {
        let text = shown(Some(4096), 1_182);
        assert!(text.contains("reading ="), "{text}");
        assert!(text.contains("1.00 KiB/4.00 KiB 1/1,182 files"), "{text}");
        assert!(text.contains("/s ") && text.contains("left"), "{text}");
    }

    #[test]
    fn standard_input_has_no_end_to_show() {
        let text = shown(None, 0);
        assert!(text.contains("reading ") && text.contains("1.00 KiB"), "{text}");
        assert!(!text.contains("left") && !text.contains("files"), "{text}");
    }

    #[test]
    fn who_asks_far_away_shows_a_sign_of_life() {
        let terminal = Terminal::default();
        let target = ProgressDrawTarget::term_like(Box::new(terminal.clone()));
        let progress = Progress::of_asking(&MultiProgress::with_draw_target(target));
        progress.bar.force_draw();
        let text = terminal.0.lock().unwrap().clone();
        progress.finish();
        assert!(text.contains("asking AWS ") && text.contains("0s"), "{text}");
    }
}
