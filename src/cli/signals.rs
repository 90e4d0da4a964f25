//! Ctrl-C, SIGTERM and SIGHUP while logs are read: stop, say what was read, write nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use anyhow::{Context, Result};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

use crate::exit::Exit;
use crate::{counts, demo};

/// Remembers a signal instead of dying of it. A second Ctrl-C ends the program at once.
#[derive(Clone)]
pub(super) struct Signals(Arc<AtomicUsize>);

/// The signal that a stopped run ends with, and what the run says of it.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(super) struct Stopped {
    signal: u8,
    message: String,
}

/// An error that may be no more than the answer to a signal.
pub(super) trait Stoppable: std::error::Error + Send + Sync + 'static {
    /// Whether the run was stopped from outside.
    fn is_stopped(&self) -> bool;
}

impl Stoppable for counts::Error {
    fn is_stopped(&self) -> bool {
        matches!(self, Self::Stopped { .. })
    }
}

#[cfg(feature = "cloud")]
impl Stoppable for crate::cloud::Error {
    fn is_stopped(&self) -> bool {
        matches!(self, Self::Stopped)
    }
}

#[cfg(feature = "cloud")]
impl Stoppable for crate::cloud::live::Error {
    fn is_stopped(&self) -> bool {
        matches!(self, Self::Stopped(_))
    }
}

impl Stoppable for demo::Error {
    fn is_stopped(&self) -> bool {
        matches!(self, Self::Stopped)
    }
}

impl Signals {
    /// From now on until the end of the process.
    pub(super) fn watch() -> Result<Self> {
        let seen = Arc::new(AtomicUsize::new(0));
        let armed = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            // In this order: the first signal arms what the second one triggers.
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&armed))
                .and_then(|_| flag::register(signal, Arc::clone(&armed)))
                .and_then(|_| flag::register_usize(signal, Arc::clone(&seen), signal as usize))
                .context("cannot watch for signals")?;
        }
        Ok(Self(seen))
    }

    /// Whether one came.
    pub(super) fn came(&self) -> bool {
        self.0.load(Ordering::Relaxed) != 0
    }

    /// Puts the signal beside the error of a run that it stopped.
    pub(super) fn explain(&self, error: impl Stoppable) -> anyhow::Error {
        match u8::try_from(self.0.load(Ordering::Relaxed)) {
            Ok(signal) if error.is_stopped() => {
                Stopped { signal, message: error.to_string() }.into()
            }
            _ => error.into(),
        }
    }
}

/// How to end after an error.
pub(super) fn exit_after(error: &anyhow::Error) -> Exit {
    error.downcast_ref::<Stopped>().map_or(Exit::Failure, |stopped| Exit::Stopped(stopped.signal))
}
