//! What is proved: the calls of the proofs crates that need parameter files, prepared so that a missing or damaged file is
//! an error of ours before those crates read it.

pub mod devices;
pub mod local_params;
pub mod manifest;
pub mod post;
pub mod seal;
pub mod srs;
pub mod update;
