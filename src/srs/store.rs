//! The store: which keys are resident, who leases them, and which one goes when another needs the room.
//!
//! All state is behind one lock, which is never held during a load or an unmap. A key is in one [`State`]; every change of
//! state wakes all who wait. Room for a load is reserved as a whole before the load begins, and a load waits for nothing but
//! leases to end, for a bounded time.

use std::collections::{HashMap, HashSet};
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::image::Place;
use super::key::ProvingKey;
use super::load::{load, Origin, Source};
use crate::error::{Error, Result};
use crate::telemetry::timeline;

#[derive(Clone, Debug)]
pub struct Options {
    /// What all resident keys may take together.
    pub budget_bytes: u64,
    /// Where images are written; None is beside the `.params` file.
    pub image_directory: Option<PathBuf>,
    /// Also check that every point is in the prime-order subgroup.
    pub check_subgroup: bool,
    /// For decoding.
    pub threads: usize,
    /// How long a load waits for leases of other keys to end when all room is leased.
    pub lease_wait: Duration,
    /// After this time without progress of another process that writes the image, a load stops waiting for it.
    pub stalled_after: Duration,
}

enum State {
    Cold,
    /// One thread loads; the room is reserved once its size is known.
    Loading {
        bytes: u64,
        attempt: Arc<Attempt>,
    },
    Resident {
        key: Arc<ProvingKey>,
        leases: usize,
        /// When the last lease began or ended, on the clock of the book.
        last_used: u64,
    },
    /// The memory is being given back.
    Evicting {
        bytes: u64,
    },
}

impl State {
    fn bytes(&self) -> u64 {
        match self {
            Self::Cold => 0,
            Self::Loading { bytes, .. } | Self::Evicting { bytes } => *bytes,
            Self::Resident { key, .. } => key.bytes(),
        }
    }
}

/// One load and all who wait for it.
#[derive(Default)]
struct Attempt {
    failure: Mutex<Option<Arc<Error>>>,
}

#[derive(Default)]
struct Book {
    states: HashMap<String, State>,
    /// Counts leases.
    clock: u64,
    /// Directories that were found to take no images.
    warned: HashSet<PathBuf>,
}

impl Book {
    fn used(&self) -> u64 {
        self.states.values().map(State::bytes).sum()
    }

    fn leases(&self) -> usize {
        let leases = |state: &State| match state {
            State::Resident { leases, .. } => *leases,
            _ => 0,
        };
        self.states.values().map(leases).sum()
    }

    fn tick(&mut self) -> u64 {
        self.clock += 1;
        self.clock
    }

    /// The idle key that was used least recently.
    fn least_recent(&self) -> Option<String> {
        let idle = self.states.iter().filter_map(|(id, state)| match state {
            State::Resident {
                leases: 0, last_used, ..
            } => Some((last_used, id)),
            _ => None,
        });
        idle.min().map(|(_, id)| id.clone())
    }

    fn set(&mut self, id: &str, state: State) {
        self.states.insert(id.to_owned(), state);
    }
}

struct Shared {
    options: Options,
    book: Mutex<Book>,
    changed: Condvar,
}

/// A handle; clones are the same store.
#[derive(Clone)]
pub struct Store(Arc<Shared>);

/// A key in use. It stays in memory until the last lease is dropped.
pub struct Lease {
    store: Store,
    id: String,
    key: Arc<ProvingKey>,
}

impl Deref for Lease {
    type Target = ProvingKey;

    fn deref(&self) -> &ProvingKey {
        &self.key
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let mut book = self.store.lock();
        let now = book.tick();
        if let Some(State::Resident { leases, last_used, .. }) = book.states.get_mut(&self.id) {
            *leases -= 1;
            *last_used = now;
        }
        self.store.announce(&book);
    }
}

/// One key in the store's book.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Status {
    pub id: String,
    /// `cold`, `loading`, `resident` or `evicting`.
    pub state: &'static str,
    pub bytes: u64,
    pub leases: usize,
    /// Whether other processes share the memory.
    pub shared: bool,
}

impl Store {
    pub fn new(options: Options) -> Self {
        Self(Arc::new(Shared {
            options,
            book: Mutex::default(),
            changed: Condvar::new(),
        }))
    }

    pub fn options(&self) -> &Options {
        &self.0.options
    }

    /// The key of a source: resident, or loaded now. Threads that ask for a key that is being loaded wait for that load and
    /// share its outcome.
    pub fn lease(&self, source: &Source<'_>) -> Result<Lease> {
        let mut book = self.lock();
        loop {
            let now = book.tick();
            match book.states.entry(source.id.to_owned()).or_insert(State::Cold) {
                State::Resident { key, leases, last_used } => {
                    *leases += 1;
                    *last_used = now;
                    let key = key.clone();
                    self.announce(&book);
                    return Ok(self.leased(source.id, key));
                }
                State::Loading { attempt, .. } => {
                    let attempt = attempt.clone();
                    let span = timeline::span_of("wait for SRS", || source.id.to_owned());
                    book = self.wait(book);
                    drop(span);
                    let failure = attempt.failure.lock().unwrap_or_else(PoisonError::into_inner);
                    if let Some(error) = &*failure {
                        return Err(Error::Shared(error.clone()));
                    }
                }
                State::Evicting { .. } => book = self.wait(book),
                state @ State::Cold => {
                    let attempt = Arc::<Attempt>::default();
                    *state = State::Loading {
                        bytes: 0,
                        attempt: attempt.clone(),
                    };
                    drop(book);
                    return self.load(source, attempt);
                }
            }
        }
    }

    /// Gives the memory of an idle key back; false when it was not resident.
    pub fn evict(&self, id: &str) -> Result<bool> {
        let mut book = self.lock();
        loop {
            match book.states.get(id) {
                None | Some(State::Cold) => return Ok(false),
                Some(State::Evicting { .. }) => book = self.wait(book),
                Some(State::Loading { .. }) => {
                    return Err(Error::message(format!("SRS {id} is being loaded: evict it later")));
                }
                Some(State::Resident { leases: 0, .. }) => {
                    drop(self.give_back(book, id));
                    return Ok(true);
                }
                Some(State::Resident { leases, .. }) => {
                    return Err(Error::message(format!(
                        "SRS {id} is in use by {leases} proofs: evict it when they are done"
                    )));
                }
            }
        }
    }

    /// All keys that were ever asked for, by id.
    pub fn status(&self) -> Vec<Status> {
        let book = self.lock();
        let mut all: Vec<Status> = book.states.iter().map(|(id, state)| status(id, state)).collect();
        all.sort_by(|a, b| a.id.cmp(&b.id));
        all
    }

    /// Of all keys together, with those that are being loaded.
    pub fn used_bytes(&self) -> u64 {
        self.lock().used()
    }

    fn load(&self, source: &Source<'_>, attempt: Arc<Attempt>) -> Result<Lease> {
        // Whatever way this ends, nobody waits for ever.
        let mut settle = Settle {
            store: self,
            id: source.id,
            attempt: &attempt,
            outcome: None,
        };
        let admit = |bytes| self.reserve(source.id, bytes, &attempt);
        let warn = |place: &Place, reason: &str| self.warn_private(place, reason);
        let start = Instant::now();
        let span = timeline::span_of("load SRS", || source.id.to_owned());
        let loaded = load(source, &self.0.options, admit, warn);
        drop(span);
        match loaded {
            Ok((key, origin)) => {
                let key = Arc::new(key);
                tell_load(source, &key, origin, start.elapsed());
                settle.outcome = Some(Ok(key.clone()));
                drop(settle);
                Ok(self.leased(source.id, key))
            }
            Err(error) => {
                metrics::counter!("filcrypto_srs_load_failures_total").increment(1);
                let error = Arc::new(error);
                settle.outcome = Some(Err(error.clone()));
                drop(settle);
                Err(Error::Shared(error))
            }
        }
    }

    /// Reserves room for a load: evicts idle keys, least recently used first, and waits for leases to end if it must.
    fn reserve(&self, id: &str, bytes: u64, attempt: &Arc<Attempt>) -> Result<()> {
        let budget = self.0.options.budget_bytes;
        if bytes > budget {
            return Err(Error::message(format!(
                "SRS {id} takes {bytes} bytes, and the budget for all is {budget}: free memory or raise FILCRYPTO_SRS_BUDGET"
            )));
        }
        let deadline = Instant::now() + self.0.options.lease_wait;
        let mut span = None;
        let mut book = self.lock();
        while book.used() + bytes > budget {
            if let Some(idle) = book.least_recent() {
                book = self.give_back(book, &idle);
                continue;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(no_room(id, bytes, budget, &book, self.0.options.lease_wait));
            }
            span.get_or_insert_with(|| timeline::span_of("wait for SRS room", || id.to_owned()));
            let waited = self.0.changed.wait_timeout(book, left);
            book = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        let attempt = attempt.clone();
        book.set(id, State::Loading { bytes, attempt });
        self.announce(&book);
        Ok(())
    }

    /// Evicts an idle key. The lock is released while its memory is unmapped.
    fn give_back<'a>(&'a self, mut book: MutexGuard<'a, Book>, id: &str) -> MutexGuard<'a, Book> {
        let Some(State::Resident { key, leases: 0, .. }) = book.states.remove(id) else {
            unreachable!("only idle resident keys are given back, and the lock was held since that was seen");
        };
        let bytes = key.bytes();
        book.set(id, State::Evicting { bytes });
        drop(book);
        let span = timeline::span_of("unmap SRS", || id.to_owned());
        drop(key);
        drop(span);
        log::info!("SRS {id}: evicted, {bytes} bytes");
        let mut book = self.lock();
        book.set(id, State::Cold);
        self.announce(&book);
        metrics::counter!("filcrypto_srs_evictions_total").increment(1);
        book
    }

    fn warn_private(&self, place: &Place, reason: &str) {
        let directory = place.image.parent().map(PathBuf::from).unwrap_or_default();
        if self.lock().warned.insert(directory) {
            log::warn!(
                "{}: cannot be written ({reason}): this process keeps its SRS in private memory, and others decode their own; \
                 set FILCRYPTO_SRS_IMAGE_DIR to a directory with room",
                place.image.display()
            );
        }
    }

    fn leased(&self, id: &str, key: Arc<ProvingKey>) -> Lease {
        Lease {
            store: self.clone(),
            id: id.to_owned(),
            key,
        }
    }

    /// After a change of the book: wakes all who wait for one, and updates what is counted.
    fn announce(&self, book: &Book) {
        self.0.changed.notify_all();
        metrics::gauge!("filcrypto_srs_used_bytes").set(book.used() as f64);
        metrics::gauge!("filcrypto_srs_leases").set(book.leases() as f64);
    }

    /// A panic of another thread leaves the book whole: every change of it is one assignment.
    fn lock(&self) -> MutexGuard<'_, Book> {
        self.0.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, book: MutexGuard<'a, Book>) -> MutexGuard<'a, Book> {
        self.0.changed.wait(book).unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends a load, also when it panics.
struct Settle<'a> {
    store: &'a Store,
    id: &'a str,
    attempt: &'a Attempt,
    outcome: Option<Result<Arc<ProvingKey>, Arc<Error>>>,
}

impl Drop for Settle<'_> {
    fn drop(&mut self) {
        let panicked = || {
            Err(Arc::new(Error::message(format!(
                "loading SRS {} failed with a panic",
                self.id
            ))))
        };
        let outcome = self.outcome.take().unwrap_or_else(panicked);
        let mut book = self.store.lock();
        let last_used = book.tick();
        match outcome {
            Ok(key) => {
                // The lease of the thread that loaded.
                let leases = 1;
                book.set(self.id, State::Resident { key, leases, last_used });
            }
            Err(error) => {
                *self.attempt.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                book.set(self.id, State::Cold);
            }
        }
        self.store.announce(&book);
    }
}

fn tell_load(source: &Source<'_>, key: &ProvingKey, origin: Origin, spent: Duration) {
    let (how, label) = match origin {
        Origin::Image => ("mapped from its image", "image"),
        Origin::NewImage => ("decoded into a new image", "new_image"),
        Origin::Private => ("decoded into private memory", "private"),
    };
    log::info!(
        "SRS {}: {how} in {:.3} s, {} bytes",
        source.id,
        spent.as_secs_f64(),
        key.bytes()
    );
    metrics::counter!("filcrypto_srs_loads_total", "origin" => label).increment(1);
    metrics::histogram!("filcrypto_srs_load_seconds", "origin" => label).record(spent.as_secs_f64());
}

fn no_room(id: &str, bytes: u64, budget: u64, book: &Book, waited: Duration) -> Error {
    let mut holders: Vec<String> = book
        .states
        .iter()
        .filter(|(_, state)| state.bytes() > 0)
        .map(|(id, state)| {
            let status = status(id, state);
            format!(
                "{id} ({}, {} bytes, {} leases)",
                status.state, status.bytes, status.leases
            )
        })
        .collect();
    holders.sort();
    Error::message(format!(
        "SRS {id} takes {bytes} bytes of a budget of {budget}, and after {} s this is still in use: {}; raise \
         FILCRYPTO_SRS_BUDGET or run fewer kinds of proofs at once",
        waited.as_secs(),
        holders.join(", ")
    ))
}

fn status(id: &str, state: &State) -> Status {
    let (name, leases, shared) = match state {
        State::Cold => ("cold", 0, false),
        State::Loading { .. } => ("loading", 0, false),
        State::Resident { key, leases, .. } => ("resident", *leases, key.is_shared()),
        State::Evicting { .. } => ("evicting", 0, false),
    };
    Status {
        id: id.to_owned(),
        state: name,
        bytes: state.bytes(),
        leases,
        shared,
    }
}
