//! What the library tells the operator: the log, and the progress of long work.

pub mod log;
pub mod progress;
