//! The devices that proving uses.

/// Their names, in the order of use; none when proving runs on the CPU, which is all it does so far.
pub fn names() -> Vec<String> {
    Vec::new()
}
