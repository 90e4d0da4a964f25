//! Why a limit is no more than weak: what the method asks of a clear one and does not find.

use super::standing::FULL_LOG_DAYS;
use crate::units::{count, ratio};

/// One thing that a clear limit has and this one has not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Weakness {
    /// A gap like this may be chance.
    Chance {
        /// Natural logarithm of the odds.
        evidence: f64,
        /// What a clear limit takes.
        enough: f64,
    },
    /// The edges of the gap are close together.
    Narrow {
        /// Upper edge by lower edge.
        ratio: f64,
        /// What a clear limit takes.
        enough: f64,
    },
    /// Hardly anybody to compare with.
    FewClients {
        /// Clients that are compared.
        clients: usize,
        /// What a clear limit takes.
        enough: usize,
    },
    /// One client may always be a job of yours that ran once.
    OneAbove,
    /// Some above the limit and below the more careful one do not look like runaways.
    Spared,
    /// Above the gap there is a class of clients.
    TwoClasses,
    /// Fewer than half of those above look like runaways.
    Looks {
        /// Those who do.
        runaways: usize,
        /// All of them.
        above: usize,
    },
    /// Too few days to tell a habit from a bad day.
    ShortLog {
        /// UTC days of the log.
        days: u32,
    },
}

impl Weakness {
    /// In words, to stand behind `because`; holds no text of a log.
    #[must_use]
    pub fn in_words(&self) -> String {
        match *self {
            Self::Chance { evidence, enough } => {
                format!(
                    "the gap may be chance (evidence {evidence:.1}, and clear takes {enough:.0})"
                )
            }
            Self::Narrow { ratio: found, enough } => format!(
                "the gap is narrow (its edges are {} apart, and clear takes {})",
                ratio(found),
                ratio(enough)
            ),
            Self::FewClients { clients, enough } => format!(
                "only {} can be compared (clear takes {enough})",
                count(clients as u64, "client", "clients")
            ),
            Self::OneAbove => {
                "only one client is above it, which may be a job of yours that ran once".to_owned()
            }
            Self::Spared => "some clients above it do not look like runaways".to_owned(),
            Self::TwoClasses => {
                "those above it are so many that they may be a class of clients".to_owned()
            }
            Self::Looks { runaways: 0, .. } => "nobody above it looks like a runaway".to_owned(),
            Self::Looks { runaways, above } => format!(
                "only {runaways} of the {} above it {} like a runaway",
                count(above as u64, "client", "clients"),
                crate::units::plural(runaways as u64, "looks", "look"),
            ),
            Self::ShortLog { days } => format!(
                "the log covers {} (clear takes {FULL_LOG_DAYS})",
                count(days.into(), "day", "days")
            ),
        }
    }
}
