//! Field and curve arithmetic over blst, and the memory that holds it.

pub mod region;
