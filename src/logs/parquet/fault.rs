//! Why a Parquet file cannot be read, and the library kept from taking the program down with it.

use std::cell::Cell;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use parquet::errors::ParquetError;

use super::pages::Carried;
use crate::logs::error::Error;
use crate::units::plain;

/// Why a Parquet file cannot be read.
#[derive(Debug)]
pub(super) enum Fault {
    /// What it says cannot be.
    Damage(String),
    /// It is whole, but of a kind that is not read.
    Unread(String),
    /// A column is not what it has to be.
    Column { name: String, what: String },
    /// The operating system refuses.
    Read(io::Error),
    /// It unpacks to so many bytes, which is more than is allowed.
    Ratio { unpacked: u64 },
    /// The reading is to end here.
    Stopped,
}

impl Fault {
    pub(super) fn damage(what: &str) -> Self {
        Self::Damage(what.to_owned())
    }

    /// As an error that names the file.
    pub(super) fn of_file(self, file: &str, size: u64, ratio: u32) -> Error {
        let file = file.to_owned();
        match self {
            Self::Damage(reason) => Error::Damaged { file, reason },
            Self::Unread(what) => Error::Table { file, what },
            Self::Column { name, what } => {
                Error::Table { file, what: format!("its column `{}` {what}", plain(&name)) }
            }
            Self::Read(source) => Error::Read { file, source },
            Self::Ratio { unpacked } => Error::Ratio { file, ratio, packed: size, unpacked },
            Self::Stopped => Error::Damaged { file, reason: "its reading was stopped".to_owned() },
        }
    }
}

impl From<ParquetError> for Fault {
    fn from(error: ParquetError) -> Self {
        let error = match error {
            ParquetError::External(inner) => match inner.downcast::<Carried>() {
                Ok(carried) => return carried.0,
                Err(inner) => ParquetError::External(inner),
            },
            other => other,
        };
        // The file speaks through some of these messages.
        let text = error.to_string();
        let short: String = text.chars().take(200).collect();
        Self::Damage(format!("its Parquet data is wrong ({})", plain(&short)))
    }
}

/// Runs a part of the library. It should give errors; where it panics on a hostile file, that is an
/// error, too, and nothing is printed.
pub(super) fn guarded<T>(run: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, Fault> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |information| {
            if !QUIET.get() {
                before(information);
            }
        }));
    });
    // What was in the middle of something is not used again: an error ends the reading of the file.
    let before = QUIET.replace(true);
    let outcome = catch_unwind(AssertUnwindSafe(run));
    QUIET.set(before);
    match outcome {
        Ok(result) => result.map_err(Fault::from),
        Err(_) => Err(Fault::damage("its Parquet data is wrong")),
    }
}

thread_local! {
    /// A panic of this thread is caught and told as an error.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_of_the_library_is_an_error() {
        let fault = guarded::<()>(|| panic!("of the library")).unwrap_err();
        assert!(matches!(fault, Fault::Damage(_)), "{fault:?}");
        assert!(!QUIET.get());
    }
}
