//! Groth16 over BLS12-381 for any circuit; knows no sectors.

pub mod proof;
pub mod setup;
