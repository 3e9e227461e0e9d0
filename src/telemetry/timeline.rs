//! A timeline of spans, as the JSON that Perfetto and Chrome's tracing open: one track for each thread.
//!
//! Nothing is kept unless a recording runs; then a span costs two readings of the clock and one push under a lock.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use serde_json::{json, Value};

use crate::error::{Error, Result};

/// What a recording keeps; later spans are counted and left out.
const MAX_SPANS: usize = 1 << 20;

/// The number of the recording that runs; 0 for none.
static RUNNING: AtomicU64 = AtomicU64::new(0);
static RECORDING: Mutex<Option<Recording>> = Mutex::new(None);

struct Recording {
    number: u64,
    path: PathBuf,
    file: File,
    start: Instant,
    spans: Vec<Finished>,
    left_out: u64,
    tracks: BTreeMap<u32, String>,
}

struct Finished {
    name: &'static str,
    detail: Option<String>,
    track: u32,
    start: Instant,
    end: Instant,
}

/// Starts a recording, to be written to `path` when it is stopped. The file is made at once; one recording runs at a time.
pub fn start(path: &Path) -> Result<()> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let mut recording = lock();
    if let Some(running) = &*recording {
        return Err(Error::message(format!(
            "a timeline is being recorded for {}: stop it first",
            running.path.display()
        )));
    }
    let file = File::create(path)
        .map_err(|error| Error::message(format!("timeline {}: cannot be written: {error}", path.display())))?;
    let number = NUMBER.fetch_add(1, Ordering::Relaxed) + 1;
    *recording = Some(Recording {
        number,
        path: path.to_owned(),
        file,
        start: Instant::now(),
        spans: Vec::new(),
        left_out: 0,
        tracks: BTreeMap::new(),
    });
    RUNNING.store(number, Ordering::Release);
    Ok(())
}

/// Ends the recording and writes its file; returns the number of spans in it. Spans that have not ended are not in it.
pub fn stop() -> Result<usize> {
    let ended = {
        let mut recording = lock();
        RUNNING.store(0, Ordering::Release);
        recording.take()
    };
    let ended = ended.ok_or_else(|| Error::message("no timeline is being recorded: start one first"))?;
    if ended.left_out > 0 {
        log::warn!(
            "timeline {}: {} spans are left out",
            ended.path.display(),
            ended.left_out
        );
    }
    let count = ended.spans.len();
    let path = ended.path.clone();
    let written = ended.write();
    written.map_err(|error| Error::message(format!("timeline {}: cannot be written: {error}", path.display())))?;
    Ok(count)
}

/// Begins a span of this thread; it ends when the value is dropped, and spans of one thread end in the reverse of the order
/// in which they begin.
pub fn span(name: &'static str) -> Span {
    span_with(name, || None)
}

/// Like [`span`], with words about the instance; they are only made while a recording runs.
pub fn span_of(name: &'static str, detail: impl FnOnce() -> String) -> Span {
    span_with(name, || Some(detail()))
}

fn span_with(name: &'static str, detail: impl FnOnce() -> Option<String>) -> Span {
    let recording = RUNNING.load(Ordering::Acquire);
    Span((recording != 0).then(|| Open {
        recording,
        name,
        detail: detail(),
        start: Instant::now(),
    }))
}

/// Ends its span when it is dropped, on the thread that began it.
#[must_use]
pub struct Span(Option<Open>);

struct Open {
    recording: u64,
    name: &'static str,
    detail: Option<String>,
    start: Instant,
}

impl Drop for Span {
    fn drop(&mut self) {
        let Some(open) = self.0.take() else { return };
        let end = Instant::now();
        let mut recording = lock();
        let Some(recording) = recording.as_mut().filter(|running| running.number == open.recording) else {
            return;
        };
        let track = track();
        recording.tracks.entry(track).or_insert_with(|| track_name(track));
        if recording.spans.len() == MAX_SPANS || recording.spans.try_reserve(1).is_err() {
            recording.left_out += 1;
            return;
        }
        recording.spans.push(Finished {
            name: open.name,
            detail: open.detail,
            track,
            start: open.start,
            end,
        });
    }
}

fn lock() -> MutexGuard<'static, Option<Recording>> {
    RECORDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A small number for this thread.
fn track() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    thread_local!(static TRACK: Cell<u32> = const { Cell::new(0) });
    TRACK.with(|track| {
        if track.get() == 0 {
            track.set(NEXT.fetch_add(1, Ordering::Relaxed));
        }
        track.get()
    })
}

fn track_name(track: u32) -> String {
    match std::thread::current().name() {
        Some(name) => format!("{name} {track}"),
        None => format!("caller {track}"),
    }
}

impl Recording {
    fn write(self) -> std::io::Result<()> {
        let process = std::process::id();
        let microseconds = |instant: Instant| instant.saturating_duration_since(self.start).as_nanos() as f64 / 1000.0;
        let mut out = BufWriter::new(&self.file);
        out.write_all(b"{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n")?;
        let meta = |name: &str, track: u32, value: &str| json!({"ph": "M", "pid": process, "tid": track, "name": name, "args": {"name": value}});
        serde_json::to_writer(&mut out, &meta("process_name", 0, "filcrypto"))?;
        for (track, name) in &self.tracks {
            out.write_all(b",\n")?;
            serde_json::to_writer(&mut out, &meta("thread_name", *track, name))?;
        }
        for span in &self.spans {
            let start = microseconds(span.start);
            let mut event = json!({
                "ph": "X", "pid": process, "tid": span.track, "cat": "filcrypto", "name": span.name,
                "ts": start, "dur": microseconds(span.end) - start,
            });
            if let Some(detail) = &span.detail {
                event["args"] = json!({"of": Value::from(detail.as_str())});
            }
            out.write_all(b",\n")?;
            serde_json::to_writer(&mut out, &event)?;
        }
        out.write_all(b"\n]}\n")?;
        out.flush()
    }
}
