//! Ctrl-C, SIGTERM and SIGHUP while logs are read: stop, say what was read, write nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use anyhow::{Context, Result};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

use crate::counts;
use crate::exit::Exit;

/// Remembers a signal instead of dying of it. A second Ctrl-C ends the program at once.
pub(super) struct Signals(Arc<AtomicUsize>);

/// The signal that a stopped run ends with.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub(super) struct Stopped {
    signal: u8,
    error: counts::Error,
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
    pub(super) fn explain(&self, error: counts::Error) -> anyhow::Error {
        match (u8::try_from(self.0.load(Ordering::Relaxed)), &error) {
            (Ok(signal), counts::Error::Stopped { .. }) => Stopped { signal, error }.into(),
            _ => error.into(),
        }
    }
}

/// How to end after an error.
pub(super) fn exit_after(error: &anyhow::Error) -> Exit {
    error.downcast_ref::<Stopped>().map_or(Exit::Failure, |stopped| Exit::Stopped(stopped.signal))
}
