//! The C surface. Each entry point checks and converts its arguments, calls safe code below, and wraps the result.
//!
//! Entry points never call each other: the names are generic (`hash`, `verify`) and another object in the process may
//! define them too.

pub mod boundary;
mod convert;
mod descriptor;
pub mod types;

pub mod accessors;
pub mod aggregate;
pub mod bls;
pub mod cache;
pub mod destroy;
pub mod fvm;
pub mod pieces;
pub mod post;
pub mod resident;
pub mod seal;
pub mod update;
pub mod util;
