//! What the library tells the operator. So far: the log.

pub mod log;
