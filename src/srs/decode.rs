//! Decoding of a `.params` file on all cores: big-endian coordinates become blst's Montgomery limbs, and every point is
//! checked.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::thread;

use blst::blst_fp;
use blstrs::{G1Affine, G2Affine};

use super::crew::work_off;
use super::image::Stamp;
use super::layout::{unreadable, Group, Run};
use crate::error::{Error, Result};
use crate::math::region::{G1_BYTES, G2_BYTES};
use crate::telemetry::progress::Progress;
use crate::telemetry::timeline;

/// Points of one run that are decoded together.
const BLOCK_POINTS: u64 = 8192;
/// Of the first byte of an uncompressed point: compressed, at infinity, larger root.
const FLAGS: u8 = 0xe0;

/// A part of a run.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    pub run: usize,
    pub group: Group,
    /// Of its first point, in the file.
    pub source: u64,
    /// Of its first point, counted from the first of its run.
    pub start: u64,
    pub points: usize,
}

impl Block {
    pub fn bytes(&self) -> usize {
        self.points * self.group.point_bytes()
    }
}

/// The blocks of all runs, in the order of the file.
pub fn blocks(runs: &[Run]) -> impl Iterator<Item = Block> + '_ {
    runs.iter().enumerate().flat_map(|(index, run)| {
        let point_bytes = run.group.point_bytes() as u64;
        (0..run.count).step_by(BLOCK_POINTS as usize).map(move |start| Block {
            run: index,
            group: run.group,
            source: run.offset + start * point_bytes,
            start,
            points: BLOCK_POINTS.min(run.count - start) as usize,
        })
    })
}

/// What a decoding needs to know.
pub struct Job<'a> {
    pub path: &'a Path,
    pub file: &'a File,
    pub check_subgroup: bool,
    pub threads: usize,
    /// Of the decoding, in bytes.
    pub progress: &'a dyn Progress,
}

/// The failure at the smallest offset: the bytes of the source, or `place` for what was to take the decoded ones.
#[derive(Debug)]
pub enum Failure {
    Source(Error),
    Place(io::Error),
}

impl Job<'_> {
    /// Like [`Job::run`], with the digest of the source computed meanwhile. A source that changes meanwhile is an error.
    pub fn run_with<W>(
        &self,
        blocks: impl Iterator<Item = (Block, W)> + Send,
        digest: impl FnOnce() -> Result<String> + Send,
    ) -> Result<String, Failure>
    where
        W: FnOnce(&[u8]) -> io::Result<()> + Send,
    {
        let stamp = || {
            let metadata = self.file.metadata();
            let metadata = metadata.map_err(|error| Failure::Source(unreadable(self.path, 0, &error)))?;
            Ok(Stamp::new(&metadata))
        };
        let before = stamp()?;
        let (decoded, digest) = thread::scope(|scope| {
            let hasher = thread::Builder::new().name("srs digest".to_owned());
            let digest = hasher.spawn_scoped(scope, || {
                let _span = timeline::span("digest");
                digest()
            });
            let decoded = self.run(blocks);
            let digest = digest.map_err(Error::from).and_then(|thread| {
                let outcome = thread.join();
                outcome.unwrap_or_else(|_| Err(Error::message("the digest of the SRS failed with a panic")))
            });
            (decoded, digest)
        });
        decoded?;
        let digest = digest.map_err(Failure::Source)?;
        match stamp()? == before {
            true => Ok(digest),
            false => Err(Failure::Source(Error::message(format!(
                "{}: changed while it was read: try again when it is complete",
                self.path.display()
            )))),
        }
    }

    /// Decodes `blocks`, each of which comes with what takes its decoded bytes. Nothing is running any more on return.
    pub fn run<W>(&self, blocks: impl Iterator<Item = (Block, W)> + Send) -> Result<(), Failure>
    where
        W: FnOnce(&[u8]) -> io::Result<()> + Send,
    {
        let first_failure = Mutex::new(None::<(u64, Failure)>);
        work_off(self.threads, blocks, || {
            let (mut encoded, mut decoded) = (Vec::new(), Vec::new());
            let first_failure = &first_failure;
            move |(block, place): (Block, W)| {
                let _span = timeline::span("decode points");
                let done = self.block(&block, &mut encoded, &mut decoded);
                let done = done.and_then(|()| place(&decoded).map_err(|error| (block.source, Failure::Place(error))));
                let Err((offset, failure)) = done else {
                    self.progress.advance(block.bytes() as u64);
                    return true;
                };
                let mut first = first_failure.lock().unwrap_or_else(PoisonError::into_inner);
                if first.as_ref().is_none_or(|(before, _)| offset < *before) {
                    *first = Some((offset, failure));
                }
                false
            }
        });
        let failure = first_failure.into_inner().unwrap_or_else(PoisonError::into_inner);
        failure.map_or(Ok(()), |(_, failure)| Err(failure))
    }

    fn block(&self, block: &Block, encoded: &mut Vec<u8>, decoded: &mut Vec<u8>) -> Result<(), (u64, Failure)> {
        let at = |offset, error| (offset, Failure::Source(error));
        for buffer in [&mut *encoded, &mut *decoded] {
            buffer.clear();
            buffer.try_reserve(block.bytes()).map_err(|_| {
                let bytes = block.bytes();
                let purpose = "decoding an SRS";
                at(block.source, Error::OutOfMemory { bytes, purpose })
            })?;
        }
        encoded.resize(block.bytes(), 0);
        self.file
            .read_exact_at(encoded, block.source)
            .map_err(|error| at(block.source, unreadable(self.path, block.source, &error)))?;
        for (index, point) in encoded.chunks_exact(block.group.point_bytes()).enumerate() {
            let outcome = match block.group {
                Group::G1 => decode_g1(point, self.check_subgroup, decoded),
                Group::G2 => decode_g2(point, self.check_subgroup, decoded),
            };
            if let Err(what) = outcome {
                let offset = block.source + (index * block.group.point_bytes()) as u64;
                return Err(at(offset, self.bad_point(block, index, offset, what)));
            }
        }
        Ok(())
    }

    fn bad_point(&self, block: &Block, index: usize, offset: u64, what: &str) -> Error {
        let (name, _) = super::layout::NAMES[block.run];
        let number = block.start + index as u64;
        Error::message(format!(
            "{}: point {number} of {name}, at offset {offset}, {what}: fetch the file again",
            self.path.display()
        ))
    }
}

const NOT_ON_CURVE: &str = "is not on the curve";
const NOT_IN_SUBGROUP: &str = "is not in the prime-order subgroup";

/// What no uncompressed point of a proving key may begin with.
fn check_flags(first: u8) -> Result<(), &'static str> {
    match first & FLAGS {
        0 => Ok(()),
        flags if flags & 0x80 != 0 => Err("is in compressed form"),
        flags if flags & 0x40 != 0 => Err("is the point at infinity"),
        _ => Err("is not an uncompressed point"),
    }
}

fn decode_g1(encoded: &[u8], check_subgroup: bool, decoded: &mut Vec<u8>) -> Result<(), &'static str> {
    check_flags(encoded[0])?;
    let encoded: &[u8; G1_BYTES] = encoded.try_into().map_err(|_| "is incomplete")?;
    // "Unchecked" leaves out the subgroup alone: blst checks the ranges of the coordinates and the curve.
    let point = Option::<G1Affine>::from(G1Affine::from_uncompressed_unchecked(encoded)).ok_or(NOT_ON_CURVE)?;
    if check_subgroup && !bool::from(point.is_torsion_free()) {
        return Err(NOT_IN_SUBGROUP);
    }
    let point = point.as_ref();
    put(decoded, [&point.x, &point.y]);
    Ok(())
}

fn decode_g2(encoded: &[u8], check_subgroup: bool, decoded: &mut Vec<u8>) -> Result<(), &'static str> {
    check_flags(encoded[0])?;
    let encoded: &[u8; G2_BYTES] = encoded.try_into().map_err(|_| "is incomplete")?;
    let point = Option::<G2Affine>::from(G2Affine::from_uncompressed_unchecked(encoded)).ok_or(NOT_ON_CURVE)?;
    if check_subgroup && !bool::from(point.is_torsion_free()) {
        return Err(NOT_IN_SUBGROUP);
    }
    let point = point.as_ref();
    put(
        decoded,
        [&point.x.fp[0], &point.x.fp[1], &point.y.fp[0], &point.y.fp[1]],
    );
    Ok(())
}

/// Limbs as they stand in memory.
fn put<const N: usize>(decoded: &mut Vec<u8>, coordinates: [&blst_fp; N]) {
    for limb in coordinates.into_iter().flat_map(|coordinate| coordinate.l) {
        decoded.extend_from_slice(&limb.to_ne_bytes());
    }
}
