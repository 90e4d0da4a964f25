//! How a report looks on a terminal; plain by default.

use std::fmt::Display;

use anstyle::{AnsiColor, Style as Ansi};

/// Colours and bars of a report. The default has neither: text that reads well in a log file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// What stands out: routes, the limit.
    pub(super) strong: Ansi,
    /// What stands back: column heads, labels.
    pub(super) faint: Ansi,
    /// What is fine: a clear grade, clients that pass.
    pub(super) good: Ansi,
    /// What needs a look: a weak grade, warnings, questions.
    pub(super) careful: Ansi,
    /// What is above the limit, or has none.
    pub(super) bad: Ansi,
    /// Whether the peaks are drawn as bars.
    pub(super) bars: bool,
}

impl Style {
    /// With colours or without, with bars or without.
    #[must_use]
    pub const fn new(colours: bool, bars: bool) -> Self {
        const fn ink(colours: bool, colour: AnsiColor) -> Ansi {
            if colours { colour.on_default() } else { Ansi::new() }
        }
        Self {
            strong: if colours { Ansi::new().bold() } else { Ansi::new() },
            faint: if colours { Ansi::new().dimmed() } else { Ansi::new() },
            good: ink(colours, AnsiColor::Green),
            careful: ink(colours, AnsiColor::Yellow),
            bad: ink(colours, AnsiColor::Red),
            bars,
        }
    }

    /// The colour of a grade.
    pub(super) fn grade(&self, grade: &str) -> Ansi {
        match grade {
            "clear" => self.good,
            "weak" => self.careful,
            _ => self.bad,
        }
    }
}

/// Text in a style. Pad it before: the codes have no width.
pub(super) fn paint(style: Ansi, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}
