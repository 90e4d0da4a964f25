//! Where a stack comes from.

/// Which policy and which logs, without a date of writing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// One paragraph each, in words: which policy and which lock.
    pub lines: Vec<String>,
    /// Flags of `emit` that the result depends on, as on its command line: `--accept weak`.
    pub flags: Vec<String>,
    /// Flags of `emit` that name other files than the usual ones, as on its command line: `--policy a.yaml`.
    pub files: Vec<String>,
    /// What was written, as on a command line; `None` if that is not known, and each dialect has a name.
    pub target: Option<String>,
    /// The requests that the logs hold.
    pub traffic: Option<Traffic>,
}

/// Requests over some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traffic {
    /// Requests to the whole distribution.
    pub requests: u64,
    /// Hours (UTC) in which there were any.
    pub hours: u64,
}

/// Hours of an average month.
pub const HOURS_A_MONTH: u64 = 730;

impl Traffic {
    /// Requests a month at this rate; `None` if there is less than an hour to tell from.
    #[must_use]
    pub fn a_month(self) -> Option<u64> {
        let hours = u128::from(self.hours);
        let month = (u128::from(self.requests) * u128::from(HOURS_A_MONTH)).checked_div(hours)?;
        u64::try_from(month).ok()
    }
}
