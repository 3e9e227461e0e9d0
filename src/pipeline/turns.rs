//! Turns: how many partitions are on their way at once, in order of arrival.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

pub struct Turns {
    count: usize,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    free: usize,
    next_ticket: u64,
    serving: u64,
}

pub struct Turn<'a>(&'a Turns);

impl Turns {
    pub fn new(count: usize) -> Self {
        let state = State {
            free: count,
            next_ticket: 0,
            serving: 0,
        };
        Self {
            count,
            state: Mutex::new(state),
            changed: Condvar::new(),
        }
    }

    pub fn count(&self) -> usize {
        self.count
    }

    /// Waits for a turn; it ends when the value is dropped.
    pub fn take(&self) -> Turn<'_> {
        let mut state = self.state();
        let ticket = state.next_ticket;
        state.next_ticket += 1;
        while state.serving != ticket || state.free == 0 {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.serving += 1;
        state.free -= 1;
        self.changed.notify_all();
        Turn(self)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.state().free += 1;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn never_more_than_there_are() {
        let turns = Turns::new(2);
        let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..20 {
                scope.spawn(|| {
                    let _turn = turns.take();
                    most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    thread::sleep(Duration::from_millis(2));
                    now.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        assert_eq!(most.into_inner(), 2);
    }

    #[test]
    fn a_panic_gives_its_turn_back() {
        let turns = Turns::new(1);
        let panicked = thread::scope(|scope| {
            let holder = scope.spawn(|| {
                let _turn = turns.take();
                panic!("on purpose");
            });
            holder.join().is_err()
        });
        assert!(panicked);
        drop(turns.take());
    }
}
