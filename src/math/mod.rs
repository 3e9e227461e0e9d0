//! Field and curve arithmetic over blst: multi-scalar multiplication, number-theoretic transform, and the slow obvious
//! references that judge them.
//!
//! Everything parallel here runs on the rayon pool that it is called from.

mod field;
mod tile;

pub mod curve;
pub mod msm;
pub mod ntt;
pub mod reference;
pub mod scalar;
#[cfg(test)]
mod tests;

pub use blstrs::{G1Affine, G1Projective, G2Affine, G2Projective};

/// The scalar field, in Montgomery form.
pub type Fr = blstrs::Scalar;
