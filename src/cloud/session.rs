//! A connection to S3 for the time of one run: first it lists, then it fetches.

use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Runtime;

use super::Observer;
use super::cache::{Shelf, Store};
use super::connection::{Connection, Options};
use super::download::Downloader;
use super::error::Error;
use super::fetcher::{Fetcher, Ticket};
use super::listing::{Lister, Listing, Object};
use super::location::Location;
use super::walk::Walk;
use crate::logs::{Input, Period, Place, Remote};

/// Threads that move bytes; the counting has its own.
const THREADS: usize = 2;

/// Credentials, settings, and the threads of the async code.
pub struct Session {
    runtime: Runtime,
    connection: Arc<Connection>,
    observer: Arc<dyn Observer>,
}

/// Objects as inputs.
pub struct Fetched {
    /// Each is fetched when its turn comes, or before. In the order of the objects.
    pub inputs: Vec<Input>,
    /// Of these, the ones that are in the cache.
    pub cached: u64,
    /// Bytes of the others.
    pub to_fetch: u64,
}

impl Session {
    /// Finds credentials. `what` is to be read with them, for messages.
    ///
    /// # Errors
    /// When there are none, or the run is stopped.
    pub fn open(options: &Options, what: &str, observer: Arc<dyn Observer>) -> Result<Self, Error> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(THREADS)
            .thread_name("s3")
            .enable_all()
            .build()
            .map_err(Error::Start)?;
        let opened = runtime.block_on(unless_stopped(&*observer, Connection::open(options, what)));
        Ok(Self { connection: Arc::new(opened?), runtime, observer })
    }

    /// The logs of a location, of the days that are asked for and one day before and after.
    ///
    /// # Errors
    /// When it cannot be listed, or the run is stopped. A listing without a log is none.
    pub fn list(&self, location: &Location, period: Period) -> Result<Listing, Error> {
        let lister = Lister {
            connection: Arc::clone(&self.connection),
            observer: Arc::clone(&self.observer),
            bucket: location.bucket.as_str().into(),
        };
        let walk = Walk { lister, location: location.clone(), period };
        self.runtime.block_on(unless_stopped(&*self.observer, walk.run()))
    }

    /// Makes inputs of objects, and begins to fetch those that the cache does not have.
    ///
    /// # Errors
    /// When there is no place to keep them.
    pub fn fetch(self, objects: Vec<Object>, store: &Store) -> Result<Fetched, Error> {
        let shelf = Shelf::open(store, &self.connection.place)?;
        let here: Vec<_> = objects.iter().map(|object| shelf.find(object)).collect();
        let missing = objects.iter().zip(&here).filter(|(_, copy)| copy.is_none());
        let to_fetch = missing.map(|(object, _)| object.size).sum();
        let cached = here.iter().flatten().count() as u64;
        let named: Vec<_> = objects.iter().map(|object| (object.name(), object.size)).collect();
        let Self { runtime, connection, observer } = self;
        let downloader = Downloader { connection, shelf, observer };
        let fetcher = Fetcher::start(runtime, downloader, objects, here);
        let inputs = named
            .into_iter()
            .enumerate()
            .map(|(number, (name, size))| {
                let ticket = Ticket { fetcher: Arc::clone(&fetcher), number };
                Input { name, place: Place::Remote(Remote(Arc::new(ticket))), size }
            })
            .collect();
        Ok(Fetched { inputs, cached, to_fetch })
    }
}

/// The work, or [`Error::Stopped`] soon after the observer says so.
async fn unless_stopped<T>(
    observer: &dyn Observer,
    work: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    let stop = async {
        while !observer.stop() {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::select! {
        done = work => done,
        () = stop => Err(Error::Stopped),
    }
}
