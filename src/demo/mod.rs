//! The labelled log generator: a shop's week with visitors, offices, crawlers, monitors, tests and
//! abusers, and beside it the truth about them. The same plan makes the same bytes, everywhere.
//!
//! Hours are made one by one and side by side, each from streams of chance of its own, so memory
//! holds an hour for every thread, and 8 bytes for every request on the route.

mod act;
mod agents;
mod cast;
mod error;
mod exchange;
mod files;
mod format;
mod hour;
mod layout;
mod random;
mod record;
mod role;
mod schedule;
mod script;
mod site;
mod stage;
mod truth;
mod visit;

use std::path::Path;

use rayon::prelude::*;

pub use error::Error;
pub use format::{Format, UnknownFormat};
pub use role::{Role, Treatment};
pub use truth::{Figures, Interval, Labels, Peaks, Route, Span, Truth};

use crate::fs;
use crate::units::Timestamp;
use cast::Cast;
use files::Written;
use hour::Hours;
use layout::Hour;
use record::{Record, Resource};
use script::Script;
use truth::Tally;

/// The name of the truth's file, in the folder of the logs.
pub const TRUTH: &str = "truth.json";

/// What to make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Lines in all files, exactly.
    pub lines: u64,
    /// Days from the start on.
    pub days: u32,
    /// Another seed makes another week.
    pub seed: u64,
    /// Addresses; by default one for 80 lines. Those that are more than a shop of this size has
    /// visitors belong to an attacker who uses each of them once.
    pub clients: Option<u64>,
    /// The first second, a full hour; Monday 7 September 2026 by default.
    pub start: Timestamp,
    /// The format of the files.
    pub format: Format,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            lines: 1_000_000,
            days: 7,
            seed: 1,
            clients: None,
            start: Timestamp(1_788_739_200),
            format: Format::V1,
        }
    }
}

/// What was made.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Bytes of the logs as they lie in the folder.
    pub packed: u64,
    /// Bytes of the logs unpacked.
    pub unpacked: u64,
    /// What is true of them; also in the folder, as [`TRUTH`].
    pub truth: Truth,
}

/// Makes logs in a folder, and the truth about them. `progress` is told lines as they are written;
/// `false` from it gives up, and takes back what was written.
///
/// Every file comes into being under its name as a whole, the truth last: without it, the folder is
/// not complete.
///
/// # Errors
/// When the plan cannot be met, the folder is not empty, or a file cannot be written.
pub fn generate(
    plan: &Plan,
    out: &Path,
    progress: &(dyn Fn(u64) -> bool + Sync),
) -> Result<Summary, Error> {
    if cfg!(not(feature = "parquet")) && plan.format == Format::Parquet {
        return Err(Error::NoParquet);
    }
    let script = Script::new(plan)?;
    let period = script.period;
    let cast = Cast::new(script);
    let acted = (0..period.hours()).into_par_iter().map(|hour| acted(&cast, period, hour)).sum();
    let hours = Hours::new(&cast, period, plan.lines, acted)
        .ok_or_else(|| Error::TooManyClients { most: room(&cast, plan.lines, acted) })?;
    fs::create_folder(out)?;
    if !fs::list(out)?.is_empty() {
        return Err(Error::NotEmpty(out.to_owned()));
    }
    let (mut tally, written) = (0..period.hours())
        .into_par_iter()
        .with_max_len(1)
        .map(|hour| {
            let records = hours.records(&cast, hour);
            let tally = count(&cast, &records);
            let hour = Hour { number: hour, begin: period.begin(hour) };
            let written = files::write(&cast, plan.format, hour, records, out)?;
            if !progress(written.lines) {
                return Err(Error::Stopped);
            }
            Ok((tally, written))
        })
        .try_reduce(Default::default, |(tally, written), (more, further)| {
            Ok::<_, Error>((tally.add(more), written.add(further)))
        })
        .inspect_err(|error| {
            if matches!(error, Error::Stopped) {
                // The folder was empty: all that is there is ours.
                let _ = fs::empty_folder(out);
            }
        })?;
    if let Some((name, text)) = plan.format.companion() {
        fs::create(&out.join(name), &text)?;
    }
    tally.hits.par_sort_unstable();
    let span = (period.begin(0), period.end());
    let truth = truth::tell(&cast, &tally, span, (written.files, written.lines));
    // A struct of texts and numbers is always JSON.
    let mut text = serde_json::to_string_pretty(&truth).unwrap_or_default();
    text.push('\n');
    fs::create(&out.join(TRUTH), &text)?;
    Ok(Summary { packed: written.packed, unpacked: written.unpacked, truth })
}

fn acted(cast: &Cast, period: schedule::Period, hour: u32) -> u64 {
    let mut records = Vec::new();
    act::perform(cast, period, hour, &mut records);
    records.len() as u64
}

/// The clients that such a plan has room for.
fn room(cast: &Cast, lines: u64, acted: u64) -> u64 {
    let visitors = u64::from(cast.visitors);
    let actors = cast.actors.len() as u64;
    lines.saturating_sub(acted + 2 * visitors) + visitors + actors
}

fn count(cast: &Cast, records: &[Record]) -> Tally {
    let mut tally = Tally::default();
    for record in records {
        let client = record.caller.client;
        if cast.actor(client).is_some() {
            tally.seen |= 1 << client;
        }
        match record.resource {
            _ if record.copy => tally.copies += 1,
            Resource::Token => {
                tally.hits.push(truth::hit(client, record.arrival()));
                tally.other_spellings += u64::from(record.spelling > 0);
            }
            Resource::TokenPreflight => tally.preflights += 1,
            _ => {}
        }
    }
    tally
}

impl Written {
    const fn add(self, other: Self) -> Self {
        Self {
            files: self.files + other.files,
            lines: self.lines + other.lines,
            packed: self.packed + other.packed,
            unpacked: self.unpacked + other.unpacked,
        }
    }
}
