//! Progress of long work, told to whoever shows it.

/// Told in order: a phase begins, advances any number of times from any thread, and ends when the next begins.
pub trait Progress: Sync {
    /// `total` is the number of steps, if it is known.
    fn begin(&self, phase: &str, total: Option<u64>);
    fn advance(&self, steps: u64);
}

/// Shows nothing.
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _phase: &str, _total: Option<u64>) {}
    fn advance(&self, _steps: u64) {}
}
