//! The last words of a failed run.

use crate::policy::Problems;
use crate::ui::Ui;
use crate::{counts, logs};

/// What could not be done when counted requests do not come back from where they were put.
pub(super) const UNREADABLE: &str = "cannot read the temporary file of the requests";

/// A failure with a way out, for errors that are made in `cli`.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(super) struct Hinted {
    message: String,
    hint: String,
}

/// An error with a hint.
pub(super) fn hinted(message: impl Into<String>, hint: impl Into<String>) -> anyhow::Error {
    Hinted { message: message.into(), hint: hint.into() }.into()
}

/// Problems of a file that are shown with their source lines instead of in one sentence.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.render(false))]
pub(super) struct Shown(pub(super) Problems);

/// Faulty files that are named before the rest is only counted.
const NAMED: usize = 10;

/// Prints an error and what can be done about it.
pub(super) fn tell(error: &anyhow::Error, ui: &Ui) {
    if let Some(Shown(problems)) = error.downcast_ref() {
        ui.rendered(&problems.render(ui.settings().words_colours));
        return;
    }
    if let Some(counts::Error::Logs(faults)) = error.downcast_ref() {
        for fault in faults.iter().take(NAMED) {
            ui.error(fault, &hints_of(fault.hint()));
        }
        return;
    }
    #[cfg(feature = "cloud")]
    if let Some(own) = error.downcast_ref::<crate::cloud::Error>() {
        ui.error(own, &own.hint().into_iter().collect::<Vec<_>>());
        return;
    }
    let log = error.downcast_ref::<logs::Error>().and_then(logs::Error::hint);
    let hints = match error.downcast_ref::<Hinted>() {
        Some(own) => vec![own.hint.clone()],
        None => hints_of(log),
    };
    ui.error(error.as_ref(), &hints);
}

fn hints_of(hint: Option<&str>) -> Vec<String> {
    hint.map(str::to_owned).into_iter().collect()
}
