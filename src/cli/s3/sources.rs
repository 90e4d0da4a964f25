//! Listing and fetching, with what is shown of it.

use std::collections::BTreeSet;
use std::env;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use anyhow::Result;

use super::{Arguments, Fetching, Found, tell};
use crate::cli::signals::Signals;
use crate::cloud::{Error, Listing, Location, Object, Observer, Options, Session, Store};
use crate::logs::Period;
use crate::ui::{Progress, Ui};
use crate::units::{count, plain, thousands};

/// The work as bars that a signal stops. What it has to say is kept until somebody can print it.
struct Watched {
    listing: Progress,
    fetching: OnceLock<Progress>,
    signals: Signals,
    notes: Arc<Mutex<Vec<String>>>,
}

impl Observer for Watched {
    fn listed(&self, objects: u64) {
        self.listing.add(objects);
    }

    fn fetched(&self, bytes: u64) {
        if let Some(bar) = self.fetching.get() {
            bar.add(bytes);
        }
    }

    fn lost(&self, bytes: u64) {
        if let Some(bar) = self.fetching.get() {
            bar.take_back(bytes);
        }
    }

    fn object_done(&self) {
        if let Some(bar) = self.fetching.get() {
            bar.file_done();
        }
    }

    fn note(&self, text: &str) {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).push(text.to_owned());
    }

    fn stop(&self) -> bool {
        self.signals.came()
    }
}

pub(super) fn find(
    arguments: &Arguments,
    locations: &[String],
    period: Period,
    keep_repeated: bool,
    signals: &Signals,
    ui: &Ui,
) -> Result<Found> {
    let parsed =
        locations.iter().map(|text| Location::parse(text)).collect::<Result<Vec<_>, _>>()?;
    let store = store(arguments);
    let listing = ui.listing_progress();
    let watched = Arc::new(Watched {
        listing: listing.clone(),
        fetching: OnceLock::new(),
        signals: signals.clone(),
        notes: Arc::default(),
    });
    let listed = list(arguments, &parsed, period, &watched, ui);
    listing.finish();
    tell(&watched.notes, ui);
    let (session, objects, ignored) = listed.map_err(|error| signals.explain(error))?;
    let (objects, repeated) = if keep_repeated { (objects, Vec::new()) } else { once(objects) };
    let (all, bytes) = (objects.len() as u64, objects.iter().map(|object| object.size).sum());
    let fetching = ui.fetch_progress();
    // Nothing is fetched before the bar is there.
    let _ = watched.fetching.set(fetching.clone());
    let fetched = session.fetch(objects, &store).map_err(|error| {
        fetching.finish();
        signals.explain(error)
    })?;
    fetching.expect(fetched.to_fetch, all - fetched.cached);
    let kept = match &store {
        Store::Cache(folder) => {
            let folder = plain(&folder.display().to_string()).into_owned();
            format!("{} of them are in {folder}", thousands(fetched.cached))
        }
        Store::Temporary(_) => "no copies are kept".to_owned(),
    };
    ui.note(&format!("{} of {} in S3; {kept}", count(all, "log", "logs"), size(bytes)));
    let fetching = Fetching { progress: fetching, notes: Arc::clone(&watched.notes) };
    Ok(Found { inputs: fetched.inputs, ignored, repeated, fetching })
}

fn list(
    arguments: &Arguments,
    locations: &[Location],
    period: Period,
    watched: &Arc<Watched>,
    ui: &Ui,
) -> Result<(Session, Vec<Object>, Vec<String>), Error> {
    let options = Options {
        profile: arguments.profile.clone(),
        region: arguments.region.clone(),
        endpoint_url: arguments.endpoint_url.clone(),
        request_payer: arguments.request_payer,
    };
    let what = locations.first().map(|location| location.text.as_str()).unwrap_or_default();
    let observer: Arc<dyn Observer> = Arc::<Watched>::clone(watched);
    let session = Session::open(&options, what, observer)?;
    let (mut objects, mut ignored) = (Vec::new(), Vec::new());
    for location in locations {
        let listing = session.list(location, period)?;
        ui.detail(&format!(
            "listed {} under {} in {}: {} to read, {} of other days, {} no logs by their names",
            count(listing.listed, "object", "objects"),
            location.text,
            count(listing.requests, "request", "requests"),
            thousands(listing.objects.len() as u64),
            thousands(listing.outside),
            thousands(listing.others.len() as u64)
        ));
        if listing.objects.is_empty() {
            return Err(empty(location, period, &listing));
        }
        objects.extend(listing.objects);
        ignored.extend(listing.others);
    }
    Ok((session, objects, ignored))
}

fn empty(location: &Location, period: Period, listing: &Listing) -> Error {
    let dates = match (period.from, period.to) {
        (None, None) => String::new(),
        (Some(from), None) => format!(" from {from} on"),
        (None, Some(to)) => format!(" before {to}"),
        (Some(from), Some(to)) => format!(" from {from} to before {to}"),
    };
    Error::Empty {
        what: location.text.clone(),
        dates,
        listed: listing.listed,
        others: listing.others.len() as u64,
        outside: listing.outside,
    }
}

/// Each object once, with the names of those that were given again.
fn once(objects: Vec<Object>) -> (Vec<Object>, Vec<String>) {
    let mut seen = BTreeSet::new();
    let mut repeated = Vec::new();
    let mut kept = Vec::with_capacity(objects.len());
    for object in objects {
        if seen.insert((Arc::clone(&object.bucket), object.key.clone())) {
            kept.push(object);
        } else {
            repeated.push(object.name());
        }
    }
    (kept, repeated)
}

/// Where copies go. Without a home there is no cache.
fn store(arguments: &Arguments) -> Store {
    if arguments.no_cache {
        return Store::Temporary(env::temp_dir());
    }
    // A relative path there has no meaning, says the specification of these variables.
    let absolute = |name: &str| {
        env::var_os(name).map(PathBuf::from).filter(|path: &PathBuf| path.is_absolute())
    };
    let own = arguments.cache.clone().or_else(|| {
        absolute("XDG_CACHE_HOME")
            .or_else(|| absolute("HOME").map(|home| home.join(".cache")))
            .map(|folder| Path::join(&folder, "ratewaf"))
    });
    own.map_or_else(|| Store::Temporary(env::temp_dir()), Store::Cache)
}

/// `812 bytes`, `3.2 MB`, `41 GB`.
fn size(bytes: u64) -> String {
    let (value, unit) = match bytes {
        0..1_000 => return count(bytes, "byte", "bytes"),
        1_000..1_000_000 => (bytes as f64 / 1e3, "kB"),
        1_000_000..1_000_000_000 => (bytes as f64 / 1e6, "MB"),
        _ => (bytes as f64 / 1e9, "GB"),
    };
    if value < 10.0 { format!("{value:.1} {unit}") } else { format!("{value:.0} {unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_read_well() {
        for (bytes, text) in [
            (1, "1 byte"),
            (812, "812 bytes"),
            (3_240, "3.2 kB"),
            (41_000_000, "41 MB"),
            (41_600_000_000, "42 GB"),
        ] {
            assert_eq!(size(bytes), text);
        }
    }
}
