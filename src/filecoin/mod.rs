//! What is proved: the calls of the proofs crates that need parameter files, prepared so that a missing or damaged file is
//! an error of ours before those crates read it.

pub mod devices;
pub mod fallback;
pub mod local_params;
pub mod manifest;
pub mod params;
pub mod pieces;
pub mod post;
pub mod proving;
pub mod seal;
pub mod srs;
pub mod unseal;
pub mod update;

/// Whether bytes are a canonical little-endian scalar, as commitments, randomness and ids of provers must be.
fn is_scalar(bytes: &[u8; 32]) -> bool {
    filecoin_proofs_api::fr32::bytes_into_fr(bytes).is_ok()
}
