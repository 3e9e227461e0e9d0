//! Memory that holds affine points as blst lays them out: private, or a file that several processes map.

use std::fs::File;
use std::io;
use std::mem::{align_of, size_of};

use blstrs::{G1Affine, G2Affine};
use memmap2::{Advice, Mmap, MmapMut, MmapOptions};

use crate::error::{Error, Result};

pub const G1_BYTES: usize = 96;
pub const G2_BYTES: usize = 192;

const _: () = assert!(size_of::<G1Affine>() == G1_BYTES && align_of::<G1Affine>() == 8);
const _: () = assert!(size_of::<G2Affine>() == G2_BYTES && align_of::<G2Affine>() == 8);

/// A range of bytes that starts on a page.
#[derive(Debug)]
pub enum Region {
    Private(MmapMut),
    Shared(Mmap),
}

impl Region {
    /// Zeroed memory of this process alone. Pages are taken when they are first written.
    pub fn private(bytes: usize, purpose: &'static str) -> Result<Self> {
        let memory = MmapMut::map_anon(bytes).map_err(|_| Error::OutOfMemory { bytes, purpose })?;
        Ok(Self::Private(memory))
    }

    /// The first `bytes` of a file, read-only. All processes that map it share one copy.
    pub fn shared(file: &File, bytes: usize) -> io::Result<Self> {
        if file.metadata()?.len() < bytes as u64 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        // SAFETY: the file was just seen to be long enough, and the library maps only files that it renamed into place
        // when they were complete and never opens for writing again; other owners' files are not accepted.
        let memory = unsafe { MmapOptions::new().len(bytes).map(file)? };
        Ok(Self::Shared(memory))
    }

    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Private(memory) => memory,
            Self::Shared(memory) => memory,
        }
    }

    /// Asks the kernel to bring the pages of a mapped file in; it may ignore that.
    pub fn will_need(&self) {
        if let Self::Shared(memory) = self {
            if let Err(error) = memory.advise(Advice::WillNeed) {
                log::debug!("pages of a mapped file are read when they are first used: {error}");
            }
        }
    }

    /// The `count` points from `offset`; a range outside the region or off alignment panics.
    pub fn g1(&self, offset: usize, count: usize) -> &[G1Affine] {
        let bytes = &self.bytes()[offset..][..count * G1_BYTES];
        assert_eq!(bytes.as_ptr() as usize % align_of::<G1Affine>(), 0);
        // SAFETY: length and alignment were just checked; a G1Affine is twelve 64-bit limbs without padding, for which every
        // bit pattern is a value, and the region is not written while it is borrowed.
        unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), count) }
    }

    /// The `count` points from `offset`; a range outside the region or off alignment panics.
    pub fn g2(&self, offset: usize, count: usize) -> &[G2Affine] {
        let bytes = &self.bytes()[offset..][..count * G2_BYTES];
        assert_eq!(bytes.as_ptr() as usize % align_of::<G2Affine>(), 0);
        // SAFETY: as in `g1`, with twenty-four limbs.
        unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), count) }
    }
}
