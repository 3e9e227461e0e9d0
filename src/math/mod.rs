//! Field and curve arithmetic over blst: multi-scalar multiplication, number-theoretic transforms, many multiples of one
//! point, and the slow obvious references that judge them.
//!
//! Everything parallel here runs on the rayon pool that it is called from.

mod limbs;
mod tile;

pub mod coordinate;
pub mod curve;
pub mod elements;
pub mod fixed_base;
pub mod msm;
pub mod ntt;
pub mod reference;
pub mod region;
pub mod scalar;
#[cfg(test)]
mod tests;

pub use blstrs::{G1Affine, G1Projective, G2Affine, G2Projective};

/// The scalar field, in Montgomery form.
pub type Fr = blstrs::Scalar;
