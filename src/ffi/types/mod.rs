//! The C types of the drop-in surface, under the exact names, sizes and offsets of filecoin-ffi v1.36.1.
//!
//! Every type `X` has the C tag `X` and the typedef `X_t`. The layout is asserted against C by `ctest/layout.c`.
#![allow(non_camel_case_types)]

mod borrow;
mod enums;
mod results;
mod slices;
mod structs;

pub use borrow::*;
pub use enums::*;
pub use results::*;
pub use slices::*;
pub use structs::*;
