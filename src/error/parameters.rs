//! What can be wrong with a parameter file. Each fault names the file, what was expected, what was found and the remedy.

use std::io;
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum ParameterFault {
    // The words up to the bracket are those of filecoin-ffi, which its users know and search for.
    #[error("No cached parameters found for {circuit} [failure finding {}]; {remedy}", file.display())]
    Missing {
        circuit: String,
        file: PathBuf,
        remedy: String,
    },

    #[error("No cached srs key found for {name} [failure finding {}]; {remedy}", file.display())]
    MissingSrs {
        name: String,
        file: PathBuf,
        remedy: String,
    },

    #[error(
        "{}: the verifying key is missing, and it cannot be written from the proving parameters beside it: {source}; \
         {remedy}, or make the directory writable once",
        file.display()
    )]
    KeyNotWritten {
        file: PathBuf,
        source: io::Error,
        remedy: String,
    },

    #[error(
        "{}: expected a file that this process may read, found: {source}; correct its owner or mode, or those of the \
         directories above it",
        file.display()
    )]
    Unreadable { file: PathBuf, source: io::Error },

    #[error("{}: expected a regular file, found {found}; {remedy}", file.display())]
    NotAFile {
        file: PathBuf,
        found: &'static str,
        remedy: String,
    },

    #[error("{}: expected {expected}, found an empty file; {remedy}", file.display())]
    Empty {
        file: PathBuf,
        expected: &'static str,
        remedy: String,
    },

    #[error("{}: expected {expected}, found {found} (it begins with {start:?}); {remedy}", file.display())]
    NotAKey {
        file: PathBuf,
        expected: &'static str,
        found: &'static str,
        start: String,
        remedy: String,
    },

    #[error("{}: truncated: expected {at_least}{expected} bytes, found {found}; {remedy}", file.display())]
    Truncated {
        file: PathBuf,
        at_least: &'static str,
        expected: u64,
        found: u64,
        remedy: String,
    },

    #[error("{}: expected {expected} bytes, found {found}: bytes follow the end of the key; {remedy}", file.display())]
    TrailingBytes {
        file: PathBuf,
        expected: u64,
        found: u64,
        remedy: String,
    },

    #[error("{}: the counts of points contradict each other: expected {expected}, found {found}; {remedy}", file.display())]
    Counts {
        file: PathBuf,
        expected: String,
        found: String,
        remedy: String,
    },

    #[error("{}: wrong circuit: expected {expected}, found {found}; {remedy}", file.display())]
    WrongCircuit {
        file: PathBuf,
        expected: String,
        found: String,
        remedy: String,
    },

    #[error("{}: damaged: expected a point of {group} as {point} at byte {offset}, found bytes that are none; {remedy}", file.display())]
    BadPoint {
        file: PathBuf,
        group: &'static str,
        point: String,
        offset: u64,
        remedy: String,
    },

    #[error(
        "{}: expected the verifying key with which {} begins, found another one: they differ from byte {offset} on; \
         {remedy}",
        file.display(), params.display()
    )]
    KeysDiffer {
        file: PathBuf,
        params: PathBuf,
        offset: usize,
        remedy: String,
    },

    #[error(
        "{}: not the production file: expected the digest {expected}, found {found}; {remedy}, or unset \
         FIL_PROOFS_VERIFY_PRODUCTION_PARAMS where parameters for testing are meant",
        file.display()
    )]
    NotProduction {
        file: PathBuf,
        expected: String,
        found: String,
        remedy: String,
    },

    #[error("{}: expected the digest {expected}, which {} lists, found {found}; {remedy}", file.display(), manifest.display())]
    NotAsMade {
        file: PathBuf,
        manifest: PathBuf,
        expected: String,
        found: String,
        remedy: String,
    },

    #[error(
        "{}: expected powers for {expected} aggregated proofs, found powers for {found}; {remedy}",
        file.display()
    )]
    SrsTooSmall {
        file: PathBuf,
        expected: usize,
        found: usize,
        remedy: String,
    },

    #[error("{}: changed while it was read; repeat the call when it is complete", file.display())]
    Changing { file: PathBuf },
}
