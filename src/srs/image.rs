//! The shared image: a decoded key in a file that every process maps.
//!
//! The first page says what the file holds and which `.params` it was made from; each list of points follows on a page of
//! its own. The image is written under another name, its first page last, and renamed when all of it is on the disk: what
//! is under its name is complete, and what is not complete says so. A process that finds it checks the first page, the
//! size, the owner and the verifying key; all other points are checked by the process that wrote them.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use blake2b_simd::Params;
use blstrs::G1Affine;
use group::prime::PrimeCurveAffine;
use rustix::fs::FallocateFlags;
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use super::crew::work_off;
use super::decode::{blocks, Block, Failure, Job};
use super::key::{Placed, ProvingKey};
use super::layout::{Run, KEY_RUNS, NAMES};
use crate::error::Error;
use crate::math::region::Region;

const MAGIC: &[u8; 16] = b"filcrypto SRS 1\n";
const HEADER_BYTES: usize = 4096;
/// Magic, length and checksum of what follows them.
const PREAMBLE_BYTES: usize = 16 + 4 + CHECKSUM_BYTES;
const CHECKSUM_BYTES: usize = 32;
pub const EXTENSION: &str = "srs-image";

/// What tells one state of a `.params` file from another without reading it. Device numbers are left out: they change when
/// a machine starts anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    pub inode: u64,
    pub bytes: u64,
    pub modified_s: i64,
    pub modified_ns: i64,
}

impl Stamp {
    pub fn new(metadata: &fs::Metadata) -> Self {
        Self {
            inode: metadata.ino(),
            bytes: metadata.len(),
            modified_s: metadata.mtime(),
            modified_ns: metadata.mtime_nsec(),
        }
    }
}

#[derive(Serialize, Deserialize)]
struct Header {
    source: Stamp,
    digest: String,
    /// The generator of G1 as it stands in memory: what cannot read these limbs has other ones.
    generator: String,
    bytes: u64,
    runs: Vec<HeaderRun>,
}

#[derive(Serialize, Deserialize)]
struct HeaderRun {
    name: String,
    offset: u64,
    count: u64,
    checksum: String,
}

/// The files of one image.
pub struct Place {
    pub image: PathBuf,
    lock: PathBuf,
    temporary: PathBuf,
}

/// Why no image could be made; the source itself may be good.
#[derive(Debug)]
pub enum BuildFailure {
    /// The place does not take an image.
    Unavailable(String),
    /// The source is not to be used at all.
    Source(Error),
}

impl Place {
    /// Beside the `.params` file, or in `directory`, which may serve several parameter caches.
    pub fn new(directory: Option<&Path>, params: &Path) -> Self {
        let image = match directory {
            None => params.with_extension(EXTENSION),
            Some(directory) => {
                let whole = fs::canonicalize(params).unwrap_or_else(|_| params.to_owned());
                let cache = blake2b_simd::blake2b(whole.as_os_str().as_encoded_bytes()).to_hex();
                let stem = params.file_stem().unwrap_or_default().to_string_lossy();
                directory.join(format!("{stem}.{}.{EXTENSION}", &cache[..16]))
            }
        };
        let beside = |extension: &str| image.with_extension(format!("{EXTENSION}.{extension}"));
        Self {
            lock: beside("lock"),
            temporary: beside("tmp"),
            image,
        }
    }

    /// The lock that the writer of the image holds; it goes with its process.
    pub fn lock_file(&self) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.read(true).custom_flags(libc::O_NOFOLLOW);
        let writable = options
            .clone()
            .write(true)
            .create(true)
            .truncate(false)
            .open(&self.lock);
        match writable {
            // Where another user made it, reading is enough to lock.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => options.open(&self.lock).or(Err(error)),
            opened => opened,
        }
    }

    /// Changes whenever the writer makes progress.
    pub fn progress(&self) -> Option<(i64, i64)> {
        let metadata = fs::metadata(&self.temporary).ok()?;
        Some((metadata.mtime(), metadata.mtime_nsec()))
    }

    /// Removes the image; processes that map it keep it until they are done. False when there was none.
    pub fn remove(&self) -> io::Result<bool> {
        match fs::remove_file(&self.image) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }
}

/// A complete image of the source that was asked for.
pub struct Image {
    file: File,
    header: Header,
    runs: Vec<Placed>,
}

/// Why an image is not used.
#[derive(Debug)]
pub enum Unusable {
    Absent,
    Because(String),
}

impl Image {
    pub fn open(place: &Place, source: &fs::Metadata) -> Result<Self, Unusable> {
        let because = |reason: &str| Unusable::Because(reason.to_owned());
        let opened = OpenOptions::new()
            .read(true)
            .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK)
            .open(&place.image);
        let file = match opened {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(Unusable::Absent),
            Err(error) => return Err(Unusable::Because(error.to_string())),
        };
        let metadata = file.metadata().map_err(|error| because(&error.to_string()))?;
        if !is_ours(&metadata, source) {
            return Err(because("another user owns it or may write to it"));
        }
        let mut page = [0; HEADER_BYTES];
        file.read_exact_at(&mut page, 0).map_err(|_| because("it is torn"))?;
        let header = Header::parse(&page).map_err(because)?;
        let runs = header
            .placed()
            .ok_or_else(|| because("its lists of points are out of order"))?;
        if header.source != Stamp::new(source) {
            return Err(because("it was made from another state of the parameter file"));
        }
        if metadata.len() != header.bytes {
            return Err(because("it is truncated"));
        }
        Ok(Self { file, header, runs })
    }

    pub fn bytes(&self) -> u64 {
        self.header.bytes
    }

    /// Maps the image, with the points of the verifying key compared with their checksums.
    pub fn map(self) -> Result<ProvingKey, Unusable> {
        self.map_with(|header, region, runs| header.check(region, &runs[..KEY_RUNS], 1))
    }

    /// Like [`Image::map`], with all points compared.
    pub fn map_checked(self, threads: usize) -> Result<ProvingKey, Unusable> {
        self.map_with(|header, region, runs| header.check(region, runs, threads))
    }

    fn map_with(
        self,
        check: impl FnOnce(&Header, &Region, &[Placed]) -> Result<(), Unusable>,
    ) -> Result<ProvingKey, Unusable> {
        let region = Region::shared(&self.file, self.header.bytes as usize)
            .map_err(|error| Unusable::Because(error.to_string()))?;
        check(&self.header, &region, &self.runs)?;
        Ok(ProvingKey::new(region, self.runs, self.header.digest))
    }
}

/// The owner of an image could change it under those who map it.
fn is_ours(image: &fs::Metadata, source: &fs::Metadata) -> bool {
    let me = fs::metadata("/proc/self").map(|process| process.uid()).ok();
    let owner = image.uid();
    let trusted = owner == 0 || owner == source.uid() || Some(owner) == me;
    image.is_file() && trusted && image.mode() & 0o022 == 0
}

impl Header {
    fn parse(page: &[u8; HEADER_BYTES]) -> Result<Self, &'static str> {
        if !page.starts_with(MAGIC) {
            return Err("it is not an image of this version, or was never completed");
        }
        let length = u32::from_le_bytes([page[16], page[17], page[18], page[19]]) as usize;
        let text = page[PREAMBLE_BYTES..]
            .get(..length)
            .ok_or("its first page is damaged")?;
        if page[20..PREAMBLE_BYTES] != *checksum(text).as_bytes() {
            return Err("its first page is damaged");
        }
        let header: Self = serde_json::from_slice(text).map_err(|_| "its first page is damaged")?;
        match header.generator == generator() {
            true => Ok(header),
            false => Err("it was made for another kind of machine"),
        }
    }

    fn to_page(&self) -> io::Result<[u8; HEADER_BYTES]> {
        let text = serde_json::to_vec(self)?;
        let mut page = [0; HEADER_BYTES];
        page[..16].copy_from_slice(MAGIC);
        page[16..20].copy_from_slice(&(text.len() as u32).to_le_bytes());
        page[20..PREAMBLE_BYTES].copy_from_slice(checksum(&text).as_bytes());
        page[PREAMBLE_BYTES..][..text.len()].copy_from_slice(&text);
        Ok(page)
    }

    /// The runs, if they lie where this version puts them.
    fn placed(&self) -> Option<Vec<Placed>> {
        let names = NAMES.iter().map(|(name, _)| *name);
        if !self.runs.iter().map(|run| run.name.as_str()).eq(names) {
            return None;
        }
        let runs: Vec<Run> = self
            .runs
            .iter()
            .zip(NAMES)
            .map(|(run, (name, group))| Run {
                name,
                group,
                offset: 0,
                count: run.count.min(u32::MAX.into()),
            })
            .collect();
        let (placed, end) = super::key::place(&runs);
        let same = placed
            .iter()
            .zip(&self.runs)
            .all(|(placed, run)| placed.offset == run.offset);
        (same && end == self.bytes).then_some(placed)
    }

    fn check(&self, region: &Region, runs: &[Placed], threads: usize) -> Result<(), Unusable> {
        let sums = run_checksums(region.bytes(), runs, threads);
        match self.runs.iter().zip(&sums).find(|(run, sum)| run.checksum != **sum) {
            Some((run, _)) => Err(Unusable::Because(format!("its list {} is damaged", run.name))),
            None => Ok(()),
        }
    }
}

fn checksum(bytes: &[u8]) -> blake2b_simd::Hash {
    Params::new().hash_length(CHECKSUM_BYTES).hash(bytes)
}

/// Of each run, over the checksums of its blocks.
fn run_checksums(bytes: &[u8], placed: &[Placed], threads: usize) -> Vec<String> {
    let runs: Vec<Run> = placed.iter().map(Placed::run_there).collect();
    let sums: Vec<OnceLock<blake2b_simd::Hash>> = blocks(&runs).map(|_| OnceLock::new()).collect();
    work_off(threads, blocks(&runs).zip(&sums), || {
        |(block, sum): (Block, &OnceLock<_>)| {
            sum.get_or_init(|| checksum(&bytes[block.source as usize..][..block.bytes()]));
            true
        }
    });
    by_run(&runs, sums)
}

fn by_run(runs: &[Run], sums: Vec<OnceLock<blake2b_simd::Hash>>) -> Vec<String> {
    let mut sums = sums.into_iter().filter_map(OnceLock::into_inner);
    let blocks_of = |run| blocks(std::slice::from_ref(run)).count();
    runs.iter()
        .map(|run| joined(sums.by_ref().take(blocks_of(run))))
        .collect()
}

fn joined(sums: impl Iterator<Item = blake2b_simd::Hash>) -> String {
    let mut state = Params::new().hash_length(CHECKSUM_BYTES).to_state();
    for sum in sums {
        state.update(sum.as_bytes());
    }
    state.finalize().to_hex().to_string()
}

fn generator() -> String {
    let generator = G1Affine::generator();
    let point = generator.as_ref();
    let limbs = point.x.l.into_iter().chain(point.y.l);
    limbs
        .flat_map(u64::to_ne_bytes)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Decodes into a new image and puts it in its place. The caller holds the lock.
pub fn build(
    place: &Place,
    job: &Job<'_>,
    runs: &[Run],
    digest: impl FnOnce() -> crate::error::Result<String> + Send,
) -> Result<ProvingKey, BuildFailure> {
    let unavailable = |error: io::Error| BuildFailure::Unavailable(error.to_string());
    let source = job.file.metadata().map_err(unavailable)?;
    let (placed, bytes) = super::key::place(runs);
    let draft = Draft::create(place, bytes).map_err(unavailable)?;

    let sums: Vec<OnceLock<blake2b_simd::Hash>> = blocks(runs).map(|_| OnceLock::new()).collect();
    let work = blocks(runs).zip(&sums).map(|(block, sum)| {
        let offset = placed[block.run].offset + block.start * block.group.point_bytes() as u64;
        let (file, sum) = (&draft.file, sum);
        (block, move |decoded: &[u8]| {
            sum.get_or_init(|| checksum(decoded));
            file.write_all_at(decoded, offset)
        })
    });
    let digest = job.run_with(work, digest).map_err(|failure| match failure {
        Failure::Source(error) => BuildFailure::Source(error),
        Failure::Place(error) => unavailable(error),
    })?;

    let sums = by_run(runs, sums);
    let header_runs = runs
        .iter()
        .zip(&placed)
        .zip(sums)
        .map(|((run, placed), checksum)| HeaderRun {
            name: run.name.to_owned(),
            offset: placed.offset,
            count: placed.count,
            checksum,
        });
    let header = Header {
        source: Stamp::new(&source),
        digest,
        generator: generator(),
        bytes,
        runs: header_runs.collect(),
    };
    draft.publish(header, placed, job.threads).map_err(unavailable)
}

/// An image that is being written. Unless it is published it disappears.
struct Draft<'a> {
    place: &'a Place,
    file: File,
    published: bool,
}

impl<'a> Draft<'a> {
    fn create(place: &'a Place, bytes: u64) -> io::Result<Self> {
        if file_size_limit().is_some_and(|limit| limit < bytes) {
            // Beyond it the process would be ended by a signal.
            return Err(io::Error::other(format!(
                "{bytes} bytes are over the file size limit of this process"
            )));
        }
        match fs::remove_file(&place.temporary) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            // What was there had lost its writer.
            _ => {}
        }
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create_new(true)
            .mode(0o644)
            .open(&place.temporary)?;
        let draft = Self {
            place,
            file,
            published: false,
        };
        // A full disk is known before the work.
        match rustix::fs::fallocate(&draft.file, FallocateFlags::empty(), 0, bytes) {
            Err(Errno::OPNOTSUPP) => draft.file.set_len(bytes)?,
            allocated => allocated?,
        }
        Ok(draft)
    }

    /// Reads the lists back, writes the first page and lets the image appear.
    fn publish(mut self, header: Header, placed: Vec<Placed>, threads: usize) -> io::Result<ProvingKey> {
        let place = self.place;
        self.file.sync_data()?;
        let region = Region::shared(&self.file, header.bytes as usize)?;
        if let Err(Unusable::Because(reason)) = header.check(&region, &placed, threads) {
            return Err(io::Error::other(format!(
                "what was written does not come back: {reason}"
            )));
        }
        self.file.write_all_at(&header.to_page()?, 0)?;
        self.file.set_permissions(fs::Permissions::from_mode(0o444))?;
        self.file.sync_all()?;
        fs::rename(&place.temporary, &place.image)?;
        self.published = true;
        if let Some(Err(error)) = place.image.parent().map(|directory| File::open(directory)?.sync_all()) {
            log::debug!(
                "{}: its directory cannot be synchronised: {error}",
                place.image.display()
            );
        }
        Ok(ProvingKey::new(region, placed, header.digest))
    }
}

impl Drop for Draft<'_> {
    fn drop(&mut self) {
        if !self.published {
            if let Err(error) = fs::remove_file(&self.place.temporary) {
                log::warn!("{}: cannot be removed: {error}", self.place.temporary.display());
            }
        }
    }
}

/// The soft limit on the size of files that this process writes.
fn file_size_limit() -> Option<u64> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max file size"))?;
    line.split_whitespace().next()?.parse().ok()
}
