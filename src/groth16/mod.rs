//! Groth16: circuits in, proofs out. Knows no sectors.

pub mod r1cs;
