//! What is proved.

pub mod params;
