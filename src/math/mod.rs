//! Curve arithmetic over blst: what blstrs does not offer fast enough for whole proving keys, and the memory that holds them.

pub mod coordinate;
pub mod fixed_base;
pub mod region;
