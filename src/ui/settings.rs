//! What is decided once about the terminal: colours, width, verbosity.

use std::io::{self, IsTerminal, Write};

use anstream::{AutoStream, ColorChoice, stream::RawStream};

/// `--color`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR`, `CLICOLOR=0` or `TERM=dumb` say no; elsewhere only with
    /// `CLICOLOR_FORCE`.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How much is said on standard error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verbosity {
    /// Warnings and errors only.
    Quiet,
    /// What was done, too.
    #[default]
    Normal,
    /// Details (`-v`).
    Verbose,
}

/// The decisions. The default is what a pipe gets: no colours, no bars, 100 columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Whether standard output takes colours.
    pub out_colours: bool,
    /// Whether standard output is a terminal: bars may be drawn.
    pub out_on_terminal: bool,
    /// Whether standard error takes colours.
    pub words_colours: bool,
    /// Whether standard error is a terminal: progress may be shown.
    pub words_on_terminal: bool,
    /// Columns for text on standard output.
    pub width: usize,
    /// How much is said.
    pub verbosity: Verbosity,
}

/// Columns where there is no terminal to ask.
const WIDTH: usize = 100;

/// Columns of a terminal that does not tell.
const OF_A_TERMINAL: usize = 80;

impl Default for Settings {
    fn default() -> Self {
        Self {
            out_colours: false,
            out_on_terminal: false,
            words_colours: false,
            words_on_terminal: false,
            width: WIDTH,
            verbosity: Verbosity::default(),
        }
    }
}

impl Settings {
    pub(super) fn of_the_terminal(color: Color, verbosity: Verbosity) -> Self {
        let (out, words) = (io::stdout(), io::stderr());
        let told = terminal_size::terminal_size_of(&out).map(|(width, _)| width.0);
        let columns = std::env::var("COLUMNS").ok();
        let width = columns_of(out.is_terminal(), told, columns.as_deref());
        Self {
            out_colours: colours(color, &out),
            out_on_terminal: out.is_terminal(),
            words_colours: colours(color, &words),
            words_on_terminal: words.is_terminal(),
            width,
            verbosity,
        }
    }
}

/// Columns of the page: what the terminal tells, else what the shell says of it, else what terminals always had.
/// Elsewhere they are always the same.
fn columns_of(is_terminal: bool, told: Option<u16>, columns: Option<&str>) -> usize {
    if !is_terminal {
        return WIDTH;
    }
    let told = told.map(usize::from).filter(|columns| *columns > 0);
    let said = || columns.and_then(|text| text.parse().ok()).filter(|columns| *columns > 0);
    told.or_else(said).unwrap_or(OF_A_TERMINAL)
}

fn colours(color: Color, stream: &impl RawStream) -> bool {
    match color {
        Color::Auto => AutoStream::choice(stream) != ColorChoice::Never,
        Color::Always => true,
        Color::Never => false,
    }
}

/// A stream that shows colours on every platform, or the bare stream, which changes no byte.
pub(super) fn stream<S>(stream: S, colours: bool) -> Box<dyn Write + Send>
where
    S: RawStream + Write + Send + 'static,
    AutoStream<S>: Write + Send,
{
    if colours { Box::new(AutoStream::always(stream)) } else { Box::new(stream) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_as_wide_as_the_terminal() {
        assert_eq!(columns_of(false, None, Some("80")), 100);
        assert_eq!(columns_of(true, Some(132), Some("80")), 132);
        assert_eq!(columns_of(true, Some(0), Some("72")), 72);
        assert_eq!(columns_of(true, None, Some("wide")), 80);
        assert_eq!(columns_of(true, None, None), 80);
    }
}
