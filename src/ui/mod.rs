//! The only module that touches a terminal: data to standard output, words to standard error.

mod error;
mod progress;
mod settings;
mod styles;

use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use indicatif::{MultiProgress, ProgressDrawTarget};

use crate::units::plain;

pub use progress::Progress;
pub use settings::{Color, Settings, Verbosity};
pub use styles::Styles;

type Stream = Box<dyn Write + Send>;

/// Where everything that is printed goes through. Made once, in `main`, and handed on.
pub struct Ui {
    out: Mutex<Stream>,
    words: Mutex<Stream>,
    settings: Settings,
    styles: Styles,
    bars: MultiProgress,
}

impl fmt::Debug for Ui {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ui").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl Ui {
    /// The real standard output and standard error.
    #[must_use]
    pub fn new(color: Color, verbosity: Verbosity) -> Self {
        let settings = Settings::of_the_terminal(color, verbosity);
        let bars = if settings.words_on_terminal && settings.verbosity > Verbosity::Quiet {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        let out = settings::stream(io::stdout(), settings.out_colours);
        let words = settings::stream(io::stderr(), settings.words_colours);
        Self::assemble(out, words, settings, bars)
    }

    /// Streams of one's own, for tests: no progress bar is drawn.
    #[must_use]
    pub fn with_streams(
        out: impl Write + Send + 'static,
        words: impl Write + Send + 'static,
        settings: Settings,
    ) -> Self {
        let hidden = ProgressDrawTarget::hidden();
        Self::assemble(Box::new(out), Box::new(words), settings, hidden)
    }

    /// Both streams kept in memory, plain, with the handles to read them.
    #[must_use]
    pub fn captured() -> (Self, Capture, Capture) {
        let (out, words) = (Capture::default(), Capture::default());
        let settings = Settings { verbosity: Verbosity::Verbose, ..Settings::default() };
        (Self::with_streams(out.clone(), words.clone(), settings), out, words)
    }

    fn assemble(out: Stream, words: Stream, settings: Settings, bars: ProgressDrawTarget) -> Self {
        Self {
            out: Mutex::new(out),
            words: Mutex::new(words),
            settings,
            styles: Styles::new(settings.words_colours),
            bars: MultiProgress::with_draw_target(bars),
        }
    }

    /// What was decided about colours, width and verbosity.
    #[must_use]
    pub const fn settings(&self) -> Settings {
        self.settings
    }

    /// Columns for text on standard output.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.settings.width
    }

    /// Writes data to standard output and flushes it. The text is written as it is: whoever made it
    /// has escaped what came from a log.
    ///
    /// A reader that has seen enough (`| head`) closes the pipe; that is success, for this call and
    /// for every later one, and what is left of the data goes nowhere.
    ///
    /// # Errors
    /// When the data cannot be written for any other reason, such as a full disk.
    pub fn write_data(&self, text: &str) -> io::Result<()> {
        let mut out = lock(&self.out);
        // A bar that is being drawn must not end up between the lines on the same terminal.
        let written =
            self.bars.suspend(|| out.write_all(text.as_bytes()).and_then(|()| out.flush()));
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            other => other,
        }
    }

    /// A warning: something the reader must know, though the work goes on. Shown even when quiet.
    pub fn warn(&self, text: &str) {
        let label = self.styles.paint(self.styles.warning, "warning");
        self.print(&format!("{label}: {}\n", harmless(text)));
    }

    /// A line about what was done, such as a file that was written. Not shown when quiet.
    pub fn note(&self, text: &str) {
        if self.settings.verbosity >= Verbosity::Normal {
            self.print(&format!("{}\n", harmless(text)));
        }
    }

    /// A line for those who asked for more (`-v`).
    pub fn detail(&self, text: &str) {
        if self.settings.verbosity >= Verbosity::Verbose {
            let text = self.styles.paint(self.styles.faint, &harmless(text));
            self.print(&format!("{text}\n"));
        }
    }

    /// Words that were made ready elsewhere, perhaps with colours (which are taken out where they do
    /// not belong): snippets of a policy with carets, say. Whoever made them has escaped what is foreign.
    pub fn rendered(&self, text: &str) {
        let end = if text.ends_with('\n') { "" } else { "\n" };
        if self.settings.words_colours {
            self.print(&format!("{text}{end}"));
        } else {
            self.print(&format!("{}{end}", anstream::adapter::strip_str(text)));
        }
    }

    /// Asks on standard error; `true` if the answer on standard input is y or yes.
    ///
    /// # Errors
    /// When standard input cannot be read.
    pub fn confirm(&self, question: &str) -> io::Result<bool> {
        self.print(&format!("{} [y/N] ", harmless(question)));
        let mut answer = String::new();
        io::stdin().read_line(&mut answer)?;
        Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
    }

    /// The last words of a failed run: `error:`, what caused it, and what the user can do.
    pub fn error(&self, error: &(dyn std::error::Error + 'static), hints: &[String]) {
        self.print(&error::in_words(error, hints, &self.styles));
    }

    /// A bar for reading so many bytes in so many files: on standard error if that is a terminal,
    /// and silent elsewhere. `None` where the end is not known, as with standard input.
    #[must_use]
    pub fn progress(&self, bytes: Option<u64>, files: u64) -> Progress {
        Progress::new(&self.bars, bytes, files)
    }

    /// A bar for writing so many lines.
    #[must_use]
    pub fn lines_progress(&self, lines: u64) -> Progress {
        Progress::of_lines(&self.bars, lines)
    }

    /// A count of objects of which nobody knows yet how many there are.
    #[must_use]
    pub fn listing_progress(&self) -> Progress {
        Progress::of_listing(&self.bars)
    }

    /// A bar for fetching what is not on this machine, until [`Progress::expect`] without an end.
    #[must_use]
    pub fn fetch_progress(&self) -> Progress {
        Progress::of_fetching(&self.bars)
    }

    /// Asks somebody far away, who may take long to answer: with a sign of life if standard error is a terminal.
    pub fn asking<T>(&self, ask: impl FnOnce() -> T) -> T {
        let progress = Progress::of_asking(&self.bars);
        let answer = ask();
        progress.finish();
        answer
    }

    fn print(&self, text: &str) {
        let mut words = lock(&self.words);
        // Nobody is left to tell if standard error is gone; the work is not worth less for it.
        self.bars.suspend(|| {
            let _ = words.write_all(text.as_bytes()).and_then(|()| words.flush());
        });
    }
}

/// Several lines, each made harmless.
fn harmless(text: &str) -> String {
    let lines: Vec<_> = text.trim_end_matches('\n').split('\n').map(plain).collect();
    lines.join("\n")
}

fn lock(stream: &Mutex<Stream>) -> MutexGuard<'_, Stream> {
    // A writer that panicked leaves a stream that still can be written to.
    stream.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether standard input is a terminal: then nobody has piped logs into it.
#[must_use]
pub fn input_is_terminal() -> bool {
    io::stdin().is_terminal()
}

/// A stream kept in memory; clones share it.
#[derive(Clone, Debug, Default)]
pub struct Capture(Arc<Mutex<Vec<u8>>>);

impl Capture {
    /// What was written so far.
    #[must_use]
    pub fn text(&self) -> String {
        let bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

impl Write for Capture {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
