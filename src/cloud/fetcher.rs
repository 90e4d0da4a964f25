//! Fetches ahead of the readers: a fixed number of downloads at a time, in the order in which the objects
//! will be asked for. Nothing here grows with the number of objects but their names.

use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::runtime::Runtime;
use tokio::sync::Notify;

use super::cache::Stored;
use super::download::Downloader;
use super::error::Error;
use super::listing::Object;
use crate::logs::{FetchError, LocalCopy, RemoteSource};

/// Downloads at a time. Small objects are waited for, not transferred: it takes many to fill a line.
const AT_ONCE: usize = 32;
/// Without a cache, bytes that were fetched and are not read yet; one object may exceed it.
const MOST_UNREAD: u64 = 256 << 20;
/// How often whoever waits looks whether to stop.
const LOOK: Duration = Duration::from_millis(100);

/// All objects of a run, some of them here.
pub(super) struct Fetcher {
    /// Taken when the fetcher is dropped.
    runtime: Option<Runtime>,
    shared: Arc<Shared>,
}

struct Shared {
    objects: Vec<Object>,
    /// As they are read, see [`crate::logs::turn`].
    order: Vec<usize>,
    downloader: Downloader,
    state: Mutex<State>,
    /// An object arrived, or never will.
    arrived: Condvar,
    /// A copy was read and is gone.
    room: Notify,
}

struct State {
    slots: Vec<Slot>,
    /// Place in `order` of the first object that may still be waiting.
    next: usize,
    /// Bytes fetched and not read yet.
    unread: u64,
    /// An error that the other objects would meet, too, and which of them met it.
    broken: Option<usize>,
    /// Somebody was given such an error. Others that failed meanwhile would only repeat it.
    told: bool,
}

enum Slot {
    Waiting,
    Running,
    Here(Stored),
    Failed(Error),
    Taken,
}

impl State {
    /// What a reader hears of a download that failed: an error that all objects meet is said once.
    fn tell(&mut self, error: Error) -> FetchError {
        if error.is_of_one_object() {
            return told(error);
        }
        if std::mem::replace(&mut self.told, true) { stopped() } else { told(error) }
    }
}

impl Fetcher {
    /// Starts to fetch what is not here yet: `here` has the copies found in the cache.
    pub(super) fn start(
        runtime: Runtime,
        downloader: Downloader,
        objects: Vec<Object>,
        here: Vec<Option<Stored>>,
    ) -> Arc<Self> {
        let mut order: Vec<usize> = (0..objects.len()).collect();
        order.sort_by_key(|&number| crate::logs::turn(objects[number].size));
        let slots: Vec<Slot> =
            here.into_iter().map(|copy| copy.map_or(Slot::Waiting, Slot::Here)).collect();
        let waiting = slots.iter().filter(|slot| matches!(slot, Slot::Waiting)).count();
        let state = State { slots, next: 0, unread: 0, broken: None, told: false };
        let shared = Arc::new(Shared {
            objects,
            order,
            downloader,
            state: Mutex::new(state),
            arrived: Condvar::new(),
            room: Notify::new(),
        });
        for _ in 0..AT_ONCE.min(waiting) {
            let shared = Arc::clone(&shared);
            runtime.spawn(async move { shared.work().await });
        }
        Arc::new(Self { runtime: Some(runtime), shared })
    }

    /// Waits for an object, or fetches it if nobody does yet. From a thread that is not of the runtime.
    fn wait(self: &Arc<Self>, number: usize) -> Result<Stored, FetchError> {
        let shared = &self.shared;
        let mut state = shared.state();
        loop {
            match std::mem::replace(&mut state.slots[number], Slot::Taken) {
                Slot::Here(stored) => return Ok(stored),
                Slot::Failed(error) => return Err(state.tell(error)),
                // Its error has been told, or it was asked for twice, which nobody does.
                Slot::Taken => return Err(stopped()),
                Slot::Running => state.slots[number] = Slot::Running,
                Slot::Waiting => state.slots[number] = Slot::Waiting,
            }
            if shared.downloader.observer.stop() {
                return Err(stopped());
            }
            if let Some(broken) = state.broken {
                // Whoever comes first tells what is wrong; it is told once.
                let failed = std::mem::replace(&mut state.slots[broken], Slot::Taken);
                return Err(match failed {
                    Slot::Failed(error) => state.tell(error),
                    _ => stopped(),
                });
            }
            if let (Slot::Waiting, Some(runtime)) = (&state.slots[number], &self.runtime) {
                state.slots[number] = Slot::Running;
                drop(state);
                runtime.block_on(shared.fetch_unless_stopped(number));
                state = shared.state();
                continue;
            }
            let waited = shared.arrived.wait_timeout(state, LOOK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Drop for Fetcher {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // Downloads that nobody waits for any more end here; a cache has none of them.
            runtime.shutdown_timeout(Duration::from_secs(1));
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One of the downloads at a time.
    async fn work(&self) {
        loop {
            // Registered before looking: room that is made meanwhile is not missed.
            let room = self.room.notified();
            let claimed = {
                let mut state = self.state();
                if state.broken.is_some() || self.downloader.observer.stop() {
                    return;
                }
                let Some(number) = self.first_waiting(&mut state) else { return };
                let fits = !self.downloader.shelf.is_temporary()
                    || state.unread == 0
                    || state.unread + self.objects[number].size <= MOST_UNREAD;
                if fits {
                    state.slots[number] = Slot::Running;
                    state.unread += self.objects[number].size;
                }
                fits.then_some(number)
            };
            match claimed {
                Some(number) => self.fetch(number).await,
                None => {
                    let _ = tokio::time::timeout(LOOK, room).await;
                }
            }
        }
    }

    fn first_waiting(&self, state: &mut State) -> Option<usize> {
        while let Some(&number) = self.order.get(state.next) {
            if matches!(state.slots[number], Slot::Waiting) {
                return Some(number);
            }
            state.next += 1;
        }
        None
    }

    async fn fetch(&self, number: usize) {
        let fetched = self.downloader.fetch(&self.objects[number]).await;
        let mut state = self.state();
        state.slots[number] = match fetched {
            Ok(stored) => {
                self.downloader.observer.object_done();
                Slot::Here(stored)
            }
            Err(error) => {
                state.unread = state.unread.saturating_sub(self.objects[number].size);
                if !error.is_of_one_object() {
                    state.broken.get_or_insert(number);
                }
                Slot::Failed(error)
            }
        };
        drop(state);
        self.arrived.notify_all();
    }

    /// For a reader that waits.
    async fn fetch_unless_stopped(&self, number: usize) {
        self.state().unread += self.objects[number].size;
        let stop = async {
            while !self.downloader.observer.stop() {
                tokio::time::sleep(LOOK).await;
            }
        };
        tokio::select! {
            () = self.fetch(number) => {}
            () = stop => self.state().slots[number] = Slot::Failed(Error::Stopped),
        }
    }
}

fn stopped() -> FetchError {
    told(Error::Stopped)
}

fn told(error: Error) -> FetchError {
    FetchError {
        hint: error.hint(),
        alone: error.is_of_one_object(),
        stopped: matches!(error, Error::Stopped),
        cause: Box::new(error),
    }
}

/// One object of a fetcher, as an input.
pub(super) struct Ticket {
    pub(super) fetcher: Arc<Fetcher>,
    pub(super) number: usize,
}

impl RemoteSource for Ticket {
    fn fetch(&self) -> Result<Box<dyn LocalCopy>, FetchError> {
        let stored = self.fetcher.wait(self.number)?;
        let size = self.fetcher.shared.objects[self.number].size;
        let copy = Copy { shared: Arc::clone(&self.fetcher.shared), stored, counted: size };
        Ok(Box::new(copy))
    }
}

/// A copy that is being read.
struct Copy {
    shared: Arc<Shared>,
    stored: Stored,
    /// What it takes of the room for unread bytes.
    counted: u64,
}

impl LocalCopy for Copy {
    fn path(&self) -> &Path {
        &self.stored.path
    }

    fn size(&self) -> u64 {
        self.stored.size
    }

    fn distrust(&self) {
        // If it cannot be removed, the next run meets it again and says so again.
        let _ = std::fs::remove_file(&self.stored.path);
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        self.stored.temporary = None;
        let mut state = self.shared.state();
        state.unread = state.unread.saturating_sub(self.counted);
        drop(state);
        self.shared.room.notify_waiters();
    }
}
