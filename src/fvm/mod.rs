//! Filecoin virtual machines: one interface over the FVM's three versions.

/// An executor over one state root.
pub struct Machine;
