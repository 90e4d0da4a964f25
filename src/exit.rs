//! The exit codes, as one table.

/// How the program ends. The numbers are a promise to scripts: `docs/exit-codes.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The job is done.
    Done,
    /// There are findings, or the compared things differ.
    Findings,
    /// Bad input, bad usage, or something is missing in the environment.
    Failure,
    /// Stopped by a signal, of this number: nothing was written.
    Stopped(u8),
}

impl Exit {
    /// The number the shell sees.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Findings => 1,
            Self::Failure => 2,
            // What a shell says of a program that a signal ended.
            Self::Stopped(signal) => 128_u8.saturating_add(signal),
        }
    }
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
