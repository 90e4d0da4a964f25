//! Threads that may not be had: a machine with little memory, or a bound on processes, refuses some or
//! all of them. The work is done by those there are.

use std::sync::mpsc;
use std::sync::{Mutex, Once};
use std::thread::{Builder, available_parallelism};

/// More threads read no faster, and each wants room of its own.
const MOST: usize = 256;

/// Calls `work` once in each of up to `threads` threads, of which the calling one is the first.
pub(super) fn together<T: Send>(threads: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    let work = &work;
    std::thread::scope(|scope| {
        let handles: Vec<_> = (1..threads.min(MOST))
            .map_while(|_| Builder::new().spawn_scoped(scope, work).ok())
            .collect();
        let own = work();
        // A worker that is lost would be requests that are lost.
        let others = handles
            .into_iter()
            .map(|handle| handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        std::iter::once(own).chain(others).collect()
    })
}

/// Starts the threads that sort, once for the whole process: left to itself, `rayon` panics at the first
/// thread that it does not get.
pub(super) fn prepare_pool() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| start_pool(available_parallelism().map_or(1, usize::from).min(MOST)));
}

/// Starts threads first, then makes the pool of those that there are.
fn start_pool(wanted: usize) {
    let waiting: Vec<mpsc::Sender<rayon::ThreadBuilder>> = (0..wanted)
        .map_while(|_| {
            let (sender, receiver) = mpsc::channel::<rayon::ThreadBuilder>();
            let thread = move || {
                if let Ok(work) = receiver.recv() {
                    work.run();
                }
            };
            Builder::new().spawn(thread).ok().map(|_| sender)
        })
        .collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(waiting.len().max(1));
    // Without any, the calling thread is the pool.
    let pool = if waiting.is_empty() { pool.use_current_thread() } else { pool };
    let waiting = Mutex::new(waiting);
    let hand_over = |work: rayon::ThreadBuilder| {
        let sender = waiting.lock().ok().and_then(|mut waiting| waiting.pop());
        let sent = sender.is_some_and(|sender| sender.send(work).is_ok());
        if sent { Ok(()) } else { Err(std::io::ErrorKind::WouldBlock.into()) }
    };
    // An error means that somebody has made the pool already: that one will do.
    let _ = pool.spawn_handler(hand_over).build_global();
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[test]
    fn the_calling_thread_works_too_and_threads_are_bounded() {
        for (threads, expected) in [(0, 1), (1, 1), (3, 3), (5_000, MOST)] {
            let calls = AtomicU32::new(0);
            let results = together(threads, || calls.fetch_add(1, Ordering::Relaxed));
            assert_eq!(results.len(), expected);
            assert_eq!(calls.into_inner() as usize, expected);
        }
    }
}
