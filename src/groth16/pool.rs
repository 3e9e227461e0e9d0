//! Slabs: large buffers of field elements that go round instead of being allocated for each proof.

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::error::{Error, Result};
use crate::math::elements::Elements;
use crate::math::Fr;

/// Gives slabs out. Here they are anonymous memory; page-locked ones can come through the same door.
pub trait Slabs: Send + Sync {
    /// `count` slabs of `len` elements with arbitrary values, all or none. Waits, in order of arrival, until others have
    /// given back what the budget lacks; more than the whole budget is an error at once.
    fn take(&self, count: usize, len: usize) -> Result<Vec<Slab>>;
}

/// A buffer that returns to where it came from.
pub struct Slab {
    /// None only while it is dropped.
    elements: Option<Elements>,
    home: Arc<dyn Home>,
}

/// Where a slab returns to.
pub trait Home: Send + Sync {
    fn give_back(&self, elements: Elements);
}

impl Slab {
    pub fn new(elements: Elements, home: Arc<dyn Home>) -> Self {
        Self {
            elements: Some(elements),
            home,
        }
    }
}

impl Deref for Slab {
    type Target = [Fr];

    fn deref(&self) -> &[Fr] {
        self.elements.as_deref().unwrap_or_default()
    }
}

impl DerefMut for Slab {
    fn deref_mut(&mut self) -> &mut [Fr] {
        self.elements.as_deref_mut().unwrap_or_default()
    }
}

impl Drop for Slab {
    fn drop(&mut self) {
        if let Some(elements) = self.elements.take() {
            self.home.give_back(elements);
        }
    }
}

/// A pool with a budget in bytes. It keeps what comes back, and frees that only to stay within the budget.
#[derive(Clone)]
pub struct SlabPool(Arc<Shared>);

struct Shared {
    budget_bytes: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// Of slabs that are out.
    out_bytes: usize,
    idle_bytes: usize,
    /// By length.
    idle: BTreeMap<usize, Vec<Elements>>,
    /// Tickets of those who wait: the one at the head is served next.
    next_ticket: u64,
    serving: u64,
}

impl SlabPool {
    pub fn new(budget_bytes: usize) -> Self {
        let (state, changed) = (Mutex::default(), Condvar::new());
        Self(Arc::new(Shared {
            budget_bytes,
            state,
            changed,
        }))
    }

    /// Of slabs that are out, and of those that wait for their next use.
    pub fn used_bytes(&self) -> (usize, usize) {
        let state = self.0.state();
        (state.out_bytes, state.idle_bytes)
    }
}

impl Slabs for SlabPool {
    fn take(&self, count: usize, len: usize) -> Result<Vec<Slab>> {
        let bytes = Elements::bytes_for(len).saturating_mul(count);
        let budget_bytes = self.0.budget_bytes;
        if bytes > budget_bytes {
            return Err(Error::message(format!(
                "a proof needs {bytes} bytes of buffers, but their budget is {budget_bytes} bytes: raise it, or use a \
                 machine with more memory"
            )));
        }
        let mut state = self.0.state();
        let ticket = state.next_ticket;
        state.next_ticket += 1;
        while state.serving != ticket || state.out_bytes + bytes > budget_bytes {
            state = self.0.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.serving += 1;
        self.0.changed.notify_all();
        state.out_bytes += bytes;
        let reused = state.reuse(count, len);
        let room_bytes = budget_bytes - state.out_bytes;
        let freed = state.shrink(room_bytes);
        drop(state);
        drop(freed);

        // From here on, whatever happens, each slab gives its share of the bytes back.
        let mut share = Share {
            shared: &self.0,
            bytes,
            slab_bytes: Elements::bytes_for(len),
        };
        let fresh = (reused.len()..count).map(|_| Elements::new(len, "buffers of a proof"));
        let elements = reused.into_iter().map(Ok).chain(fresh);
        elements
            .map(|elements| elements.map(|elements| share.slab(elements)))
            .collect()
    }
}

/// Bytes that were taken for slabs that are still to be made.
struct Share<'a> {
    shared: &'a Arc<Shared>,
    bytes: usize,
    slab_bytes: usize,
}

impl Share<'_> {
    fn slab(&mut self, elements: Elements) -> Slab {
        self.bytes -= self.slab_bytes;
        Slab::new(elements, self.shared.clone())
    }
}

impl Drop for Share<'_> {
    fn drop(&mut self) {
        if self.bytes > 0 {
            self.shared.state().out_bytes -= self.bytes;
            self.shared.changed.notify_all();
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Home for Shared {
    fn give_back(&self, elements: Elements) {
        let bytes = Elements::bytes_for(elements.len());
        let mut state = self.state();
        state.out_bytes -= bytes;
        state.idle_bytes += bytes;
        state.idle.entry(elements.len()).or_default().push(elements);
        drop(state);
        self.changed.notify_all();
    }
}

impl State {
    fn reuse(&mut self, count: usize, len: usize) -> Vec<Elements> {
        let Some(idle) = self.idle.get_mut(&len) else {
            return Vec::new();
        };
        let reused = idle.split_off(idle.len().saturating_sub(count));
        self.idle_bytes -= reused.len() * Elements::bytes_for(len);
        reused
    }

    /// Takes idle slabs out until they fit `room_bytes`.
    fn shrink(&mut self, room_bytes: usize) -> Vec<Elements> {
        let mut freed = Vec::new();
        while self.idle_bytes > room_bytes {
            let Some(mut entry) = self.idle.first_entry() else {
                break;
            };
            match entry.get_mut().pop() {
                Some(elements) => {
                    self.idle_bytes -= Elements::bytes_for(elements.len());
                    freed.push(elements);
                }
                None => drop(entry.remove()),
            }
        }
        freed
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use super::*;

    const LEN: usize = 65_536;
    const BYTES: usize = 2 << 20;

    #[test]
    fn slabs_go_round() {
        let pool = SlabPool::new(3 * BYTES);
        let slabs = pool.take(2, LEN).unwrap();
        let places: Vec<_> = slabs.iter().map(|slab| slab.as_ptr()).collect();
        assert_eq!(pool.used_bytes(), (2 * BYTES, 0));
        drop(slabs);
        assert_eq!(pool.used_bytes(), (0, 2 * BYTES));
        let again = pool.take(2, LEN).unwrap();
        assert!(again.iter().all(|slab| places.contains(&slab.as_ptr())));
        drop(again);

        // Another length takes the idle slabs' room.
        let other = pool.take(1, 2 * LEN).unwrap();
        assert_eq!(other[0].len(), 2 * LEN);
        assert_eq!(pool.used_bytes(), (2 * BYTES, BYTES));
    }

    #[test]
    fn more_than_the_budget_is_an_error_at_once() {
        let pool = SlabPool::new(2 * BYTES);
        let text = pool.take(3, LEN).err().unwrap().to_string();
        assert!(
            text.contains("6291456 bytes of buffers, but their budget is 4194304"),
            "{text}"
        );
        assert!(pool.take(usize::MAX, usize::MAX).is_err());
        assert_eq!(pool.used_bytes(), (0, 0));
    }

    #[test]
    fn waiters_are_served_in_order_and_never_over_budget() {
        let pool = SlabPool::new(3 * BYTES);
        let first = pool.take(2, LEN).unwrap();
        thread::scope(|scope| {
            let large = scope.spawn(|| pool.take(3, LEN).unwrap());
            thread::sleep(Duration::from_millis(50));
            // It would fit, but the large request was there before.
            let small = scope.spawn(|| pool.take(1, LEN).unwrap());
            thread::sleep(Duration::from_millis(50));
            assert!(!large.is_finished() && !small.is_finished());
            drop(first);
            let large = large.join().unwrap();
            assert!(!small.is_finished());
            drop(large);
            drop(small.join().unwrap());
        });
        assert_eq!(pool.used_bytes(), (0, 3 * BYTES));
        thread::scope(|scope| {
            for count in (1..=3).cycle().take(60) {
                let pool = &pool;
                scope.spawn(move || {
                    let slabs = pool.take(count, LEN).unwrap();
                    let (out, idle) = pool.used_bytes();
                    assert!(out + idle <= 3 * BYTES);
                    drop(slabs);
                });
            }
        });
    }
}
