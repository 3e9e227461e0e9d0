//! Threads that work a queue off and are gone afterwards. They belong to no pool, so that a load never waits for a caller's
//! own threads.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Hands `items` out in order to up to `threads` workers, of whom the calling thread is one. `worker` makes the state of one
/// worker; a worker that returns false ends the work, and items handed out before are finished.
pub fn work_off<T, W: FnMut(T) -> bool>(
    threads: usize,
    items: impl Iterator<Item = T> + Send,
    worker: impl Fn() -> W + Sync,
) {
    let queue = Mutex::new(items);
    let stop = AtomicBool::new(false);
    let work = || {
        let mut handle = worker();
        while !stop.load(Ordering::Relaxed) {
            let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(item) = next else { break };
            if !handle(item) {
                stop.store(true, Ordering::Relaxed);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            let builder = thread::Builder::new().name("filcrypto srs".to_owned());
            if let Err(error) = builder.spawn_scoped(scope, work) {
                log::debug!("an SRS is loaded on fewer threads: {error}");
                break;
            }
        }
        work();
    });
}
