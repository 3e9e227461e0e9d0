//! What the library tells the operator: the log, metrics, a timeline, and the progress of long work.

pub mod drawing;
pub mod heartbeat;
pub mod log;
pub mod metrics;
pub mod progress;
pub mod timeline;
