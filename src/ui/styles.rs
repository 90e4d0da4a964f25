//! The few styles of words; plain by default.

use anstyle::{AnsiColor, Style};

/// Styles of words on standard error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Styles {
    /// `error`
    pub error: Style,
    /// `warning`
    pub warning: Style,
    /// `hint`
    pub hint: Style,
    /// What stands back.
    pub faint: Style,
}

impl Styles {
    /// With colours or without.
    #[must_use]
    pub const fn new(colours: bool) -> Self {
        if !colours {
            let none = Style::new();
            return Self { error: none, warning: none, hint: none, faint: none };
        }
        Self {
            error: AnsiColor::Red.on_default().bold(),
            warning: AnsiColor::Yellow.on_default().bold(),
            hint: AnsiColor::Cyan.on_default().bold(),
            faint: Style::new().dimmed(),
        }
    }

    /// Text in a style.
    #[must_use]
    pub fn paint(&self, style: Style, text: &str) -> String {
        format!("{style}{text}{style:#}")
    }
}
