//! Digests of parameter files: computed once per file, and remembered by inode, size and time of modification, in the
//! process and in a small file.
//!
//! The small file stands in the parameter directory or, where that cannot be written, in the user's cache directory. A
//! record whose inode, size or time differs is never used, so a lost or foreign one costs time and nothing else.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use blake2b_simd::State;
use once_cell::sync::Lazy;
use serde::{Deserialize, Serialize};

use crate::config;
use crate::error::{ParameterFault, Result};

/// Digests are blake2b-512, cut to this many hexadecimal digits.
const DIGEST_DIGITS: usize = 32;
const RECORDS: &str = "filcrypto-digests.json";
const BUFFER_BYTES: usize = 4 << 20;
const PROGRESS_EVERY: Duration = Duration::from_secs(10);
/// File systems count time in steps; a file younger than the coarsest of them may change again within one.
const SETTLED_AFTER_NS: i64 = 2_000_000_000;

/// What tells one state of a file from another without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stamp {
    device: u64,
    inode: u64,
    pub bytes: u64,
    modified_ns: i64,
}

impl Stamp {
    pub fn new(metadata: &Metadata) -> Self {
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            bytes: metadata.len(),
            modified_ns: metadata
                .mtime()
                .saturating_mul(1_000_000_000)
                .saturating_add(metadata.mtime_nsec()),
        }
    }

    /// None when there is no such file, or it cannot be looked at.
    pub fn of(file: &Path) -> Option<Self> {
        fs::metadata(file).ok().map(|metadata| Self::new(&metadata))
    }

    /// Whether any later change shows in the time of modification.
    pub fn is_settled(&self) -> bool {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let age = (now.as_nanos() as i64).saturating_sub(self.modified_ns);
        age.saturating_abs() > SETTLED_AFTER_NS
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Record {
    inode: u64,
    bytes: u64,
    modified_ns: i64,
    digest: String,
}

/// By file name.
type Records = BTreeMap<String, Record>;
/// One lock a file, so that hashing a large one keeps nobody waiting who needs another.
type Slot = Arc<Mutex<Option<(Stamp, String)>>>;

static SLOTS: Lazy<Mutex<HashMap<(u64, u64), Slot>>> = Lazy::new(Mutex::default);

/// What other modules keep for the process survives a panic in one of its users.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// The digest of a file, if it is remembered; does not wait where it is being computed.
pub fn known(path: &Path, stamp: &Stamp) -> Option<String> {
    let slot = slot(stamp);
    let mut remembered = slot.try_lock().ok()?;
    recall(path, stamp, &mut remembered)
}

/// The digest of a file: remembered, or computed now and remembered if possible.
pub fn of(path: &Path, file: &File, stamp: &Stamp) -> Result<String> {
    let slot = slot(stamp);
    let mut remembered = lock(&slot);
    if let Some(digest) = recall(path, stamp, &mut remembered) {
        return Ok(digest);
    }
    let settled = stamp.is_settled();
    let unreadable = |source| ParameterFault::Unreadable {
        file: path.to_owned(),
        source,
    };
    let digest = compute(path, file, stamp.bytes).map_err(unreadable)?;
    if Stamp::new(&file.metadata().map_err(unreadable)?) != *stamp {
        return Err(ParameterFault::Changing { file: path.to_owned() }.into());
    }
    if settled {
        *remembered = Some((*stamp, digest.clone()));
        remember(path, stamp, &digest);
    }
    Ok(digest)
}

/// Whether a digest of a file in this directory would be there for the next process.
pub fn can_remember(path: &Path) -> bool {
    places(path)
        .iter()
        .any(|place| create_beside(place).is_ok_and(|(temporary, _)| fs::remove_file(temporary).is_ok()))
}

/// Writes a file so that others see it complete or not at all.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (temporary, mut file) = create_beside(path)?;
    let written = file
        .write_all(bytes)
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // The first error is the one to tell.
        let _ = fs::remove_file(&temporary);
    }
    written
}

fn slot(stamp: &Stamp) -> Slot {
    lock(&SLOTS).entry((stamp.device, stamp.inode)).or_default().clone()
}

fn recall(path: &Path, stamp: &Stamp, remembered: &mut Option<(Stamp, String)>) -> Option<String> {
    if let Some((of, digest)) = remembered {
        if of == stamp {
            return Some(digest.clone());
        }
    }
    let name = path.file_name()?.to_str()?;
    let record = places(path).iter().find_map(|place| {
        let record = read(place).remove(name)?;
        let same =
            record.inode == stamp.inode && record.bytes == stamp.bytes && record.modified_ns == stamp.modified_ns;
        same.then_some(record)
    })?;
    *remembered = Some((*stamp, record.digest.clone()));
    Some(record.digest)
}

fn compute(path: &Path, mut file: &File, bytes: u64) -> io::Result<String> {
    log::debug!("{}: computing the digest of {bytes} bytes", path.display());
    let mut state = State::new();
    let mut buffer = vec![0; BUFFER_BYTES];
    let mut done = 0_u64;
    let mut reported = Instant::now();
    io::Seek::rewind(&mut file)?;
    loop {
        let count = match file.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        state.update(&buffer[..count]);
        done += count as u64;
        if reported.elapsed() >= PROGRESS_EVERY {
            reported = Instant::now();
            let percent = done * 100 / bytes.max(1);
            log::info!(
                "{}: computing the digest, once: {percent} % of {bytes} bytes",
                path.display()
            );
        }
    }
    Ok(state.finalize().to_hex()[..DIGEST_DIGITS].to_owned())
}

/// Where records about a file may stand, best first.
fn places(path: &Path) -> Vec<PathBuf> {
    let Some(directory) = path.parent().and_then(|parent| fs::canonicalize(parent).ok()) else {
        return Vec::new();
    };
    let beside = directory.join(RECORDS);
    let id = blake2b_simd::blake2b(directory.as_os_str().as_encoded_bytes()).to_hex();
    let of_user = config::user_cache().map(|cache| cache.join("filcrypto").join(format!("{}-{RECORDS}", &id[..16])));
    std::iter::once(beside).chain(of_user).collect()
}

/// Nothing where there is no such file, or it is not ours.
fn read(place: &Path) -> Records {
    let bytes = fs::read(place).unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}

fn remember(path: &Path, stamp: &Stamp, digest: &str) {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
        return;
    };
    let record = Record {
        inode: stamp.inode,
        bytes: stamp.bytes,
        modified_ns: stamp.modified_ns,
        digest: digest.to_owned(),
    };
    let stored = places(path).iter().any(|place| {
        let mut records = read(place);
        records.insert(name.to_owned(), record.clone());
        let text = serde_json::to_vec_pretty(&records).unwrap_or_default();
        write_whole(place, &text).is_ok()
    });
    if !stored {
        log::debug!("{}: its digest is remembered by this process alone", path.display());
    }
}

/// A new file beside `path`, for its content to be.
fn create_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let temporary = path.with_file_name(format!(".{name}.{}-{number}.tmp", process::id()));
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)?;
    }
    let file = OpenOptions::new().write(true).create_new(true).open(&temporary)?;
    Ok((temporary, file))
}
