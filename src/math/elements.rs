//! Memory for many field elements: an anonymous mapping that starts on 2 MiB, so that the kernel can back it with large
//! pages and a device can pin it.
#![allow(unsafe_code)]

use std::mem::{align_of, size_of};
use std::ops::{Deref, DerefMut};

use memmap2::{Advice, MmapMut};

use super::Fr;
use crate::error::{Error, Result};

pub const ALIGNMENT_BYTES: usize = 2 << 20;

const _: () = assert!(size_of::<Fr>() == 32 && align_of::<Fr>() <= ALIGNMENT_BYTES);

/// `len` elements, at first all zero.
#[derive(Debug)]
pub struct Elements {
    map: MmapMut,
    offset_bytes: usize,
    len: usize,
}

impl Elements {
    pub fn new(len: usize, purpose: &'static str) -> Result<Self> {
        let bytes = Self::bytes_for(len);
        let out_of_memory = || Error::OutOfMemory { bytes, purpose };
        let map_bytes = bytes.checked_add(ALIGNMENT_BYTES).ok_or_else(out_of_memory)?;
        let map = MmapMut::map_anon(map_bytes).map_err(|_| out_of_memory())?;
        let offset_bytes = map.as_ptr().align_offset(ALIGNMENT_BYTES);
        if offset_bytes > ALIGNMENT_BYTES {
            return Err(out_of_memory());
        }
        if let Err(error) = map.advise_range(Advice::HugePage, offset_bytes, bytes) {
            log::debug!("no large pages for {purpose}: {error}");
        }
        Ok(Self { map, offset_bytes, len })
    }

    /// What `len` elements take, in whole pages of 2 MiB.
    pub fn bytes_for(len: usize) -> usize {
        len.saturating_mul(size_of::<Fr>())
            .div_ceil(ALIGNMENT_BYTES)
            .saturating_mul(ALIGNMENT_BYTES)
    }
}

impl Deref for Elements {
    type Target = [Fr];

    fn deref(&self) -> &[Fr] {
        // SAFETY: `new` made the mapping large enough for `len` elements from an offset that is a multiple of their
        // alignment; it is zeroed or holds what was written as elements, and any bytes are a value of four words.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().add(self.offset_bytes).cast(), self.len) }
    }
}

impl DerefMut for Elements {
    fn deref_mut(&mut self) -> &mut [Fr] {
        // SAFETY: as for `deref`, and the mapping is borrowed alone.
        unsafe { std::slice::from_raw_parts_mut(self.map.as_mut_ptr().add(self.offset_bytes).cast(), self.len) }
    }
}

#[cfg(test)]
mod tests {
    use ff::Field;

    use super::*;

    #[test]
    fn aligned_zeroed_and_writable() {
        for len in [0, 1, 65_535, 65_536, 65_537] {
            let mut elements = Elements::new(len, "a test").unwrap();
            assert_eq!(elements.len(), len);
            assert_eq!(elements.as_ptr() as usize % ALIGNMENT_BYTES, 0);
            assert!(elements.iter().all(|element| *element == Fr::ZERO));
            elements.fill(-Fr::ONE);
            assert!(elements.iter().all(|element| *element == -Fr::ONE));
        }
    }

    #[test]
    fn too_much_is_an_error() {
        for len in [usize::MAX, usize::MAX / 64, 1 << 56] {
            assert!(Elements::new(len, "a test")
                .unwrap_err()
                .to_string()
                .ends_with("bytes for a test"));
        }
    }
}
