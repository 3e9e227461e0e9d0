//! A sign of life: while long work runs, one line in the log every 30 seconds says what it is and how far it is.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use once_cell::sync::Lazy;
use serde::Serialize;

use super::progress::Progress;

const INTERVAL: Duration = Duration::from_secs(30);

static HEARTBEAT: Lazy<Arc<Heartbeat>> = Lazy::new(|| Heartbeat::new(INTERVAL, |line| log::info!("{line}")));

/// Begins a piece of long work; it ends when the value is dropped.
pub fn watch(subject: impl Into<String>) -> Watch {
    HEARTBEAT.watch(subject.into())
}

/// All long work that runs now.
pub fn working() -> Vec<Work> {
    let list = HEARTBEAT.lock();
    list.work.values().map(|entry| entry.now()).collect()
}

/// One piece of long work, as it stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Work {
    pub subject: String,
    pub phase: String,
    /// Steps of the phase; `total` is null when it is not known.
    pub done: u64,
    pub total: Option<u64>,
    /// Since the work began.
    pub seconds: f64,
    /// Left in this phase, at the speed so far.
    pub seconds_left: Option<f64>,
}

impl Work {
    fn line(&self) -> String {
        let mut line = format!("{}: {}", self.subject, self.phase);
        if let Some(total) = self.total.filter(|total| *total > 0) {
            line += &format!(" {} %", self.done * 100 / total);
        }
        line += &format!(", {:.0} s", self.seconds);
        if let Some(left) = self.seconds_left {
            line += &format!(", about {left:.0} s left");
        }
        line
    }
}

struct Heartbeat {
    interval: Duration,
    say: Box<dyn Fn(&str) + Send + Sync>,
    list: Mutex<List>,
    changed: Condvar,
}

#[derive(Default)]
struct List {
    work: BTreeMap<u64, Arc<Entry>>,
    next: u64,
    /// Whether a thread beats; it ends when there is no work.
    beating: bool,
}

struct Entry {
    subject: String,
    start: Instant,
    phase: Mutex<Phase>,
    done: AtomicU64,
}

struct Phase {
    name: String,
    total: Option<u64>,
    start: Instant,
}

impl Entry {
    fn now(&self) -> Work {
        let phase = self.phase.lock().unwrap_or_else(PoisonError::into_inner);
        let done = self.done.load(Ordering::Relaxed);
        let spent = phase.start.elapsed().as_secs_f64();
        let left = phase.total.filter(|total| done > 0 && done <= *total);
        Work {
            subject: self.subject.clone(),
            phase: phase.name.clone(),
            done,
            total: phase.total,
            seconds: self.start.elapsed().as_secs_f64(),
            seconds_left: left.map(|total| spent * (total - done) as f64 / done as f64),
        }
    }
}

/// A piece of work that the heartbeat tells of.
pub struct Watch {
    heartbeat: Arc<Heartbeat>,
    number: u64,
    entry: Arc<Entry>,
}

impl Progress for Watch {
    fn begin(&self, phase: &str, total: Option<u64>) {
        let mut current = self.entry.phase.lock().unwrap_or_else(PoisonError::into_inner);
        self.entry.done.store(0, Ordering::Relaxed);
        *current = Phase {
            name: phase.to_owned(),
            total,
            start: Instant::now(),
        };
    }

    fn advance(&self, steps: u64) {
        self.entry.done.fetch_add(steps, Ordering::Relaxed);
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let mut list = self.heartbeat.lock();
        list.work.remove(&self.number);
        if list.work.is_empty() {
            self.heartbeat.changed.notify_all();
        }
    }
}

impl Heartbeat {
    fn new(interval: Duration, say: impl Fn(&str) + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Self {
            interval,
            say: Box::new(say),
            list: Mutex::default(),
            changed: Condvar::new(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, List> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn watch(self: &Arc<Self>, subject: String) -> Watch {
        let start = Instant::now();
        let entry = Arc::new(Entry {
            subject,
            start,
            phase: Mutex::new(Phase {
                name: "begins".to_owned(),
                total: None,
                start,
            }),
            done: AtomicU64::new(0),
        });
        let mut list = self.lock();
        list.next += 1;
        let number = list.next;
        list.work.insert(number, entry.clone());
        if !list.beating {
            let heartbeat = self.clone();
            let thread = thread::Builder::new().name("filcrypto heartbeat".to_owned());
            match thread.spawn(move || heartbeat.beat()) {
                Ok(_) => list.beating = true,
                Err(error) => log::debug!("no heartbeat: {error}"),
            }
        }
        drop(list);
        Watch {
            heartbeat: self.clone(),
            number,
            entry,
        }
    }

    fn beat(&self) {
        let mut list = self.lock();
        let mut next = Instant::now() + self.interval;
        while !list.work.is_empty() {
            let left = next.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let lines: Vec<String> = list.work.values().map(|entry| entry.now().line()).collect();
                drop(list);
                (self.say)(&format!("at work: {}", lines.join("; ")));
                next += self.interval;
                list = self.lock();
            } else {
                let waited = self.changed.wait_timeout(list, left);
                list = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
        }
        list.beating = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_beats_while_there_is_work_and_ends_after() {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let heard = lines.clone();
        let heartbeat = Heartbeat::new(Duration::from_millis(20), move |line| {
            heard.lock().unwrap().push(line.to_owned())
        });
        let watch = heartbeat.watch("SRS x".to_owned());
        watch.begin("decode", Some(200));
        watch.advance(50);
        let deadline = Instant::now() + Duration::from_secs(30);
        while lines.lock().unwrap().len() < 2 {
            assert!(Instant::now() < deadline, "no two beats");
            thread::sleep(Duration::from_millis(5));
        }
        drop(watch);
        while heartbeat.lock().beating {
            assert!(Instant::now() < deadline, "it goes on without work");
            thread::sleep(Duration::from_millis(5));
        }
        let lines = lines.lock().unwrap();
        assert!(
            lines[0].starts_with("at work: SRS x: decode 25 %, 0 s, about "),
            "{lines:?}"
        );
    }
}
