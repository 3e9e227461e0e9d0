//! Filecoin virtual machines: one interface over the FVM's three versions.
//!
//! A [`Machine`] is an executor of one version over one state root. The state and the chain belong to the host program: the
//! machine reaches them through functions that the host exports ([`host`]), under the handles it was created with.

mod blockstore;
mod engine;
mod externs;
mod host;
mod machine;
mod receipt;
mod trace;

pub use machine::{Config, Kind, Machine};
pub use receipt::Receipt;
