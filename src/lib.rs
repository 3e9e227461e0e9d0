//! `libfilcrypto`: every C function of filecoin-ffi v1.36.1, for Filecoin storage providers.
//!
//! Modules in layer order; a module may use those below it. [`ffi`] is the only place where raw caller pointers are seen.
#![deny(unsafe_op_in_unsafe_fn)]

pub mod ffi;

#[deny(unsafe_code)]
pub mod bls;
#[deny(unsafe_code)]
pub mod filecoin;
pub mod fvm;

#[deny(unsafe_code)]
pub mod pipeline;

#[deny(unsafe_code)]
pub mod groth16;
#[deny(unsafe_code)]
pub mod srs;

pub mod math;

#[deny(unsafe_code)]
pub mod config;
#[deny(unsafe_code)]
pub mod error;
#[deny(unsafe_code)]
pub mod telemetry;

/// The library's own heap. C and Go memory never passes through it.
#[cfg(feature = "jemalloc")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;
