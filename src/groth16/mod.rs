//! Groth16 over BLS12-381 for any circuit; knows no sectors.

pub mod pool;
pub mod proof;
pub mod prover;
pub mod r1cs;
pub mod setup;

mod qap;
#[cfg(test)]
pub(crate) mod tests;
