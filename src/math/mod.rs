//! Curve arithmetic over blst: what blstrs does not offer fast enough for whole proving keys.

pub mod coordinate;
pub mod fixed_base;
