//! Slices: `slice_boxed_*` own their elements, `slice_ref_*` borrow them for the length of a call.

use super::structs::*;
use crate::error::{Error, Result};

/// What the pointer of an empty owned slice holds: an address that Go's stack check accepts, never NULL, never freed.
#[repr(align(16))]
struct Empty([u8; 16]);
static EMPTY: Empty = Empty([0; 16]);

macro_rules! owned_slice {
    ($name:ident, $element:ty) => {
        // SAFETY: an owned slice is the only owner of its elements, like the Box it is made from.
        unsafe impl Send for $name {}

        impl $name {
            pub fn as_slice(&self) -> &[$element] {
                if self.len == 0 || self.ptr.is_null() {
                    return &[];
                }
                // SAFETY: a non-empty slice is only made by From<Vec> below or by the caller from one of those, and
                // keeps the pointer and length of that allocation.
                unsafe { std::slice::from_raw_parts(self.ptr, self.len) }
            }
        }

        impl From<Vec<$element>> for $name {
            fn from(elements: Vec<$element>) -> Self {
                let len = elements.len();
                if len == 0 {
                    return Self::default();
                }
                let ptr = Box::into_raw(elements.into_boxed_slice()).cast();
                Self { ptr, len }
            }
        }

        impl Default for $name {
            fn default() -> Self {
                let ptr = EMPTY.0.as_ptr().cast_mut().cast();
                Self { ptr, len: 0 }
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                if self.len == 0 || self.ptr.is_null() {
                    return;
                }
                let slice = std::ptr::slice_from_raw_parts_mut(self.ptr, self.len);
                // SAFETY: pointer and length are those of a boxed slice made by From<Vec> above, dropped once.
                drop(unsafe { Box::from_raw(slice) });
            }
        }
    };
}

macro_rules! borrowed_slice {
    ($name:ident, $element:ty) => {
        impl $name {
            /// The elements; NULL stands for an empty slice.
            ///
            /// # Safety
            /// Unless `ptr` is NULL or `len` is 0, `ptr` must point to `len` initialised elements that stay valid and
            /// unchanged for `'a`.
            pub unsafe fn borrow<'a>(self, argument: &'static str) -> Result<&'a [$element]> {
                match (self.ptr.is_null(), self.len) {
                    (_, 0) => Ok(&[]),
                    (true, _) => Err(Error::NullArgument { argument }),
                    (false, len) if len > isize::MAX as usize / size_of::<$element>() => {
                        Err(Error::SliceTooLong { argument, len })
                    }
                    // SAFETY: promised by the caller of this function; the size fits the address space.
                    (false, len) => Ok(unsafe { std::slice::from_raw_parts(self.ptr, len) }),
                }
            }
        }
    };
}

/// Bytes that the library allocated. `ptr` is never NULL in a result unless the field's text says so; `len` counts bytes.
/// Freed with the response that holds it, or with `destroy_boxed_slice` when it came from `alloc_boxed_slice`.
#[repr(C)]
pub struct slice_boxed_uint8 {
    pub ptr: *mut u8,
    pub len: usize,
}
pub type slice_boxed_uint8_t = slice_boxed_uint8;
owned_slice!(slice_boxed_uint8, u8);

/// 64-bit numbers that the library allocated.
#[repr(C)]
pub struct slice_boxed_uint64 {
    pub ptr: *mut u64,
    pub len: usize,
}
pub type slice_boxed_uint64_t = slice_boxed_uint64;
owned_slice!(slice_boxed_uint64, u64);

/// A list of byte strings, all owned by the list.
#[repr(C)]
pub struct slice_boxed_slice_boxed_uint8 {
    pub ptr: *mut slice_boxed_uint8_t,
    pub len: usize,
}
pub type slice_boxed_slice_boxed_uint8_t = slice_boxed_slice_boxed_uint8;
owned_slice!(slice_boxed_slice_boxed_uint8, slice_boxed_uint8);

/// A list of lists of numbers, all owned by the outer list.
#[repr(C)]
pub struct slice_boxed_slice_boxed_uint64 {
    pub ptr: *mut slice_boxed_uint64_t,
    pub len: usize,
}
pub type slice_boxed_slice_boxed_uint64_t = slice_boxed_slice_boxed_uint64;
owned_slice!(slice_boxed_slice_boxed_uint64, slice_boxed_uint64);

/// PoSt proofs, owned by the list.
#[repr(C)]
pub struct slice_boxed_PoStProof {
    pub ptr: *mut PoStProof_t,
    pub len: usize,
}
pub type slice_boxed_PoStProof_t = slice_boxed_PoStProof;
owned_slice!(slice_boxed_PoStProof, PoStProof);

/// Borrowed bytes. A length of 0 is an empty slice, whatever `ptr` is. The library keeps no borrowed slice after it returns.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct slice_ref_uint8 {
    pub ptr: *const u8,
    pub len: usize,
}
pub type slice_ref_uint8_t = slice_ref_uint8;
borrowed_slice!(slice_ref_uint8, u8);

/// Borrowed 64-bit numbers.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct slice_ref_uint64 {
    pub ptr: *const u64,
    pub len: usize,
}
pub type slice_ref_uint64_t = slice_ref_uint64;
borrowed_slice!(slice_ref_uint64, u64);

/// Borrowed sizes.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct slice_ref_size {
    pub ptr: *const usize,
    pub len: usize,
}
pub type slice_ref_size_t = slice_ref_size;
borrowed_slice!(slice_ref_size, usize);

/// Borrowed 32-byte arrays.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct slice_ref_uint8_32_array {
    pub ptr: *const uint8_32_array_t,
    pub len: usize,
}
pub type slice_ref_uint8_32_array_t = slice_ref_uint8_32_array;
borrowed_slice!(slice_ref_uint8_32_array, uint8_32_array_t);

/// A borrowed list of byte strings; the strings stay the caller's.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct slice_ref_slice_boxed_uint8 {
    pub ptr: *const slice_boxed_uint8_t,
    pub len: usize,
}
pub type slice_ref_slice_boxed_uint8_t = slice_ref_slice_boxed_uint8;
borrowed_slice!(slice_ref_slice_boxed_uint8, slice_boxed_uint8_t);

/// Borrowed piece descriptions.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct slice_ref_PublicPieceInfo {
    pub ptr: *const PublicPieceInfo_t,
    pub len: usize,
}
pub type slice_ref_PublicPieceInfo_t = slice_ref_PublicPieceInfo;
borrowed_slice!(slice_ref_PublicPieceInfo, PublicPieceInfo_t);

/// Borrowed PoSt proofs.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct slice_ref_PoStProof {
    pub ptr: *const PoStProof_t,
    pub len: usize,
}
pub type slice_ref_PoStProof_t = slice_ref_PoStProof;
borrowed_slice!(slice_ref_PoStProof, PoStProof_t);

/// Borrowed descriptions of replicas to prove; their paths stay the caller's.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct slice_ref_PrivateReplicaInfo {
    pub ptr: *const PrivateReplicaInfo_t,
    pub len: usize,
}
pub type slice_ref_PrivateReplicaInfo_t = slice_ref_PrivateReplicaInfo;
borrowed_slice!(slice_ref_PrivateReplicaInfo, PrivateReplicaInfo_t);

/// Borrowed descriptions of replicas to verify.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct slice_ref_PublicReplicaInfo {
    pub ptr: *const PublicReplicaInfo_t,
    pub len: usize,
}
pub type slice_ref_PublicReplicaInfo_t = slice_ref_PublicReplicaInfo;
borrowed_slice!(slice_ref_PublicReplicaInfo, PublicReplicaInfo_t);

/// Borrowed inputs of an aggregate, in the order of the aggregated proofs.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct slice_ref_AggregationInputs {
    pub ptr: *const AggregationInputs_t,
    pub len: usize,
}
pub type slice_ref_AggregationInputs_t = slice_ref_AggregationInputs;
borrowed_slice!(slice_ref_AggregationInputs, AggregationInputs_t);
