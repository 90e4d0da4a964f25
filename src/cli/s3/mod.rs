//! `s3://…` among the paths: how to get there, and where copies lie.

#[cfg(feature = "cloud")]
mod sources;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Result;
use clap::Args;

use super::signals::Signals;
use crate::logs::{Input, Period};
use crate::ui::{Progress, Ui};
use crate::units::thousands;

/// How to speak to S3.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "S3")]
#[group(id = "s3")]
#[cfg_attr(not(feature = "cloud"), allow(dead_code, reason = "told, but of no use"))]
pub(super) struct Arguments {
    /// Profile of the AWS configuration; else the AWS tools' own order: environment, AWS_PROFILE,
    /// single sign-on, the machine's role.
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,

    /// Region of the bucket; found out if not given.
    #[arg(long, value_name = "REGION")]
    region: Option<String>,

    /// An S3 elsewhere than at AWS, such as http://127.0.0.1:9000; AWS_ENDPOINT_URL does the same.
    #[arg(long, value_name = "URL")]
    endpoint_url: Option<String>,

    /// Agree to pay for requests and transfer, for buckets that want their readers to.
    #[arg(long)]
    request_payer: bool,

    /// Folder for copies of objects, which a second run reads instead of fetching them again; if not
    /// given, $XDG_CACHE_HOME/ratewaf or ~/.cache/ratewaf. Copies unused for 30 days are removed.
    #[arg(long, value_name = "DIR", conflicts_with = "no_cache")]
    cache: Option<PathBuf>,

    /// Keep no copies: what is fetched lies in the folder for temporary files until it is read.
    #[arg(long)]
    no_cache: bool,
}

/// What lies in S3, as inputs.
pub(super) struct Found {
    pub(super) inputs: Vec<Input>,
    /// Names of objects that do not look like logs.
    pub(super) ignored: Vec<String>,
    /// Names of objects that were given more than once.
    pub(super) repeated: Vec<String>,
    pub(super) fetching: Fetching,
}

/// What is still being fetched while the logs are read.
pub(super) struct Fetching {
    progress: Progress,
    notes: Arc<Mutex<Vec<String>>>,
}

/// Of what happened on the way, lines that are told before the rest is only counted.
const NAMED: usize = 10;

impl Fetching {
    /// Takes the bar away and tells what happened on the way.
    pub(super) fn finish(&self, ui: &Ui) {
        self.progress.finish();
        tell(&self.notes, ui);
    }
}

fn tell(notes: &Mutex<Vec<String>>, ui: &Ui) {
    let notes = std::mem::take(&mut *notes.lock().unwrap_or_else(PoisonError::into_inner));
    for note in notes.iter().take(NAMED) {
        ui.detail(note);
    }
    if notes.len() > NAMED {
        let more = thousands((notes.len() - NAMED) as u64);
        ui.detail(&format!("and {more} more like these"));
    }
}

/// Whether a path is one of these.
pub(super) fn is_location(path: &str) -> bool {
    path.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("s3://"))
}

#[cfg(feature = "cloud")]
impl Arguments {
    /// Lists what is asked for and begins to fetch it.
    pub(super) fn find(
        &self,
        locations: &[String],
        period: Period,
        keep_repeated: bool,
        signals: &Signals,
        ui: &Ui,
    ) -> Result<Found> {
        sources::find(self, locations, period, keep_repeated, signals, ui)
    }
}

#[cfg(not(feature = "cloud"))]
impl Arguments {
    /// Refuses: this program was built without what it takes.
    #[expect(clippy::unused_self, reason = "the other build needs it")]
    pub(super) fn find(
        &self,
        locations: &[String],
        _: Period,
        _: bool,
        _: &Signals,
        _: &Ui,
    ) -> Result<Found> {
        let location = locations.first().map(String::as_str).unwrap_or_default();
        Err(super::failure::hinted(
            format!(
                "`{}` is in S3, and this ratewaf was built without S3",
                crate::units::plain(location)
            ),
            "install it with its feature `cloud`, which is on by default, or fetch the logs with `aws s3 sync` and name the folder",
        ))
    }
}
