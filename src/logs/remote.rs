//! Logs that have to be brought to this machine before they can be read.

use std::error::Error as Cause;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// Something that is not here yet. This stage does not know where it lies.
pub trait RemoteSource: Send + Sync {
    /// Brings it here, or waits until somebody else has. Called once for each input, from any thread.
    ///
    /// # Errors
    /// When it cannot be had, or the run was stopped meanwhile.
    fn fetch(&self) -> Result<Box<dyn LocalCopy>, FetchError>;
}

/// What was fetched. Dropped when it has been read.
pub trait LocalCopy {
    /// A file with the bytes as they were stored.
    fn path(&self) -> &Path;

    /// Their number.
    fn size(&self) -> u64;

    /// It turned out to be damaged: whoever keeps copies should not keep this one.
    fn distrust(&self) {}
}

/// A [`RemoteSource`] that inputs can share and compare.
#[derive(Clone)]
pub struct Remote(pub Arc<dyn RemoteSource>);

impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Remote")
    }
}

impl PartialEq for Remote {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Remote {}

/// Why something could not be brought here.
#[derive(Debug)]
pub struct FetchError {
    /// What happened, with what it happened to.
    pub cause: Box<dyn Cause + Send + Sync>,
    /// What the user can do.
    pub hint: Option<String>,
    /// Only this one cannot be had; others may.
    pub alone: bool,
    /// Nothing is wrong: the work was stopped from outside, or by another failure.
    pub stopped: bool,
}

impl fmt::Display for FetchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cause.fmt(f)
    }
}

impl Cause for FetchError {
    fn source(&self) -> Option<&(dyn Cause + 'static)> {
        self.cause.source()
    }
}
