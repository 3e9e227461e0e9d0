//! The part of minstant 0.1 that the FVM uses, on the standard library's clock. The original calibrates the processor's
//! time stamp counter in a constructor, which would spin in every program that merely loads the library.

pub use std::time::Instant;
