//! One load: the shared image if there is a good one, else a new image, else private memory.

use std::fs::{File, Metadata};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use super::decode::{blocks, Failure, Job};
use super::image::{self, BuildFailure, Image, Place, Unusable};
use super::key::{self, Placed, ProvingKey};
use super::layout::{self, Run};
use super::store::Options;
use crate::error::{Error, Result};
use crate::math::region::Region;
use crate::telemetry::heartbeat::{watch, Watch};
use crate::telemetry::progress::Progress;
use crate::telemetry::timeline;

/// How often a process looks whether another one has completed the image.
const POLL: Duration = Duration::from_millis(20);

/// A `.params` file.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// Of the circuit.
    pub id: &'a str,
    pub path: &'a Path,
    /// Gives the first 32 hexadecimal digits of the file's BLAKE2b-512; called when the file is decoded, on a thread of its
    /// own meanwhile.
    pub digest: &'a (dyn Fn() -> Result<String> + Sync),
}

/// How a key was come by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Another process, or an earlier one, had decoded it.
    Image,
    /// Decoded into an image.
    NewImage,
    /// Decoded into private memory.
    Private,
}

/// Loads a key. `admit` is called once, with the bytes that it will take, before they are taken. `warn` is called when the
/// memory cannot be shared.
pub(super) fn load(
    source: &Source<'_>,
    options: &Options,
    admit: impl FnOnce(u64) -> Result<()>,
    warn: impl FnOnce(&Place, &str),
) -> Result<(ProvingKey, Origin)> {
    let opened = OpenSource::new(source)?;
    let place = Place::new(options.image_directory.as_deref(), source.path);
    let mut admit = Some(admit);
    let mut admit_once = |bytes| admit.take().map_or(Ok(()), |admit| admit(bytes));

    if let Some(image) = usable(Image::open(&place, &opened.metadata), &place) {
        admit_once(image.bytes())?;
        if let Some(key) = usable(image.map(), &place) {
            return Ok((key, Origin::Image));
        }
    }
    let runs = layout::read(source.path, &opened.file, opened.metadata.len())?;
    let (placed, bytes) = key::place(&runs);
    admit_once(bytes)?;
    let reason = match opened.share(&place, options, &runs) {
        Ok(shared) => return Ok(shared),
        Err(BuildFailure::Source(error)) => return Err(error),
        Err(BuildFailure::Unavailable(reason)) => reason,
    };
    warn(&place, &reason);
    let key = opened.decode_privately(options, &runs, placed, bytes)?;
    Ok((key, Origin::Private))
}

/// What [`build_image`] found or did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Built {
    /// There was a complete one, and all its points are as they were written.
    Before,
    Now,
}

/// Makes sure that a source has an image whose every byte is good. A failure to write one is an error here.
pub fn build_image(source: &Source<'_>, options: &Options) -> Result<(ProvingKey, Built)> {
    let opened = OpenSource::new(source)?;
    let place = Place::new(options.image_directory.as_deref(), source.path);
    if let Some(image) = usable(Image::open(&place, &opened.metadata), &place) {
        match usable(image.map_checked(options.threads), &place) {
            Some(key) => return Ok((key, Built::Before)),
            None => place
                .remove()
                .map(|_| ())
                .map_err(|error| cannot_write(&place, &error.to_string()))?,
        }
    }
    let runs = layout::read(source.path, &opened.file, opened.metadata.len())?;
    match opened.share(&place, options, &runs) {
        Ok((key, Origin::NewImage)) => Ok((key, Built::Now)),
        Ok((key, _)) => Ok((key, Built::Before)),
        Err(BuildFailure::Source(error)) => Err(error),
        Err(BuildFailure::Unavailable(reason)) => Err(cannot_write(&place, &reason)),
    }
}

fn cannot_write(place: &Place, reason: &str) -> Error {
    Error::message(format!("{}: cannot be written: {reason}", place.image.display()))
}

/// What is known of the image of a source.
#[derive(Debug, PartialEq, Eq)]
pub enum ImageState {
    Absent,
    Complete {
        bytes: u64,
    },
    /// It will be made anew, for this reason.
    Unusable(String),
}

pub fn image_state(source: &Path, image_directory: Option<&Path>) -> Result<ImageState> {
    let metadata = source
        .metadata()
        .map_err(|error| layout::unreadable(source, 0, &error))?;
    match Image::open(&Place::new(image_directory, source), &metadata) {
        Ok(image) => Ok(ImageState::Complete { bytes: image.bytes() }),
        Err(Unusable::Absent) => Ok(ImageState::Absent),
        Err(Unusable::Because(reason)) => Ok(ImageState::Unusable(reason)),
    }
}

/// Removes the image of a source; processes that use it keep it until they are done. False when there was none.
pub fn remove_image(source: &Path, image_directory: Option<&Path>) -> Result<bool> {
    let place = Place::new(image_directory, source);
    place
        .remove()
        .map_err(|error| Error::message(format!("{}: cannot be removed: {error}", place.image.display())))
}

fn usable<T>(found: Result<T, Unusable>, place: &Place) -> Option<T> {
    match found {
        Ok(found) => Some(found),
        Err(Unusable::Absent) => None,
        Err(Unusable::Because(reason)) => {
            log::info!("{}: not used, {reason}", place.image.display());
            None
        }
    }
}

struct OpenSource<'a> {
    source: &'a Source<'a>,
    file: File,
    metadata: Metadata,
}

impl<'a> OpenSource<'a> {
    fn new(source: &'a Source<'a>) -> Result<Self> {
        let unreadable = |error| layout::unreadable(source.path, 0, &error);
        let file = File::open(source.path).map_err(unreadable)?;
        let metadata = file.metadata().map_err(unreadable)?;
        Ok(Self { source, file, metadata })
    }

    fn job<'b>(&'b self, options: &Options, work: &'b Watch) -> Job<'b> {
        work.begin("decode", Some(self.metadata.len()));
        Job {
            path: self.source.path,
            file: &self.file,
            check_subgroup: options.check_subgroup,
            threads: options.threads,
            progress: work,
        }
    }

    /// Makes the image, or waits while another process makes it.
    fn share(&self, place: &Place, options: &Options, runs: &[Run]) -> Result<(ProvingKey, Origin), BuildFailure> {
        let unavailable = |error: std::io::Error| BuildFailure::Unavailable(error.to_string());
        let lock = place.lock_file().map_err(unavailable)?;
        let work = watch(format!("SRS {}", self.source.id));
        work.begin("wait for the process that decodes it", None);
        let mut progress = (place.progress(), Instant::now());
        loop {
            let locked = match lock.try_lock() {
                Ok(()) => true,
                Err(std::fs::TryLockError::WouldBlock) => false,
                Err(std::fs::TryLockError::Error(error)) => return Err(unavailable(error)),
            };
            // Whoever held the lock may have completed the image.
            let image = Image::open(place, &self.metadata).and_then(Image::map);
            if let Ok(key) = image {
                return Ok((key, Origin::Image));
            }
            if locked {
                let key = image::build(place, &self.job(options, &work), runs, self.source.digest)?;
                return Ok((key, Origin::NewImage));
            }
            let now = place.progress();
            if now != progress.0 {
                progress = (now, Instant::now());
            } else if progress.1.elapsed() > options.stalled_after {
                let seconds = options.stalled_after.as_secs();
                let reason = format!("the process that writes it has made no progress for {seconds} s");
                return Err(BuildFailure::Unavailable(reason));
            }
            let _span = timeline::span("wait for another process");
            thread::sleep(POLL);
        }
    }

    fn decode_privately(&self, options: &Options, runs: &[Run], placed: Vec<Placed>, bytes: u64) -> Result<ProvingKey> {
        let mut region = Region::private(bytes as usize, "an SRS")?;
        let Region::Private(memory) = &mut region else {
            return Err(Error::message("private memory for an SRS is not private"));
        };
        let mut rest = &mut memory[..];
        let mut at = 0;
        let places = blocks(runs).map(|block| {
            let start = placed[block.run].offset + block.start * block.group.point_bytes() as u64;
            let (_, from) = std::mem::take(&mut rest).split_at_mut((start - at) as usize);
            let (target, behind) = from.split_at_mut(block.bytes());
            rest = behind;
            at = start + target.len() as u64;
            (block, move |decoded: &[u8]| {
                target.copy_from_slice(decoded);
                Ok(())
            })
        });
        let work = watch(format!("SRS {}", self.source.id));
        let decoded = self.job(options, &work).run_with(places, self.source.digest);
        let digest = decoded.map_err(|failure| match failure {
            Failure::Source(error) => error,
            Failure::Place(error) => error.into(),
        })?;
        Ok(ProvingKey::new(region, placed, digest))
    }
}
