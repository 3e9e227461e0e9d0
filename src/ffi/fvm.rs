//! FVM machines.
